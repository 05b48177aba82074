/** DPR's containment rule, by cases and on every mark of the shared data. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readGzip } from '../../bench/recall-data.js';
import { hasAnswer } from '../../core/normalize-answer.js';
import { NO_DATA, sharedData } from '../retrieval/helpers.js';

test.each<[string, string, string[], boolean]>([
  ['words in another order', 'York, New', ['New York'], false],
  ['part of a word', 'Parisian', ['Paris'], false],
  ['words in a row, in any letters', 'the NEW\nYork Times', ['Yorks', 'new york'], true],
  ['punctuation is a token', 'the U.S. Army', ['U.S.'], true],
  ['punctuation between words counts', 'Jackson, Michael', ['Jackson Michael'], false],
  ['composed and decomposed letters', 'Andr\u00e9', ['Andre\u0301'], true],
  ['accents count', 'André', ['Andre'], false],
  ['other scripts', 'столица Москва', ['москва'], true],
  ['no answers', 'text', [], false],
  ['an empty answer', 'text', [''], false],
])('%s', (_, text, answers, expected) => {
  expect(hasAnswer(text, answers)).toBe(expected);
});

const marked = z.object({
  answers: z.array(z.string()),
  passages: z.array(z.object({ text: z.string(), hasAnswer: z.boolean().optional() })),
});

test('agrees with all marks of the shared data', async ({ skip }) => {
  const data = sharedData();
  if (data === undefined) return skip(NO_DATA);
  const folder = path.join(data, 'dev');
  const wrong: string[] = [];
  let marks = 0;
  for (const file of await readdir(folder)) {
    for await (const record of readGzip(path.join(folder, file))) {
      const { answers, passages } = marked.parse(record);
      for (const { text, hasAnswer: mark } of passages) {
        if (mark === undefined) continue;
        marks++;
        if (hasAnswer(text, answers) !== mark) wrong.push(`${file}: ${text}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(marks).toBeGreaterThan(40_000);
});
