/** An example as somebody runs it: compiled, beside the package that is built. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { transformWithEsbuild } from 'vite';
import { inject, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';

export const run = promisify(execFile);
export const examples = join(packageRoot(), 'examples');

/** A program compiled in a folder of its own where the package is installed. */
export async function compiled(program: string, beside: string[] = []) {
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  const installed = join(packageRoot(), 'node_modules');
  await Promise.all([
    symlink(packageRoot(), join(modules, 'durable-rag')),
    ...['@temporalio', '@ai-sdk'].map((scope) =>
      symlink(join(installed, scope), join(modules, scope)),
    ),
  ]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of [program, ...beside]) {
    const source = await readFile(join(examples, `${name}.ts`), 'utf8');
    const { code } = await transformWithEsbuild(source, `${name}.ts`);
    await writeFile(join(folder, `${basename(name)}.js`), code);
  }
  return { folder, file: join(folder, `${basename(program)}.js`) };
}

export function environment(folder: string, env: Record<string, string>) {
  const own = { PATH: process.env.PATH, DURABLE_RAG_HOME: join(folder, 'home') };
  return { ...own, TEMPORAL_ADDRESS: inject('temporalAddress'), ...env };
}

/** What a program prints. */
export async function printed(
  program: string,
  env: Record<string, string>,
  beside: string[] = [],
): Promise<string> {
  const { folder, file } = await compiled(program, beside);
  const options = { cwd: folder, env: environment(folder, env) };
  return (await run(process.execPath, [file], options)).stdout.trim();
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
