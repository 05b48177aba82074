/**
 * What the loops that the authors have published search for, and answer, where a model repeats
 * itself, reaches a limit, or writes what is malformed: the same outputs, the same searches.
 */
import { expect, it } from 'vitest';
import type { MethodName } from '../../interpreters/methods.js';
import type { ScriptedReply, ScriptedStep } from '../../testing/scripted-model.js';
import { runScripted, says } from '../support/run-scripted.js';
import { corporaThatFind } from '../support/searches.js';
import { QUESTION as question } from '../support/telephone.js';

interface Loop {
  method: MethodName;
  options?: object;
  /** The outputs of the loop's own model, in their order. */
  script(outputs: string[]): ScriptedReply[];
  /** What other calls are told. */
  others?: ScriptedReply[];
}

const turnsOf =
  (step: ScriptedStep): Loop['script'] =>
  (outputs) =>
    says(step, ...outputs);

const tagged = (protocol: string): Loop => {
  return { method: 'taggedSearch', script: turnsOf('think'), options: { protocol } };
};
const LOOPS = {
  'search-r1': tagged('search-r1'),
  're-search': tagged('re-search'),
  'r1-searcher': tagged('r1-searcher'),
  'search-o1': {
    method: 'searchO1',
    script: (outputs) =>
      // What asks for the answer alone is no part of the authors' loop.
      [...says('think', ...outputs), ...says('think', 'I cannot tell you that.')],
    others: says('readInDocuments', ...Array(2).fill('Final Information\nx')),
  },
  react: { method: 'react', script: turnsOf('act') },
  'adaptive-rag': {
    method: 'adaptiveRag',
    script: ([label = '', ...sentences]) => [
      ...says('classifyQuestion', label),
      ...says('nextThought', ...sentences),
    ],
    others: [...says('read', 'Bell'), ...says('reason', 'Answer: Bell')],
  },
} satisfies Record<string, Loop>;

interface Case {
  outputs: string[];
  options?: object;
  searches: string[];
  answer: string | null;
}

const search = (query: string) => `<search> ${query} </search>`;
const answer = (text: string) => `<answer> ${text} </answer>`;
const boxed = (text: string) => answer(`\\boxed{${text}}`);
const keywords = (query: string) => `<|begin_of_query|>${query}<|end_of_query|>`;
const query = (text: string) => `<|begin_search_query|>${text}<|end_search_query|>`;

