/** The shipped corpus and its questions. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { hasAnswer } from '../../core/normalize-answer.js';
import type { IndexManifest } from '../../retrieval/manifest.js';
import { openSearch, type SearchEngine } from '../../retrieval/open-search.js';
import { ensureSampleCorpus, sampleFiles } from '../../retrieval/sample-corpus.js';
import { temporaryFolder } from '../support/folder.js';
import { jsonLines } from '../support/json-lines.js';

const passageSchema = z.strictObject({ id: z.string(), title: z.string(), text: z.string() });
const questionSchema = z.strictObject({
  id: z.string(),
  question: z.string(),
  answers: z.array(z.string()).min(1),
});

const { corpus, questions } = sampleFiles();
const lines = async (file: string) => jsonLines(await readFile(file, 'utf8'));
const passages = (await lines(corpus)).map((line) => passageSchema.parse(line));
const asked = (await lines(questions)).map((line) => questionSchema.parse(line));

let engine: SearchEngine;
let manifest: IndexManifest;
beforeAll(async () => {
  engine = await openSearch({ corpora: await temporaryFolder() });
  manifest = await ensureSampleCorpus(engine);
});

test('the shipped passages are short and their ids and titles unique', () => {
  for (const { title, text } of passages) {
    const words = text.split(/\s+/).length;
    expect(words, title).toBeGreaterThanOrEqual(40);
    expect(words, title).toBeLessThanOrEqual(110);
  }
  expect(new Set(passages.map((passage) => passage.id)).size).toBe(passages.length);
  expect(new Set(passages.map((passage) => passage.title)).size).toBe(passages.length);
  expect(new Set(asked.map((question) => question.id)).size).toBe(asked.length);
});

test.each(asked)(
  'each question is answered by one of its ten best passages: $question',
  async ({ question, answers }) => {
    const retriever = await engine.corpora.open('sample');
    const hits = await retriever.search(question, 10);
    const found = await retriever.get(hits.map((hit) => hit.id));
    expect(found.filter((passage) => hasAnswer(passage.text, answers))).not.toEqual([]);
  },
);

test('it is built where it is missing, by two that start together too', async () => {
  expect(await ensureSampleCorpus(engine)).toEqual(manifest);
  const fresh = await openSearch({ corpora: await temporaryFolder() });
  const both = await Promise.all([ensureSampleCorpus(fresh), ensureSampleCorpus(fresh)]);
  const whole = { name: 'sample', sha256: manifest.sha256, passages: passages.length };
  expect(both).toMatchObject([whole, whole]);
  expect(both).toContainEqual(await fresh.corpora.describe('sample'));
});
