/** What the page of a question holds, before a browser shows it. */

import { expect, test } from 'vitest';
import { unanswered } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { pageMarkup } from '../../report/question/page-markup.js';
import {
  indexRow,
  type QuestionPage,
  questionPage,
  type RunPanel,
} from '../../report/question/question-page.js';
import { passageList, section } from '../../report/views/section-parts.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { defineMethod } from '../../workflows/define-method.js';
import { longestModel } from '../support/longest-model.js';
import { optionSets } from '../support/option-sets.js';
import { testPorts } from '../support/ports.js';
import { shown } from '../support/rendered.js';
import { answerOf, questionOf, usageOf } from '../support/runs/answers.js';
import { type Chained, refs, tell } from '../support/runs/chains.js';
import { manifestOf, textsOf } from '../support/runs/example-runs.js';
import { facts } from '../support/runs/facts.js';

const [fact] = facts(1);
if (!fact) throw new Error('There is no fact.');
const question = questionOf(fact.id, { question: fact.question, answers: [fact.answer] });

const base = manifestOf({ run: 'r', method: 'base' });

const answered = (result: object) => answerOf(question.id, 'answered', { em: 1 }, { result });

/** The page of a question that runs answered, each in one way. */
const pageWith = (
  answers: RunAnswer[],
  { manifests = answers.map(() => base), texts = textsOf(1), own = [] }: Partial<PageParts> = {},
) => questionPage(manifests, { question, answers }, texts, methodRegistry(own));

interface PageParts {
  manifests: RunManifest[];
  texts: ReturnType<typeof textsOf>;
  own: Parameters<typeof methodRegistry>[0];
}

const pageOf = (method: string, chain: unknown, answer = fact?.answer ?? null) =>
  pageWith([answered({ method, chain, answer })]);

function runOf(page: QuestionPage): RunPanel {
  const [run] = page.runs;
  if (!run) throw new Error('The page has no run.');
  return run;
}

const PASSAGES = ['f0-p1', 'f0-p2', 'f0-p3', 'f0-p4', 'f0-p5'];

test.each<[Chained, string[], string[]]>([
  ['sure', ['Candidates: 2', 'Votes: 2', 'Passages: 5'], PASSAGES],
  ['base', ['Passages: 5'], PASSAGES],
  [
    'allies',
    ['Beam search: 6 states; a score reached the threshold', 'What the answer rests on'],
    PASSAGES.slice(0, 2),
  ],
  // The documents that were found and not taken are shown by their titles.
  [
    'llatrieval',
    ['Supporting documents: verified', 'Iterations: 1, 5 documents offered'],
    PASSAGES.slice(0, 2),
  ],
  ['genread', ['Generated documents: 2'], []],
  ['chainOfNote', ['Reading notes: 3', 'Passages: 5'], PASSAGES],
])('%s: its sections, and the passages that have texts', async (method, sections, passages) => {
  const told = tell(method, fact, true);
  expect(shown(method, told.chain)).toContain('7 calls');
  const page = await pageOf(method, told.chain, told.answer);
  const titles = runOf(page).sections.map(({ title, note }) =>
    note ? `${title}: ${note}` : title,
  );
  expect(titles).toEqual([...sections, 'History']);
  const withTexts = page.passages.filter(({ text }) => text !== null);
  expect(withTexts.map(({ id }) => id)).toEqual(passages);
  expect(withTexts.flatMap(({ id, hit }) => (hit ? id : []))).toEqual(passages.slice(0, 1));
});

test('a citation leads to the passage of its number', async () => {
  const told = tell('llatrieval', fact, true);
  const page = await pageOf('llatrieval', told.chain, told.answer);
  const { cites } = runOf(page).answer;
  expect(cites).toEqual([
    { number: 1, passage: 'f0-p1' },
    { number: 2, passage: 'f0-p2' },
  ]);
});

test('the chain of a method of one’s own means to the page what it means to nobody', async () => {
  for (const citations of ['[1]', [{ number: 1 }], 3, [null]]) {
    const page = await pageOf('mine', { citations, passages: 'none', order: [1] }, 'Bell [1].');
    expect(runOf(page).answer).toEqual({ text: 'Bell [1].' });
  }
});

