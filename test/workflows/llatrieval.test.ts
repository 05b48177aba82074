import { describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import {
  answer,
  missing,
  passing,
  runLlatrieval,
  searches,
  select,
  summaries,
  verify,
} from '../support/llatrieval-script.js';
import { QUESTION as question } from '../support/telephone.js';

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
const golden = {
  options: { supporting: 3, passages: 6, window: 5, iterations: 3 },
  corpora: searches({
    [question]: [1, 2, 3, 4, 5, 6],
    'Gray filed a caveat.': [4, 7, 2, 8, 1, 9],
  }),
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
};

describe('llatrieval', () => {
  it('follows the algorithm, traps included, and gives everything that led to the answer', async () => {
    const { options, corpora, script } = golden;
    const { result, model, asked } = await runLlatrieval(script, options, { corpora });
    expect(model.left).toEqual([]);
    expect(asked).toEqual({
      summarizeDocument: 9,
      selectDocuments: 4,
      verifyClassify: 2,
      missingInfoQuery: 2,
      answerWithCitations: 1,
    });
    expect(result).toMatchObject({
      method: 'llatrieval',
      outcome: 'answered',
      answer: 'Bell got it [1][2]. Gray was late, on the same day [3][1].',
      evidence: ['p7', 'p9', 'p6'],
      retrievals: 3,
      // The third verdict is on the same documents as the second: the cache has it.
      usage: { calls: 19, cachedCalls: 1 },
    });
    const ids = (...numbers: number[]) => numbers.map((i) => `p${i}`);
    const refs = (...numbers: number[]) =>
      numbers.map((i, rank) => ({ id: `p${i}`, title: `Title ${i}`, score: 10 - rank }));
    const document = (i: number) => ({
      id: `p${i}`,
      title: `Title ${i}`,
      summary: `Short form of ${i}.`,
    });
    expect(result.chain).toEqual({
      supporting: [document(7), document(9), document(6)],
      iterations: [
        {
          query: question,
          found: refs(1, 2, 3, 4, 5, 6),
          selections: [
            { candidates: ids(1, 2, 3, 4, 5), named: [4, 2, 4], supporting: ids(4, 2, 1) },
            { candidates: ids(6), named: [9, 4, 1], supporting: ids(6, 4, 2) },
          ],
          verification: { passed: false },
        },
        {
          query: 'Gray filed a caveat.',
          found: refs(4, 7, 2, 8, 1, 9),
          selections: [
            { candidates: ids(7, 8), named: [4, 5, 1], supporting: ids(7, 8, 6) },
            { candidates: ids(9), named: [1, 4, 3], supporting: ids(7, 9, 6) },
          ],
          verification: { passed: false },
        },
        {
          query: 'Meucci was poor.',
          found: [],
          selections: [],
          verification: { passed: false },
        },
      ],
      passed: false,
      documentsRead: 9,
      documentCandidates: 12,
      reading: 'Bell got it [1][2]. Gray was late [7], on the same day [3, 1].',
      citations: [
        { number: 1, passage: 'p7' },
        { number: 2, passage: 'p9' },
        { number: 3, passage: 'p6' },
      ],
    });
    expect(result.flags.map(({ kind, step, detail }) => `${step} ${kind}: ${detail}`)).toEqual([
      'answerWithCitations unknownCitations: [7] of 3',
      'retrieve noPassages: the search found no passage',
      'selectDocuments fewerSelected: 2 of 3, selection 1 of iteration 1',
      'selectDocuments fewerSelected: 2 of 3, selection 2 of iteration 1',
      'verifyClassify notVerified: after 3 of 3',
    ]);
  });

  it('shows short forms to selections and full texts to all else', async () => {
    const { options, corpora, script } = golden;
    const { model } = await runLlatrieval(script, options, { corpora });
    const prompts = (step: ScriptedStep) =>
      model.requests.flatMap((asked) => (asked.step === step ? [asked.prompt] : []));
    const numbersIn = (prompt = '', text: RegExp) =>
      [...prompt.matchAll(text)].map(([, i]) => Number(i));
    const [, , third] = prompts('selectDocuments');
    expect(numbersIn(third, /Short form of (\d+)\./g)).toEqual([6, 4, 2, 7, 8]);
    for (const prompt of prompts('selectDocuments')) expect(prompt).not.toContain('Text of');
    for (const step of ['verifyClassify', 'missingInfoQuery', 'answerWithCitations'] as const) {
      const last = prompts(step).at(-1);
      expect(numbersIn(last, /Text of passage (\d+)\./g)).toEqual([7, 9, 6]);
      expect(last).not.toContain('Short form');
    }
    for (const { prompt } of model.requests) expect(prompt).toContain(question);
  });

  it('stops at the first documents that pass, and asks no more', async () => {
    const { result, model } = await runLlatrieval(passing.script, passing.options);
    expect(model.left).toEqual([]);
    expect(result.chain).toMatchObject({ passed: true, documentsRead: 6, documentCandidates: 6 });
    expect(result.chain?.iterations).toHaveLength(1);
    expect(result.evidence).toEqual(['p6', 'p1', 'p2']);
    expect(result.chain?.citations).toEqual([{ number: 2, passage: 'p1' }]);
    expect(result.flags).toEqual([]);
  });

  it('selects by full texts without summaries', async () => {
    const { result, model, asked } = await runLlatrieval(
      passing.script.filter(({ step }) => step !== 'summarizeDocument'),
      { ...passing.options, summaries: false },
    );
    expect(asked).toEqual({ selectDocuments: 2, verifyClassify: 1, answerWithCitations: 1 });
    const [first] = model.requests;
    expect(first?.prompt.match(/Text of passage \d\./g)).toHaveLength(5);
    expect(result.chain?.supporting).toEqual([
      { id: 'p6', title: 'Title 6' },
      { id: 'p1', title: 'Title 1' },
      { id: 'p2', title: 'Title 2' },
    ]);
  });
});
