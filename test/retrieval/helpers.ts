/** Corpus files and an in-memory store for the retrieval tests. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { temporaryFolder } from '../support/folder.js';

/** A corpus file made of records, one a line, in a folder of its own. */
export async function corpusFile(
  records: readonly unknown[],
  name = 'corpus.jsonl',
): Promise<string> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** Indexes records as 'test' and opens them. */
export async function retrieverOver(records: readonly unknown[]): Promise<Retriever> {
  const folder = await temporaryFolder();
  await buildIndex({ file: await corpusFile(records), into: 'test', folder });
  return openCorpora(folder).open('test');
}

/** Made-up passages: the n-th is about "animal n". */
export function animals(count: number, kind = 'heron'): { id: string; text: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${kind}-${n}`,
    text: `The ${kind} number ${n} lives by the water and eats fish.`,
  }));
}

/** A store in memory that tells how often it was written. */
export function memoryStore(): MemoryStore & { writes: number } {
  const store = Object.assign(new MemoryStore(), { writes: 0 });
  const set = store.set.bind(store);
  store.set = (key, value) => {
    store.writes++;
    return set(key, value);
  };
  return store;
}

/** The shared evaluation data, undefined where it is absent. */
export function sharedData(): string | undefined {
  const folder = process.env.EVALUATION_DATA ?? path.resolve('../shared/data');
  return existsSync(path.join(folder, 'reference', 'recall.json')) ? folder : undefined;
}

/** What a test that needs the shared data is skipped with. */
export const NO_DATA =
  'The shared evaluation data is not here: set EVALUATION_DATA to its folder (the one with corpora/, dev/ and reference/).';

export function idsOf(refs: readonly { id: string }[]): string[] {
  return refs.map(({ id }) => id);
}
