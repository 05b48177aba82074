/** What a program opens is set up as the workers are. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatasets } from '../../client/open-datasets.js';
import { openResults } from '../../client/open-results.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { temporaryFolder } from '../support/folder.js';
import { ticket, tickets } from '../support/tickets.js';

it('has the prompt sets that the workers were given, before those of the environment', async () => {
  const home = await temporaryFolder();
  const written = async (folder: string, text: string) => {
    await mkdir(join(home, folder, 'mine'), { recursive: true });
    await writeFile(join(home, folder, 'mine', 'read.txt'), text);
    return join(home, folder);
  };
  const env = { DURABLE_RAG_HOME: home, DURABLE_RAG_PROMPTS: await written('env', 'Of env.') };
  const prompts = await written('own', 'Of its own.');

  for (const [own, text] of [
    [{ prompts }, 'Of its own.'],
    [{}, 'Of env.'],
  ] as const) {
    const results = await openResults(env, own);
    expect((await results.prompts.load('mine', 'read')).text).toBe(text);
    await results.close();
  }
});

it('has the data sets of the configuration, none of which is there without its declaration', async () => {
  const home = await temporaryFolder();
  const file = join(home, 'tickets.jsonl');
  await writeFile(file, JSON.stringify(ticket));
  const env = { DURABLE_RAG_HOME: home };
  const kept = new MemoryStore();
  const store = async () => kept;

  const own = await openDatasets(env, { datasets: [tickets], store });
  expect(await own.put(file)).toMatchObject({ questions: 1, file: 'tickets.jsonl' });

  const without = await openDatasets(env, { store });
  await expect(without.put(file)).rejects.toMatchObject({ type: 'BadInput' });
});
