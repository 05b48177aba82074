import { describe, expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { MethodInput } from '../../core/options/input.js';
import type { Corpora } from '../../retrieval/retriever.js';
import type { Line, ScriptedStep } from '../../testing/scripted-model.js';
import type { LlatrievalOptions } from '../../workflows/llatrieval/method.js';
import { passages as corpus, fixedCorpora } from '../support/ports.js';
import { runScripted as playMethod } from '../support/run-scripted.js';
import { QUESTION as question } from '../support/telephone.js';

/** Searches that find what is written down for their query. */
function searches(found: Record<string, number[]>, texts = corpus): Corpora {
  return {
    async open(name) {
      const retriever = await fixedCorpora(texts).open(name);
      return {
        ...retriever,
        search: async (query, k) =>
          (found[query] ?? []).slice(0, k).map((i, rank) => ({
            id: `p${i}`,
            title: `Title ${i}`,
            score: 10 - rank,
          })),
      };
    },
  };
}

type Setting = { input?: Partial<MethodInput<LlatrievalOptions>>; corpora?: Corpora };

const runScripted = (
  script: Line[],
  options: Partial<LlatrievalOptions>,
  { input, corpora = fixedCorpora() }: Setting = {},
) => playMethod('llatrieval', script, { options, ...input }, { corpora });

const summary = (i: number, more: Partial<Line> = {}): Line => ({
  step: 'summarizeDocument',
  when: new RegExp(`Text of passage ${i}\\.`),
  say: `Short form of ${i}.`,
  ...more,
});
const summaries = (...numbers: number[]) => numbers.map((i) => summary(i));
const select = (say: string): Line => ({
  step: 'selectDocuments',
  say: `Selected passages: ${say}`,
});
const verify = (say: string): Line => ({ step: 'verifyClassify', say });
const rate = (say: string): Line => ({ step: 'verifyScore', say });
const missing = (say: string): Line => ({ step: 'missingInfoQuery', say });
const answer = (say: string): Line => ({ step: 'answerWithCitations', say });

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

/** One iteration that passes: 6 summaries, selections of 5 and of 3 + 1, a verdict, an answer. */
const passing = {
  options: { supporting: 3, passages: 6, window: 5 },
  script: [
    ...summaries(1, 2, 3, 4, 5, 6),
    select('1 2 3'),
    select('4 1 2'),
    verify('[YES]'),
    answer('Bell got it [2].'),
  ],
};

describe('llatrieval', () => {
  it('follows the algorithm, traps included, and gives everything that led to the answer', async () => {
    const { options, corpora, script } = golden;
    const { result, model, asked } = await runScripted(script, options, { corpora });
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
    const { model } = await runScripted(script, options, { corpora });
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
    const { result, model } = await runScripted(passing.script, passing.options);
    expect(model.left).toEqual([]);
    expect(result.chain).toMatchObject({ passed: true, documentsRead: 6, documentCandidates: 6 });
    expect(result.chain?.iterations).toHaveLength(1);
    expect(result.evidence).toEqual(['p6', 'p1', 'p2']);
    expect(result.chain?.citations).toEqual([{ number: 2, passage: 'p1' }]);
    expect(result.flags).toEqual([]);
  });

  it('selects by full texts without summaries', async () => {
    const { result, model, asked } = await runScripted(
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

  it('shows a document in full whose short form could not be read', async () => {
    const [, ...others] = passing.script;
    const silent = summary(1, { say: '' });
    const { result, model } = await runScripted(
      [silent, silent, silent, ...others],
      passing.options,
    );
    const selected = model.requests.find(({ step }) => step === 'selectDocuments');
    expect(selected?.prompt).toMatch(/Text of passage 1\.[\s\S]*Short form of 2\./);
    expect(result.flags.map(({ kind }) => kind)).toEqual(['fallback', 'reasked', 'reasked']);
    expect(result.chain?.supporting[1]).toEqual({ id: 'p1', title: 'Title 1' });
  });

  it('holds a score against the threshold, and is as confident', async () => {
    const options = { supporting: 2, passages: 3, window: 4, iterations: 3 };
    const { result } = await runScripted(
      [
        ...summaries(1, 2, 3),
        select('1 2'),
        rate('[6.5]'),
        missing('Who was Gray?'),
        ...summaries(4),
        select('3 1'),
        rate('Rating: [8]'),
        answer('Gray [1].'),
      ],
      { ...options, verification: 'score', threshold: 8, queryStyle: 'question' },
      { corpora: searches({ [question]: [1, 2, 3], 'Who was Gray?': [4, 1] }) },
    );
    expect(result.chain?.iterations.map(({ verification }) => verification)).toEqual([
      { passed: false, score: 6.5 },
      { passed: true, score: 8 },
    ]);
    expect(result).toMatchObject({ answer: 'Gray [1].', confidence: 0.8, evidence: ['p4', 'p1'] });
  });

  it('takes verdicts that cannot be read for not passed', async () => {
    const garbage = rate('Hm.');
    const options = { supporting: 2, passages: 2, iterations: 1, verification: 'score' as const };
    const { result, asked } = await runScripted(
      [garbage, garbage, garbage, answer('Bell [1].')],
      options,
    );
    expect(asked).toEqual({ verifyScore: 3, answerWithCitations: 1 });
    expect(result.chain?.iterations[0]?.verification).toEqual({ passed: false, score: null });
    expect(result.confidence).toBeUndefined();
    expect(result.flags.map(({ kind }) => kind).sort()).toEqual([
      'fallback',
      'notVerified',
      'reasked',
      'reasked',
    ]);
  });

  it('makes the first search with a hypothetical passage, however long it is', async () => {
    const hypothetical = `Bell was granted the patent. ${'He filed it on the same day. '.repeat(60)}`;
    const query = hypothetical.trim();
    const { result, asked } = await runScripted(
      [
        { step: 'hypotheticalPassage', say: `Passage: ${hypothetical}` },
        verify('[YES]'),
        answer('Bell [2].'),
      ],
      { firstQuery: 'hypothetical-passage', answerForm: 'list' },
      { corpora: searches({ [query]: [5, 3] }) },
    );
    expect(asked).toEqual({ hypotheticalPassage: 1, verifyClassify: 1, answerWithCitations: 1 });
    expect(result.chain?.iterations[0]?.query).toBe(query);
    expect(result.chain?.citations).toEqual([{ number: 2, passage: 'p3' }]);
  });

  it('searches with the question where no query could be read', async () => {
    const { result } = await runScripted(
      [
        { step: 'hypotheticalPassage', say: '' },
        { step: 'hypotheticalPassage', say: '' },
        { step: 'hypotheticalPassage', say: '' },
        verify('[NO]'),
        missing(''),
        missing(''),
        missing(''),
        answer('Bell [1].'),
      ],
      { passages: 2, iterations: 2, firstQuery: 'hypothetical-passage' },
    );
    expect(result.chain?.iterations.map(({ query }) => query)).toEqual([question, question]);
    expect(result.answer).toBe('Bell [1].');
  });

  it('shows examples where the answer is written, and what to aim at where it is judged', async () => {
    const example = {
      question: 'Who painted it?',
      passages: [{ title: 'Painting', text: 'Text of the example. </passage>' }],
      answer: 'Vermeer did [1].',
    };
    const { model } = await runScripted([verify('[YES]'), answer('Bell [1].')], {
      passages: 2,
      demonstrations: [example],
    });
    const [judged, answered] = model.requests.map(({ prompt }) => prompt);
    expect(judged).toContain('Question: Who painted it?\nAnswer: Vermeer did.\n');
    expect(judged).not.toContain('Text of the example.');
    expect(answered).toContain('Question: Who painted it?\nAnswer: Vermeer did [1].\n');
    expect(answered).toContain('Text of the example. < /passage>');
    expect(answered).not.toContain('{{');
  });

  it('asks for a selection again that names nothing, then fills', async () => {
    const empty = select('# #');
    const { result, asked } = await runScripted(
      [
        ...summaries(1, 2, 3),
        empty,
        empty,
        empty,
        verify('[YES]'),
        answer('None of the three was Bell [1].'),
      ],
      { supporting: 2, passages: 3 },
    );
    expect(asked.selectDocuments).toBe(3);
    expect(result.chain?.iterations[0]?.selections).toEqual([
      { candidates: ['p1', 'p2', 'p3'], named: [], supporting: ['p1', 'p2'] },
    ]);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'None of the three was Bell [1].',
    });
  });

  it('tells an answer that there is none, and one that cannot be read', async () => {
    const options = { passages: 2, iterations: 1 };
    const unknown = await runScripted([verify('[NO]'), answer('Unknown.')], options);
    expect(unknown.result).toMatchObject({ outcome: 'unknown', answer: null });
    expect(unknown.result.chain?.reading).toBe('Unknown.');
    const silent = await runScripted(
      [verify('[NO]'), answer(''), answer(''), answer('[1]')],
      options,
    );
    expect(silent.result).toMatchObject({ outcome: 'unreadable', evidence: ['p1', 'p2'] });
  });
});

describe('llatrieval and bad inputs', () => {
  it('takes all of a corpus smaller than k without asking which', async () => {
    const { result, asked } = await runScripted(
      [verify('[NO]'), missing('More.'), answer('Bell [1].')],
      { iterations: 2 },
      { corpora: fixedCorpora(corpus.slice(0, 3)) },
    );
    expect(asked).toEqual({ verifyClassify: 1, missingInfoQuery: 1, answerWithCitations: 1 });
    expect(result.chain?.iterations[0]?.selections).toEqual([
      { candidates: ['p1', 'p2', 'p3'], named: null, supporting: ['p1', 'p2', 'p3'] },
    ]);
    expect(result.chain).toMatchObject({ documentsRead: 3, documentCandidates: 6 });
  });

  it('fails with the reason when a summary that is not needed yet fails', async () => {
    const { options, script } = passing;
    const refused = new Failure('ContentRefused', 'No.');
    const failing = script.map((line) =>
      String(line.when).includes('6') ? { ...line, say: refused } : line,
    );
    const { result } = await runScripted(failing, options);
    expect(result).toMatchObject({
      outcome: 'failed',
      failure: { type: 'ContentRefused', step: 'summarizeDocument' },
    });
  });
});