test('the beam of ALLIES is a tree of its states', async () => {
  const [section] = runOf(await pageOf('allies', tell('allies', fact, true).chain)).sections;
  const [block] = section?.blocks ?? [];
  if (block?.type !== 'tree') throw new Error('It is no tree.');
  const shape = block.items.map(({ title, children }) => [
    title,
    children.map((child) => [child.title, child.chosen]),
  ]);
  expect(shape).toEqual([
    [
      'From what the model knows',
      [
        [`What crosses the ${fact.river}?`, false],
        ['Who builds bridges?', false],
      ],
    ],
    [
      fact.question,
      [
        [`Who drew the plans of the ${fact.bridge}?`, true],
        [`Which plans for the ${fact.river} were set aside?`, false],
      ],
    ],
  ]);
});

test('a passage shows its own id and score, and the id of the store behind them', async () => {
  const own = (id: string, title: string, score: number) => ({
    id,
    title,
    score,
    own: { id: 'doc-7', score },
  });
  const chain = { passages: [own('p-1', 'Sky', 5), own('p-2', '', -0.5)], reading: 'x' };
  const page = await pageOf('base', chain, 'x');
  // Equal ids of other texts are two passages.
  expect(page.passages.map(({ id, own }) => [id, own])).toEqual([
    ['p-1', { id: 'doc-7', score: 5 }],
    ['p-2', { id: 'doc-7', score: -0.5 }],
  ]);
  const { markup } = pageMarkup(page, 0, [
    { run: 'r', name: 'r', stored: 'r', colour: '', data: 0 },
  ]);
  expect(markup).toContain('<code class="id" title="p-1">doc-7</code>');
  expect(markup).toMatch(/class="title">Sky<.*score 5<.*class="title">doc-7<.*score -0\.5</s);
});

test('passages that two runs name are there once, of two corpora twice', async () => {
  const told = answered({ method: 'base', chain: { passages: refs(fact), reading: fact.answer } });
  const passagesOver = async (corpus: string) => {
    const manifests = [
      manifestOf({ run: 'a', method: 'base' }),
      manifestOf({ run: 'b', method: 'base', input: { corpus } }),
    ];
    return (await pageWith([told, told], { manifests })).passages.length;
  };
  expect(await passagesOver('sample')).toBe(5);
  expect(await passagesOver('other')).toBe(10);
});

test('of a long list only the first passages have their texts', async () => {
  const passages = Array.from({ length: 60 }, (_, i) => ({ id: `p${i}`, title: `${i}`, score: 1 }));
  const asked: string[][] = [];
  const texts = async (_run: unknown, ids: readonly string[]) => {
    asked.push([...ids]);
    return new Map();
  };
  await pageWith([answered({ method: 'base', chain: { passages, reading: 'x' } })], { texts });
  expect(asked.map((ids) => ids.length)).toEqual([20]);
});

test.each(optionSets)(
  'a chain of %s with %j has a page, and fits a terminal',
  async (method, options) => {
    const input = { question: fact.question, options, retrieval: { corpus: 'sample' } };
    const { chain, answer, retrievals } = await answerInProcess(
      method,
      input,
      testPorts(longestModel()),
    );
    const { sections } = runOf(await pageOf(method, chain, answer ?? undefined));
    const titles = sections.slice(0, -1).map(({ title }) => title);
    if (retrievals > 0) expect(titles).not.toEqual([]);
    // What stands in for a view that cannot tell its chain.
    expect(titles.filter((title) => ['View', 'Chain'].includes(title))).toEqual([]);
    expect(shown(method, chain)).toContain('7 calls');
  },
);

test('a chain of an unknown method, or of another version, does not take the report with it', async () => {
  const titlesOf = async (method: string, chain: unknown) => {
    const { sections } = runOf(await pageOf(method, chain, 'x'));
    return sections.slice(0, -1).map(({ title }) => title);
  };
  expect(await titlesOf('other', { a: 1, passages: refs(fact) })).toEqual(['Chain', 'Passages']);
  expect(await titlesOf('sure', { passages: refs(fact) })).toEqual(['View', 'Passages']);
  expect(await titlesOf('sure', null)).toEqual([]);
});

test('a view of a method of one’s own names passages as those here do', async () => {
  const own = defineMethod({
    name: 'own',
    options: {},
    algorithm: async () => unanswered('unknown', [], { best: { id: 'p', title: '', score: 1 } }),
    view: ({ best }: { best: PassageRef }) => section('Best', passageList([best])),
  });
  const best = answered({ method: 'own', chain: { best: refs(fact)[1] }, answer: 'x' });
  const page = await pageWith([best], { own: [own] });
  expect(runOf(page).sections[0]).toEqual({
    title: 'Best',
    blocks: [
      {
        type: 'passages',
        items: [{ passage: { id: 'f0-p2', title: expect.any(String) }, chips: [] }],
      },
    ],
  });
  expect(page.passages).toMatchObject([{ id: 'f0-p2', text: expect.stringContaining('rival') }]);
});

