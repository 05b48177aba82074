/** Ranking beside Lucene's on the smallest of the shared corpora; bench/recall.ts has the rest. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { indexCorpora, readGzip } from '../../bench/recall-data.js';
import { openSearch } from '../../retrieval/open-search.js';
import { temporaryFolder } from '../support/folder.js';
import { NO_DATA, sharedData } from './helpers.js';

const asked = z.object({ id: z.string(), question: z.string() });
const ranked = z.object({ id: z.string(), hits: z.array(z.object({ id: z.string() })) });

test('most of the best passages are those of Lucene', async ({ skip }) => {
  const data = sharedData();
  if (data === undefined) return skip(NO_DATA);
  const folder = await temporaryFolder();
  const engine = await openSearch({ corpora: folder });
  await indexCorpora(['musique'], data, folder, engine, () => {});
  const retriever = await engine.corpora.open('musique');

  const questions = new Map<string, string>();
  for await (const record of readGzip(path.join(data, 'dev', 'musique.jsonl.gz'))) {
    const { id, question } = asked.parse(record);
    questions.set(id, question);
  }
  const overlaps: number[] = [];
  let sameFirst = 0;
  const reference = path.join(data, 'reference', 'dev', 'lucene-top20.musique.musique.jsonl.gz');
  for await (const record of readGzip(reference)) {
    const { id, hits } = ranked.parse(record);
    const lucene = hits.slice(0, 10).map((hit) => hit.id);
    const ours = (await retriever.search(questions.get(id) ?? '', 10)).map((hit) => hit.id);
    overlaps.push(ours.filter((hit) => lucene.includes(hit)).length / 10);
    if (ours[0] === lucene[0]) sameFirst++;
  }
  expect(overlaps).toHaveLength(172);
  // 0.97 and 0.98 when written; with LanceDB's own k1 and b it was 0.72 and 0.77.
  expect(overlaps.reduce((sum, overlap) => sum + overlap) / 172).toBeGreaterThan(0.95);
  expect(sameFirst / 172).toBeGreaterThan(0.95);
});
