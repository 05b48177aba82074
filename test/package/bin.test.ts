/** How the command starts: on an old Node, from a clone that is not built, from one that has changed since. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Pretends to be another Node, for the program that it is loaded before. */
function pretend(version: string): string[] {
  const code = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

async function start(root: string, ...before: string[]): Promise<Ended> {
  return new Promise((done) => {
    const args = [...before, join(root, 'bin', 'durable-rag.js')];
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** A clone with one source; what is built from it says "ran". */
async function clone() {
  const root = await temporaryFolder();
  const source = join(root, 'cli', 'main.ts');
  const built = join(root, 'dist', 'cli', 'main.js');
  const bundle = join(root, 'dist', 'workflow-bundle.js');
  await cp(join(packageRoot(), 'bin'), join(root, 'bin'), { recursive: true });
  for (const file of [source, built, bundle]) {
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, `console.log('ran')`);
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await writeFile(join(root, 'tsconfig.build.json'), '{}');
  await utimes(source, 1_000, 1_000);
  return { root, built, bundle };
}

it('tells an old Node what it needs, in one sentence', async () => {
  const { root } = await clone();
  for (const version of ['18.20.4', '20.18.3', '12.0.0']) {
    expect(await start(root, ...pretend(version))).toEqual({
      code: 1,
      stdout: '',
      stderr: `durable-rag needs Node 20.19 or newer, and this is ${version}.\n`,
    });
  }
  for (const version of ['20.19.0', '22.1.0', '100.0.0']) {
    expect(await start(root, ...pretend(version))).toMatchObject({ code: 0, stdout: 'ran\n' });
  }
});

it('starts what was built without a word', async () => {
  const { root, built } = await clone();
  // What is compiled of an unchanged source is older than the others.
  await utimes(built, 500, 500);
  expect(await start(root)).toEqual({ code: 0, stdout: 'ran\n', stderr: '' });
});

it('names the command where nothing was built', async () => {
  const { root, built } = await clone();
  await rm(built);
  const { code, stderr } = await start(root);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^durable-rag has not been built: run "npm run build" in .*\n$/),
  });
  await rm(join(root, 'tsconfig.build.json'));
  expect((await start(root)).stderr).toMatch(/broken: .* is missing; install it again/);
});

it('says that the sources are newer, and starts what was built', async () => {
  const { root, bundle } = await clone();
  await utimes(bundle, 500, 500);
  const { code, stdout, stderr } = await start(root);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'ran\n' });
  expect(stderr).toMatch(/^The sources are newer than what runs: "npm run build" in .*\n$/);
});

it('builds for "npm ci", and not for "npx", which would say nothing of it', async () => {
  const { scripts } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'));
  const { root } = await clone();
  await writeFile(join(root, 'npm'), '#!/bin/sh\necho "npm $@"\n', { mode: 0o755 });
  const prepare = (command: string) =>
    promisify(execFile)('sh', ['-c', scripts.prepare], {
      env: { PATH: `${root}:${process.env.PATH}`, npm_command: command },
    });
  expect((await prepare('exec')).stdout).toBe('');
  for (const command of ['ci', 'install', 'pack', 'publish']) {
    expect((await prepare(command)).stdout).toBe('npm run build\n');
  }
});
