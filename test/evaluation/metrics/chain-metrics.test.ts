/** What a method tells of its chain, as metrics: values by hand, and what they are of. */
import { expect, it } from 'vitest';
import { type ChainMetric, defineMetric, type EndedQuestion } from '../../../core/metric.js';
import { chainMetrics } from '../../../evaluation/metrics/chain-metrics.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { applicableMetrics, chainValues } from '../../../evaluation/score-answer.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { tell } from '../../support/runs/chains.js';
import { facts } from '../../support/runs/facts.js';

const methods = methodRegistry();
const bell = {
  id: 'q',
  question: 'Who?',
  answerKind: 'span',
  answers: ['Bell', 'A. G. Bell'],
} as const;

const ended = (chain: unknown, more: Partial<EndedQuestion> = {}): EndedQuestion => ({
  question: { ...bell, answers: [...bell.answers] },
  outcome: 'answered',
  answer: 'Bell',
  chain,
  searches: 3,
  passages: [],
  calls: [],
  ...more,
});

/** What is told of a question by those metrics of a method that apply to it. */
function told(method: string, chain: unknown, options: object, more: Partial<EndedQuestion> = {}) {
  const of = ended(chain, more);
  const all = chainMetrics(methods.get(method) ?? {}, options);
  const { chain: applying } = applicableMetrics(
    of.question,
    { cites: false, chainMetrics: all },
    metricRegistry(),
  );
  return chainValues(applying, of);
}

const found = (id: string) => ({ id, title: '', score: 1 });
const round = (passed: boolean | null, ids: string[]) => ({
  query: 'q',
  found: ids.map(found),
  selections: [],
  verification: passed === null ? null : { passed },
});
const searched = (...iterations: ReturnType<typeof round>[]) => ({
  supporting: [
    { id: 'a', title: '', summary: 'Bell got it.' },
    { id: 'b', title: '' },
  ],
  iterations,
  passed: iterations.at(-1)?.verification?.passed ?? false,
  documentsRead: 4,
  documentCandidates: iterations.reduce((so, { found: all }) => so + all.length, 0),
  reading: null,
  citations: [],
});
const T4 = { iterations: 4, passages: 50 };

it.each([
  [
    'llatrieval',
    searched(round(false, ['a', 'b', 'c']), round(true, ['c', 'd'])),
    T4,
    {
      verificationPassed: 1,
      firstVerificationPassed: 0,
      iterations: 2,
      documentsSeen: 4,
      documentsFound: 5,
      searches: 3,
      'hasAnswer@summaries': 1,
      'coverage@summaries': { part: 1, whole: 2 },
    },
  ],
  // Where nothing was found there was nothing to verify.
  [
    'llatrieval',
    searched(round(null, [])),
    T4,
    {
      iterations: 1,
      documentsSeen: 4,
      documentsFound: 0,
      searches: 3,
      'hasAnswer@summaries': 1,
      'coverage@summaries': { part: 1, whole: 2 },
    },
  ],
  // The best of two candidates, as if it had been chosen.
  [
    'sure',
    {
      passages: [],
      votes: [],
      candidates: [{ text: 'Elisha Gray', summary: 'Gray.' }, { text: 'bell' }],
    },
    {},
    {
      oracleEm: 1,
      oracleF1: 1,
      'hasAnswer@summaries': 0,
      'coverage@summaries': { part: 0, whole: 2 },
    },
  ],
  ['mcq', { candidates: [{ text: 'Graham Bell' }] }, {}, { oracleEm: 0, oracleF1: 2 / 3 }],
  ['mcq', { candidates: [] }, {}, { oracleEm: 0, oracleF1: 0 }],
  ['base', { passages: [] }, {}, {}],
] as const)('%s tells %j', (method, chain, options, values) => {
  expect(told(method, chain, options)).toEqual({ values, unscored: {} });
});

const TREE = { decoding: 'tree', documents: 0 } as const;

