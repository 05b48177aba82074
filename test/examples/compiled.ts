/** Examples as somebody runs them: compiled, beside the package that is built. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transformWithEsbuild } from 'vite';
import { inject, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';

export const run = promisify(execFile);
export const examples = join(packageRoot(), 'examples');

/** Programs compiled in a folder of their own where the package is installed; gives the folder. */
export async function compiled(...programs: string[]): Promise<string> {
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  const installed = join(packageRoot(), 'node_modules');
  await Promise.all([
    symlink(packageRoot(), join(modules, 'durable-rag')),
    ...['@temporalio', '@ai-sdk'].map((name) =>
      symlink(join(installed, name), join(modules, name)),
    ),
  ]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of programs) {
    const source = await readFile(join(examples, `${name}.ts`), 'utf8');
    const { code } = await transformWithEsbuild(source, `${name}.ts`);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, `${name}.js`), code);
  }
  return folder;
}

export function environment(folder: string, env: Record<string, string>) {
  const own = { PATH: process.env.PATH, DURABLE_RAG_HOME: join(folder, 'home') };
  return { ...own, TEMPORAL_ADDRESS: inject('temporalAddress'), ...env };
}

/**
 * What programs print, by their names. They run one after the other in one process: the SDK and its
 * bundler take most of the time of each.
 */
export async function printed(
  programs: readonly string[],
  env: Record<string, string>,
  beside: readonly string[] = [],
): Promise<Record<string, string>> {
  const folder = await compiled(...programs, ...beside);
  const lines = programs.map((name) => `console.log('== ${name}'); await import('./${name}.js');`);
  await writeFile(join(folder, 'all.js'), lines.join('\n'));
  const options = { cwd: folder, env: environment(folder, env) };
  const { stdout } = await run(process.execPath, ['all.js'], options);
  const told = stdout.split(/^== /m).slice(1);
  return Object.fromEntries(
    told.map((text) => {
      const [name = '', ...said] = text.trim().split('\n');
      return [name, said.join('\n')];
    }),
  );
}

/** The environment of a model behind chat completions. */
export async function model(): Promise<Record<string, string>> {
  const server = await modelServer((text) => ({ text }));
  return { OPENAI_BASE_URL: server.baseUrl, DURABLE_RAG_MODEL: 'some-model' };
}

/** A server whose answer is in the passages of the prompt, or is not. */
export async function modelServer(
  reply: (text: string) => Awaited<ReturnType<Parameters<typeof startModelServer>[0]['reply']>>,
): Promise<ModelServer> {
  const server = await startModelServer({
    reply: (body) => reply(JSON.stringify(body).includes('waits for fish') ? 'Fish' : 'unknown'),
  });
  onTestFinished(() => server.close());
  return server;
}
