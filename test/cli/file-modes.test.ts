/** What the command line makes is for its owner alone, wherever it lies. */
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { temporaryFolder } from '../support/folder.js';

/** Files and folders below that others than the owner may do anything with. */
async function openTo(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.map((entry) => join(entry.parentPath, entry.name));
  expect(paths).not.toEqual([]);
  const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o077));
  return paths.filter((_, i) => modes[i] !== 0);
}

it('in a home that others may look into, and in a store elsewhere', async () => {
  const cli = await commandLine('http://127.0.0.1:9/v1');
  const elsewhere = await temporaryFolder();
  onTestFinished(() => cli.remove());
  await Promise.all([cli.home, elsewhere].map((folder) => chmod(folder, 0o755)));
  const corpus = join(elsewhere, 'corpus.jsonl');
  await writeFile(corpus, '{"id":"1","title":"Bell","text":"Bell made it."}\n', { mode: 0o600 });
  const env = { DURABLE_RAG_STORE: join(elsewhere, 'deep', 'store') };

  const indexed = await cli.start(['index', corpus, '--into', 'own'], env).finished;
  expect(indexed, indexed.stderr).toMatchObject({ code: 0 });
  // A worker starts with a variable that nothing reads, and says so.
  const worker = await cli.workerProcess({ ...env, DURABLE_RAG_FOO: 'secret-1' });
  worker.child.kill('SIGTERM');
  const { stderr } = await worker.finished;
  expect(indexed.stderr.split('existed before')).toHaveLength(2);

  expect(await openTo(cli.home)).toEqual([]);
  expect(await openTo(elsewhere)).toEqual([]);
  expect((await stat(cli.home)).mode & 0o777).toBe(0o755);
  // The command said it of this home.
  expect(stderr).not.toContain('existed before');
  expect(stderr).not.toContain('No workflows registered');
  expect(stderr).toContain('DURABLE_RAG_FOO: there is no such variable; unset it');
  expect(stderr).not.toContain('secret-1');
});