/** By loop, and what is said there. */
const CASES: Record<keyof typeof LOOPS, Record<string, Case>> = {
  'search-r1': {
    'searches again for the same': {
      outputs: [search('a'), search('a'), answer('Bell')],
      searches: ['a', 'a'],
      answer: 'Bell',
    },
    'searches no more after the most turns': {
      outputs: [search('a'), search('b'), search('c')],
      options: { maxSearches: 2 },
      searches: ['a', 'b'],
      answer: null,
    },
    'takes an answer inside of a thought': {
      outputs: [`<think>It may be ${answer('Gray')}, but I look.</think> ${search('a')}`],
      searches: [],
      answer: 'Gray',
    },
    'takes a search inside of a thought': {
      outputs: [`<think>I look: ${search('a')} and then</think>`, answer('Bell')],
      searches: ['a'],
      answer: 'Bell',
    },
    'takes the first of two searches': {
      outputs: [`${search('a')} ${search('b')}`, answer('Bell')],
      searches: ['a'],
      answer: 'Bell',
    },
    'begins a query where its tag is opened first': {
      outputs: [`I use <search> to look. ${search('a')}`, answer('Bell')],
      searches: ['to look. <search> a'],
      answer: 'Bell',
    },
    'passes over another tag that is never closed': {
      outputs: [`<answer> Gray? ${search('a')}`, `<search> b, no: ${answer('Bell')}`],
      searches: ['a'],
      answer: 'Bell',
    },
    'goes on where a tag is only closed': {
      outputs: ['a </search>', 'Hmm.', answer('Bell')],
      searches: [],
      answer: 'Bell',
    },
  },
  're-search': {
    'searches again for the same': {
      outputs: [search('a'), search('a'), boxed('Bell')],
      searches: ['a', 'a'],
      answer: 'Bell',
    },
    'searches though an answer stands before it': {
      outputs: [`${boxed('Gray')} I look. ${search('a')}`, 'So it is.'],
      searches: ['a'],
      answer: 'Gray',
    },
    'takes an answer inside of a thought, if nothing is searched for': {
      outputs: [`<think>It may be ${boxed('Gray')}.</think> I think.`],
      searches: [],
      answer: 'Gray',
    },
    'begins a query where its tag is opened last': {
      outputs: [`I use <search> to look. ${search('a')}`, boxed('Bell')],
      searches: ['a'],
      answer: 'Bell',
    },
    'ends without an action': { outputs: ['Hmm.'], searches: [], answer: null },
  },
  'r1-searcher': {
    'searches again for the same': {
      outputs: [keywords('a'), keywords('a'), answer('Bell')],
      searches: ['a', 'a'],
      answer: 'Bell',
    },
    'searches without quotes, tabs and dots': {
      outputs: [keywords('"Bell\'s"\tpatent...'), answer('Bell')],
      searches: ['Bells patent'],
      answer: 'Bell',
    },
    'begins a query where it is opened last': {
      outputs: [`With <|begin_of_query|> I look. ${keywords('a')}`, answer('Bell')],
      searches: ['a'],
      answer: 'Bell',
    },
    'takes an answer before a search': {
      outputs: [`${answer('Gray')} ${keywords('a')}`],
      searches: [],
      answer: 'Gray',
    },
    'ends without an action': { outputs: ['Hmm.'], searches: [], answer: null },
    'ends where nothing is searched for': { outputs: [keywords('')], searches: [], answer: null },
  },
  'search-o1': {
    'does not search again for the same': {
      outputs: [query('a'), query('a'), query('b'), '\\boxed{Bell}'],
      searches: ['a', 'b'],
      answer: 'Bell',
    },
    'searches no more after the most searches': {
      outputs: [query('a'), query('b'), query('a'), '\\boxed{Bell}'],
      options: { maxSearches: 1 },
      searches: ['a'],
      answer: 'Bell',
    },
    'begins a query where it is opened first': {
      outputs: [`With <|begin_search_query|> I look. ${query('a')}`, '\\boxed{Bell}'],
      searches: ['I look. <|begin_search_query|>a'],
      answer: 'Bell',
    },
    'takes the answer of an earlier turn': {
      outputs: [`Perhaps \\boxed{Gray}. ${query('a')}`, 'So it is.'],
      searches: ['a'],
      answer: 'Gray',
    },
    'ends where nothing is searched for': {
      outputs: [`\\boxed{Gray} ${query(' ')}`],
      searches: [],
      answer: 'Gray',
    },
    'ends where a query is only closed': {
      outputs: ['\\boxed{Gray} a<|end_search_query|>'],
      searches: [],
      answer: 'Gray',
    },
  },
  'adaptive-rag': {
    'searches for nothing in class A': { outputs: ['A'], searches: [], answer: 'Bell' },
    'searches once in class B': { outputs: ['B'], searches: [question], answer: 'Bell' },
    'searches with each sentence in class C, until one says the answer': {
      outputs: [
        'C',
        'Gray filed a caveat.',
        'Bell filed an application.',
        'So the answer is: Bell.',
      ],
      searches: [question, 'Gray filed a caveat.', 'Bell filed an application.'],
      answer: 'Bell',
    },
    'takes the first of several sentences': {
      outputs: ['C', 'Gray filed a caveat. It came late.', 'The answer is Bell.'],
      searches: [question, 'Gray filed a caveat.'],
      answer: 'Bell',
    },
    'searches with the fact before a conclusion': {
      outputs: ['C', 'Gray filed a caveat.', 'So it came too late.', 'The answer is Bell.'],
      searches: [question, 'Gray filed a caveat.', 'Gray filed a caveat.'],
      answer: 'Bell',
    },
    'searches with the question where there are only conclusions, or sums': {
      outputs: ['C', 'Thus it must be found.', 'It was 1876 - 1870 = 6.', 'The answer is Bell.'],
      searches: [question, question, question],
      answer: 'Bell',
    },
  },
  react: {
    'searches again for the same': {
      outputs: ['So.\nAction 1: Search[a]', 'So.\nAction 2: Search[a]', 'So.\nAction 3: Finish[B]'],
      searches: ['a', 'a'],
      answer: 'B',
    },
    'searches in the last turn, and ends': {
      outputs: ['So.\nAction 1: search[a]', 'So.\nAction 2: search[b]'],
      options: { maxTurns: 2 },
      searches: ['a', 'b'],
      answer: null,
    },
    'asks for the action of a thought alone': {
      outputs: ['I look.', 'search[a]', 'So.\nAction 2: finish[Bell]'],
      searches: ['a'],
      answer: 'Bell',
    },
    'goes on from what is no action': {
      outputs: [
        'So.\nAction 1: open[a]',
        'So.\nAction 2: search[a',
        'So.\nAction 3: search[a] now',
        'So.\nAction 4: finish[Bell]',
      ],
      searches: [],
      answer: 'Bell',
    },
    'takes the last bracket for the end': {
      outputs: ['So.\nAction 1: search[a [b] c]', 'So.\nAction 2: finish[Bell]'],
      searches: ['a [b] c'],
      answer: 'Bell',
    },
    'takes no action inside of a thought': {
      outputs: ['I could finish[Gray] now.\nAction 1: search[a]', 'So.\nAction 2: finish[Bell]'],
      searches: ['a'],
      answer: 'Bell',
    },
    'leaves out what is written behind an action': {
      outputs: [
        'So.\nAction 1: search[a]\nObservation 1: x\nThought 2: y\nAction 2: finish[Gray]',
        'So.\nAction 2: finish[Bell]',
      ],
      searches: ['a'],
      answer: 'Bell',
    },
  },
};

const all = Object.entries(CASES).flatMap(([loop, cases]) =>
  Object.entries(cases).map(([name, one]) => ({ loop: loop as keyof typeof LOOPS, name, ...one })),
);

it.each(all)('$loop $name', async ({ loop, outputs, options, searches, answer: said }) => {
  const { method, script, others = [], ...usual }: Loop = LOOPS[loop];
  const corpora = corporaThatFind(() => [`p${corpora.queries.length}`]);
  const { result } = await runScripted(
    method,
    [...script(outputs), ...others],
    { options: { ...usual.options, ...options }, limits: { reasks: 0 } },
    { corpora },
  );
  expect(corpora.queries).toEqual(searches);
  expect(result.answer).toBe(said);
});
