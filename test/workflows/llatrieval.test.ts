import { expect } from 'vitest';
import {
  answer,
  missing,
  passing,
  searches,
  select,
  summaries,
  verify,
} from '../support/llatrieval-script.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const ids = (...numbers: number[]) => numbers.map((i) => `p${i}`);
const found = (...numbers: number[]) =>
  numbers.map((i, rank) => ({ id: `p${i}`, title: `Title ${i}`, score: 10 - rank }));
const document = (i: number) => ({
  id: `p${i}`,
  title: `Title ${i}`,
  summary: `Short form of ${i}.`,
});
const verification = { passed: false };

scenarios('llatrieval', {
  /**
   * Worked out by hand from algorithm 1 with k = 3, N = 6, w = 5, T = 3. Nothing ever passes.
   *
   * | i | search finds    | new      | shown (D first) | named | D after  |                          |
   * | - | --------------- | -------- | --------------- | ----- | -------- | ------------------------ |
   * | 1 | 1 2 3 4 5 6     | 1 to 6   | 1 2 3 4 5       | 4 2 4 | 4 2 1    | 4 repeats: 1 fills       |
   * |   |                 |          | 4 2 1, 6        | 9 4 1 | 6 4 2    | no 9: 2 of D fills       |
   * | 2 | 4 7 2 8 1 9     | 7 8 9    | 6 4 2, 7 8      | 4 5 1 | 7 8 6    | 1 came back: not offered |
   * |   |                 |          | 7 8 6, 9        | 1 4 3 | 7 9 6    |                          |
   * | 3 | nothing         |          |                 |       | 7 9 6    | verified once more       |
   */
  'follows the algorithm, traps included, and gives everything that led to the answer': {
    script: [
      ...summaries(1, 2, 3, 4, 5, 6),
      select('4 2 4'),
      select('9 4 1'),
      verify('[NO]'),
      missing('New passage: Gray filed a caveat.'),
      ...summaries(7, 8, 9),
      select('4 5 1'),
      select('1 4 3'),
      verify('[NO]'),
      missing('Meucci was poor.'),
      answer('Bell got it [1][2]. Gray was late [7], on the same day [3, 1].'),
    ],
    options: { supporting: 3, passages: 6, window: 5, iterations: 3 },
    changes: {
      corpora: searches({
        [question]: [1, 2, 3, 4, 5, 6],
        'Gray filed a caveat.': [4, 7, 2, 8, 1, 9],
      }),
    },
    result: {
      method: 'llatrieval',
      outcome: 'answered',
      evidence: ids(7, 9, 6),
      retrievals: 3,
      answer: 'Bell got it [1][2]. Gray was late, on the same day [3][1].',
      // The third verdict is on the same documents as the second: the cache has it.
      usage: { calls: 19, cachedCalls: 1 },
    },
    check({ result, prompts }) {
      expect(result.chain).toEqual({
        supporting: [document(7), document(9), document(6)],
        iterations: [
          {
            query: question,
            found: found(1, 2, 3, 4, 5, 6),
            selections: [
              { candidates: ids(1, 2, 3, 4, 5), named: [4, 2, 4], supporting: ids(4, 2, 1) },
              { candidates: ids(6), named: [9, 4, 1], supporting: ids(6, 4, 2) },
            ],
            verification,
          },
          {
            query: 'Gray filed a caveat.',
            found: found(4, 7, 2, 8, 1, 9),
            selections: [
              { candidates: ids(7, 8), named: [4, 5, 1], supporting: ids(7, 8, 6) },
              { candidates: ids(9), named: [1, 4, 3], supporting: ids(7, 9, 6) },
            ],
            verification,
          },
          { query: 'Meucci was poor.', found: [], selections: [], verification },
        ],
        passed: false,
        documentsRead: 9,
        documentCandidates: 12,
        reading: 'Bell got it [1][2]. Gray was late [7], on the same day [3, 1].',
        citations: [7, 9, 6].map((i, at) => ({ number: at + 1, passage: `p${i}` })),
      });
      expect(result.flags.map(({ kind, step, detail }) => `${step} ${kind}: ${detail}`)).toEqual([
        'answerWithCitations unknownCitations: [7] of 3',
        'retrieve noPassages: the search found no passage',
        'selectDocuments fewerSelected: 2 of 3, selection 1 of iteration 1',
        'selectDocuments fewerSelected: 2 of 3, selection 2 of iteration 1',
        'verifyClassify notVerified: after 3 of 3',
      ]);

      // Selections are shown short forms, and all else full texts.
      const numbersIn = (prompt = '', text: RegExp) =>
        [...prompt.matchAll(text)].map(([, i]) => Number(i));
      const selecting = prompts('selectDocuments');
      expect(numbersIn(selecting[2], /Short form of (\d+)\./g)).toEqual([6, 4, 2, 7, 8]);
      for (const prompt of selecting) expect(prompt).not.toContain('Text of');
      for (const step of ['verifyClassify', 'missingInfoQuery', 'answerWithCitations']) {
        const last = prompts(step).at(-1);
        expect(numbersIn(last, /Text of passage (\d+)\./g)).toEqual([7, 9, 6]);
        expect(last).not.toContain('Short form');
      }
      for (const prompt of prompts()) expect(prompt).toContain(question);
    },
  },
  'stops at the first documents that pass, and asks no more': {
    ...passing,
    result: {
      evidence: ids(6, 1, 2),
      flags: [],
      chain: {
        passed: true,
        documentsRead: 6,
        documentCandidates: 6,
        iterations: { length: 1 },
        citations: [{ number: 2, passage: 'p1' }],
      },
    },
  },
  'selects by full texts without summaries': {
    script: passing.script.filter(({ step }) => step !== 'summarizeDocument'),
    options: { ...passing.options, summaries: false },
    check({ result, prompts }) {
      expect(prompts()[0]?.match(/Text of passage \d\./g)).toHaveLength(5);
      const supporting = [6, 1, 2].map((i) => ({ id: `p${i}`, title: `Title ${i}` }));
      expect(result.chain?.supporting).toEqual(supporting);
    },
  },
});
