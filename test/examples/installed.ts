/** An example as a stranger has it: copied, with the packed package installed beside it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { pack } from '../package/packed.js';
import { type CommandLine, commandLine } from '../support/command-line.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';

const run = promisify(execFile);

export interface Installed {
  folder: string;
  /** Of the installed package. */
  root: string;
  remove(): Promise<void>;
}

/**
 * Packs what is built and installs it; its dependencies are linked, since a test has no network.
 *
 * @param name An example that is copied beside it.
 */
export async function installedExample(name?: string): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-example-'));
  const modules = join(folder, 'node_modules');
  const root = join(modules, 'durable-rag');
  if (name) await cp(join(packageRoot(), 'examples', name), folder, { recursive: true });
  await mkdir(root, { recursive: true });
  const { tarball } = await pack(packageRoot());
  await run('tar', ['-xzf', tarball, '-C', root, '--strip-components=1']);
  const here = join(packageRoot(), 'node_modules');
  for (const entry of await readdir(here)) {
    if (!entry.startsWith('.')) await symlink(join(here, entry), join(modules, entry));
  }
  return { folder, root, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** An installed example with a command line and a worker, beside a model server. */
export interface WorkingExample {
  server: ModelServer;
  example: Installed;
  cli: CommandLine;
}

/** Sets one up for the tests of a file, which find its parts here, and takes it away after them. */
export function workingExample(name: string, reply: (prompt: string) => string): WorkingExample {
  const parts = {} as WorkingExample;
  beforeAll(async () => {
    parts.server = await startModelServer({
      reply: (request) => ({ text: reply(promptOf(request)) }),
    });
    parts.example = await installedExample(name);
    const { folder: cwd, root } = parts.example;
    parts.cli = await commandLine(parts.server.baseUrl, { cwd, root });
    await parts.cli.worker();
  });
  afterAll(async () => {
    const { server, example, cli }: Partial<typeof parts> = parts;
    await cli?.remove();
    await example?.remove();
    await server?.close();
  });
  return parts;
}
