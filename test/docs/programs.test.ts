/** The programs of the docs fit the package: its exports type-check them; a method so added runs. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { type Block, blocksOf } from './pages.js';

const run = promisify(execFile);
const root = packageRoot();

/** What programs of the docs may use without making it: a page makes it once. */
const CONTEXT = `import type { DurableRagClient } from 'durable-rag';
declare global {
  const client: DurableRagClient;
}
`;

/** What the compiler says against a project; empty when it says nothing. */
async function complaints(project: string, ...more: string[]): Promise<string> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, '-p', project, '--pretty', 'false', ...more]).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout || stderr,
  );
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'durable-rag-docs-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** The package's exports, each with the source that it is built from. */
async function sources(): Promise<Record<string, string[]>> {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries<{ types?: string }>(exports).flatMap(([name, { types }]) =>
      types === undefined
        ? []
        : [[join('durable-rag', name), [types.replace('./dist', root).replace('.d.ts', '.ts')]]],
    ),
  );
}

it('type-checks every program', async () => {
  const programs = await folder();
  const blocks = blocksOf('ts', 'typescript').filter(({ file }) => file === undefined);
  expect(blocks.length).toBeGreaterThan(0);
  for (const { at, text } of blocks) {
    await writeFile(join(programs, `${at.replace(/\W+/g, '-')}.ts`), `${text}\nexport {};\n`);
  }
  await writeFile(join(programs, 'context.d.ts'), CONTEXT);
  await symlink(join(root, 'node_modules'), join(programs, 'node_modules'));
  const compilerOptions = {
    ...{ paths: await sources(), noUnusedLocals: false, noUnusedParameters: false },
    ...{ module: 'esnext', moduleResolution: 'bundler' },
  };
  await writeFile(
    join(programs, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  );
  expect(await complaints(programs)).toBe('');
});

it('has a method added as the docs say, and lists it', async () => {
  const copy = await folder();
  const { stdout } = await run('git', ['ls-files'], { cwd: root });
  const files = stdout.split('\n').filter((file) => file !== '' && !/^(test|docs)\//.test(file));
  await Promise.all(files.map((file) => cp(join(root, file), join(copy, file))));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));

  const changes = blocksOf('ts', 'diff').filter(({ file }) => file !== undefined);
  expect(changes.length).toBeGreaterThan(2);
  for (const change of changes) await apply(change, copy);
  expect(await complaints(join(copy, 'tsconfig.build.json'))).toBe('');

  const listed = await run(process.execPath, [join(copy, 'bin', 'durable-rag.js'), 'methods']);
  const defined = changes.filter(({ text }) => text.includes('defineMethod('));
  const names = defined.flatMap(({ text }) => text.match(/(?<=^\s*name: ')\w+/m)?.[0] ?? []);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(listed.stdout).toContain(name);
});

/** Writes the file that a block is; or adds lines to it, each behind the line it stands behind. */
async function apply({ at, language, file = '', text }: Block, copy: string): Promise<void> {
  const path = join(copy, file);
  if (language !== 'diff') {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, text);
  }
  const lines = (await readFile(path, 'utf8')).split('\n');
  let place = -1;
  for (const line of text.trimEnd().split('\n')) {
    const content = line.slice(1);
    if (line.startsWith('+')) lines.splice(++place, 0, content);
    else if (content !== '') place = lines.indexOf(content, place + 1);
    if (place < 0) throw new Error(`${at}: ${file} has no line "${content}".`);
  }
  await writeFile(path, lines.join('\n'));
}