it.each([
  // The question, two sub-queries of each seed, and two of each of two states.
  ['allies', { subQueries: 2, depth: 2, beamSize: 2 }, 9],
  ['allies', { subQueries: 3, depth: 1, beamSize: 4 }, 7],
  ['ircot', { maxThoughts: 4 }, 5],
  ['iterRetgen', { iterations: 2, passages: 5 }, 2],
  ['decompose', { subQuestions: 3 }, 3],
  ['adaptiveRag', { ircot: { maxThoughts: 4 } }, 5],
  ['corag', { decoding: 'greedy', length: 3, documents: 20 }, 4],
  ['corag', { decoding: 'best-of-n', length: 3, paths: 4, documents: 0 }, 12],
  // Each depth: 4 sub-queries, each with 2 rollouts of 2, of 1, and of none.
  ['corag', { ...TREE, length: 3, beamSize: 1, expand: 4, rollouts: 2 }, 4 * 5 + 4 * 3 + 4],
  // Two paths fit into the beam; four that follow do not.
  ['corag', { ...TREE, length: 2, beamSize: 2, expand: 2, rollouts: 8 }, 2 + 4],
] as const)('tells how often %s searched, of %j', (method, options, to) => {
  const metric = chainMetrics(methods.get(method) ?? {}, options).find(
    ({ name }) => name === 'searches',
  );
  expect(metric).toMatchObject({ title: 'Searches', range: { from: 0, to } });
  expect(metric?.value(ended({}, { searches: 2 }))).toBe(2);
});

it('tells how sure a method is, whichever it is', () => {
  expect(told('base', {}, {}, { confidence: 0.7 }).values).toEqual({ confidence: 0.7 });
});

it('asks for an answer in texts only where one can stand in them', () => {
  const question = { ...bell, answerKind: 'boolean', answers: ['yes'] } as const;
  const chain = { documents: [{ text: 'yes' }] };
  const values = { question: { ...question, answers: ['yes'] } };
  expect(told('genread', chain, {}, values).values).toEqual({});
});

it('tells of every chain that a method gives, within its range', () => {
  for (const fact of facts(12)) {
    for (const method of ['sure', 'llatrieval', 'allies', 'genread', 'chainOfNote'] as const) {
      const declared = methods.get(method);
      const options = declared?.options.parse({});
      for (const isRight of [true, false]) {
        const { chain, confidence } = tell(method, fact, isRight);
        const question = { ...bell, answers: [fact.answer] };
        const { values, unscored } = told(method, chain, options as object, {
          question,
          confidence,
        });
        expect(unscored).toEqual({});
        expect(Object.keys(values).length).toBeGreaterThan(1);
      }
    }
  }
});

const wrong = (value: ChainMetric['value'], range?: ChainMetric['range']) =>
  defineMetric({ from: 'chain', name: 'own', title: 'Own', value, ...(range && { range }) });
it.each([
  [wrong(() => 2), 'returned 2, which is not a score from 0 to 1'],
  [wrong(() => 11, { from: 0, to: 10 }), 'returned 11, which is not from 0 to 10'],
  [wrong(() => true, { from: 0, to: 10 }), 'returned a value of type boolean'],
  [wrong(() => Number.NaN, { from: 0, to: 10 }), 'returned NaN'],
  [wrong(() => ({ part: 3, whole: 2 })), 'returned 3 of 2, which is not a part of a whole'],
  [wrong(() => ({ part: 0, whole: 0 })), 'returned 0 of 0'],
  [wrong(({ chain }) => (chain as { none: { n: number } }).none.n), 'TypeError'],
])('leaves out what is no value', (metric, reason) => {
  const fine = defineMetric({ from: 'chain', name: 'fine', title: 'Fine', value: () => true });
  expect(chainValues([metric, fine], ended({}))).toEqual({
    values: { fine: 1 },
    unscored: { own: expect.stringContaining(reason) },
  });
});

it('keeps its names from metrics of your own', () => {
  const own = (name: string) => defineMetric({ name, title: name, score: () => 1 });
  for (const name of ['iterations', 'oracleEm', 'confidence', 'verificationPassed']) {
    expect(() => metricRegistry([own(name)])).toThrow(`There is a built-in metric "${name}"`);
  }
});

it('holds summaries against their own candidate and the others', () => {
  const candidate = (text: string, summary: string) => ({ text, summary });
  const chain = {
    candidates: [candidate('Bell', 'Bell phoned'), candidate('Gray', 'Bell and Gray')],
  };
  const { values } = told('sure', chain, {});
  // Of the two summaries "bell" is in both (weight 1), every other word in one.
  const rare = Math.log(3 / 2) + 1;
  const [first, second] = [Math.hypot(1, rare), Math.hypot(1, rare, rare)];
  expect(values.ownOverlap).toBeCloseTo((1 / first + rare / second) / 2, 12);
  // "Bell" is in the other summary too, "Gray" is not.
  expect(values.otherOverlap).toBeCloseTo((1 / second + 0) / 2, 12);
  const alone = { candidates: [candidate('Bell', 'Bell phoned'), { text: 'Gray' }] };
  expect(told('sure', alone, {}).values).not.toHaveProperty('ownOverlap');
});
