/** A data set of one's own is declared in the configuration, and files are read by it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openDatasets } from '../../client/open-datasets.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { defineDataset } from '../../workers/define-config.js';
import { temporaryFolder } from '../support/folder.js';

const tickets = defineDataset({
  name: 'tickets',
  source: 'our help desk',
  schema: z.strictObject({ ticket: z.string(), asked: z.string(), solved: z.array(z.string()) }),
  question: ({ ticket, asked, solved }) => ({ id: ticket, question: asked, answers: solved }),
});
const ticket = { ticket: 'T-1', asked: 'Where is the key?', solved: ['In the drawer.'] };

it('is found like those that are published, and is none without its declaration', async () => {
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