test('a failed question says why, a judged one what was found', async () => {
  const failed = {
    ...answerOf('a', 'failed', { em: 0 }),
    result: null,
    failure: { type: 'Terminated', message: 'By hand.', step: null },
  };
  const statements = [
    { claim: 'It is so.', cited: [0, 1], supported: true, needed: [true, false] },
    { claim: 'It is.', cited: [], missing: [7], supported: false, needed: [] },
    { claim: 'It will be.', cited: [], supported: false, needed: [] },
  ];
  const claims = [{ claim: 'It was.', entailed: false }];
  const verdicts = { statements, claims, flags: [], steps: {} };
  const judgement = { scores: { citationF1: 0.5 }, usage: usageOf({ calls: 2 }), verdicts };
  const judged = answerOf('a', 'answered', {}, { judgement });
  const { runs } = await pageWith([failed, judged]);
  expect(runs[0]).toMatchObject({
    state: 'failed',
    answer: { text: 'Terminated' },
    sections: [{ title: 'Failure', blocks: [{ label: 'Terminated', text: 'By hand.' }] }],
  });
  expect(runs[1]?.sections[0]?.blocks).toEqual([
    {
      type: 'table',
      head: ['Statement', 'Support', 'Cites'],
      rows: [
        ['It is so.', 'supported', '[1], [2] not needed'],
        ['It is.', 'not supported', '[7], which does not exist'],
        ['It will be.', 'not supported', 'nothing'],
      ],
    },
    { type: 'table', head: ['Claim', 'Found'], rows: [['It was.', 'missing']] },
  ]);
});

test('the line of the list is short and has whole characters only', () => {
  const long = `${'x'.repeat(158)}\u{1F309}\u{1F309}`;
  const joined = {
    data: 'b',
    question: { ...question, id: 'a\uD83C', question: long },
    answers: [undefined, answerOf('a', 'unknown', { em: 0 })],
  };
  const row = indexRow([], joined, ['a', 'b']);
  expect(row).toMatchObject({
    id: 'a\uFFFD',
    key: '2:a\uFFFD',
    data: 1,
    split: 0,
    question: `${'x'.repeat(158)}…`,
    runs: [null, { state: 'unknown', answer: 'does not know' }],
  });
});

test('a fork: what changed comes first, side by side from the forked step on', async () => {
  const [parent, fork] = [tell('sure', fact, true), tell('sure', fact, false)];
  const manifests = [
    manifestOf({ run: 'p', method: 'sure' }),
    manifestOf({ run: 'f', method: 'sure', input: { fork: { run: 'p', at: 'rankPair' } } }),
  ];
  const answer = ({ chain, answer }: typeof parent) => answered({ method: 'sure', chain, answer });
  const page = (answers: RunAnswer[]) => pageWith(answers, { manifests });
  const changed = await page([answer(parent), answer(fork)]);
  const titles = changed.sides.map(({ sections, ...pair }) => ({
    ...pair,
    titles: sections.map((both) => both.map((section) => section?.title)),
  }));
  // The passages are the same.
  const both = (title: string) => [title, title];
  expect(titles).toEqual([{ fork: 1, parent: 0, titles: [both('Candidates'), both('Votes')] }]);
  const runs = ['p', 'f'].map((run) => ({
    run,
    name: `the ${run}`,
    stored: run,
    colour: '',
    data: 0,
  }));
  const [, first = '', second = ''] = pageMarkup(changed, 0, runs).markup.split('class="side"');
  expect(first).toContain('the p</p>');
  expect(second).toContain('the f</p>');
  for (const side of [first, second]) expect(side).toContain('<h4>Votes</h4>');
  expect((await page([answer(parent), answer(parent)])).sides).toEqual([]);
  const rowOf = (answers: RunAnswer[]) =>
    indexRow(manifests, { question, answers, data: 'a' }, ['a']).changed;
  expect(rowOf([answer(parent), answer(fork)])).toBe(true);
  expect(rowOf([answer(parent), answer(parent)])).toBeUndefined();
});
