import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { startChild } from '../../temporal-dev/child.js';
import { temporaryFolder } from '../support/folder.js';

async function shell(script: string) {
  const logFile = join(await temporaryFolder(), 'logs', 'child.log');
  const child = startChild({
    name: 'Child',
    command: '/bin/sh',
    args: ['-c', script],
    env: process.env,
    logFile,
  });
  onTestFinished(() => child.stop());
  return child;
}

/** Whether a child that writes to its log all the time still does. */
async function isAlive(logFile: string): Promise<boolean> {
  const before = (await stat(logFile)).size;
  await new Promise((done) => setTimeout(done, 250));
  return (await stat(logFile)).size > before;
}

test('a child that ends by itself says so, with its exit code and its last words', async () => {
  const child = await shell('echo first; echo last >&2; exit 3');

  expect(await child.exited).toEqual({ name: 'Child', expected: false, code: 3 });
  expect(await child.lastLines()).toBe('first\nlast');
});

test('stop lets the child end in its own way, and can be called twice', async () => {
  const child = await shell(
    'trap "echo orderly; exit 0" TERM; echo up; while :; do sleep 0.05; done',
  );
  await expect.poll(() => child.lastLines()).toBe('up');
  await Promise.all([child.stop(), child.stop()]);

  expect(await child.exited).toEqual({ name: 'Child', expected: true, code: 0 });
  expect(await child.lastLines()).toBe('up\norderly');
});

test('a program that does not exist is an early end, not a crash', async () => {
  const logFile = join(await temporaryFolder(), 'child.log');
  const child = startChild({
    name: 'Child',
    command: '/does/not/exist',
    args: [],
    env: {},
    logFile,
  });

  expect((await child.exited).code).toBe(127);
  expect(await child.lastLines()).toContain('not found');
});

test('a child does not outlive its parent, though it hears no signal', async () => {
  const folder = await temporaryFolder();
  const logFile = join(folder, 'child.log');
  const start = `
      import { startChild } from ${JSON.stringify(join(packageRoot(), 'temporal-dev/child.ts'))};
      startChild({ name: 'Child', command: '/bin/sh', env: process.env,
        args: ['-c', 'trap "" TERM HUP; while :; do echo alive; sleep 0.02; done'],
        logFile: ${JSON.stringify(logFile)} });`;
  await writeFile(join(folder, 'parent.mjs'), start);
  const jiti = join(packageRoot(), 'node_modules/jiti/lib/jiti-cli.mjs');
  const args = [jiti, join(folder, 'parent.mjs')];
  const parent = spawn(process.execPath, args, { stdio: 'inherit' });
  await expect.poll(() => readFile(logFile, 'utf8').catch(() => '')).toContain('alive');
  await expect.poll(() => isAlive(logFile)).toBe(true);
  parent.kill('SIGKILL');

  await expect.poll(() => isAlive(logFile)).toBe(false);
});
