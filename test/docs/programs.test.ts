/** The programs of the docs fit the package: its exports type-check them, or they are its examples. */
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { blocksOf } from './pages.js';

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
  const made = await temporaryFolder();
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
    paths: await sources(),
    noUnusedLocals: false,
    noUnusedParameters: false,
    module: 'esnext',
    moduleResolution: 'bundler',
  };
  await writeFile(
    join(programs, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  );
  expect(await complaints(programs)).toBe('');
});

it.each(blocksOf('ts').filter(({ file }) => file !== undefined))(
  '$at is the file $file',
  async ({ file = '', text }) => {
    expect(text).toBe(await readFile(join(root, file), 'utf8'));
  },
);
