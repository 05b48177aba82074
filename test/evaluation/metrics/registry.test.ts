/** Metrics of one's own: their names, which of them a run has, and what they score. */
import { describe, expect, it } from 'vitest';
import { defineMetric, type OwnMetric, type ScoredAnswer } from '../../../core/metric.js';
import { OPTIONAL_METRICS } from '../../../evaluation/metrics/optional-metrics.js';
import {
  chosenMetrics,
  metricRegistry,
  storedMetric,
} from '../../../evaluation/metrics/registry.js';
import {
  type AnswerOrOutcome,
  applicableMetrics,
  scoreEnded,
  scoreJudged,
} from '../../../evaluation/score-answer.js';

const short = defineMetric({
  name: 'short',
  title: 'Short',
  score: ({ answer }) => answer.length < 10,
});
const share = defineMetric({
  name: 'share',
  title: 'Share of capitals',
  headline: false,
  applies: ({ answerKind }) => answerKind === 'span',
  score: ({ answer }) => (answer === '' ? undefined : answer.replace(/[^A-Z]/g, '').length / 10),
});
const tone = defineMetric({
  from: 'rubric',
  name: 'tone',
  title: 'Tone',
  prompt: { name: 'tone', text: 'Is this polite? {{answer}}' },
  scale: 'yesNo',
});
const own = metricRegistry([short, share, tone]);
const question = { id: 'q', question: 'Who?', answers: ['Bell'], answerKind: 'span' } as const;
const asked = { ...question, answers: [...question.answers] };
const answered = (answer: string): ScoredAnswer => ({
  question: asked,
  answer,
  chain: null,
  passages: [],
  calls: [],
});

describe('names', () => {
  it('go with what a run is to know of the metric', () => {
    const version = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect([short, share, tone].map(storedMetric)).toEqual([
      { name: 'short', title: 'Short', headline: true, version },
      { name: 'share', title: 'Share of capitals', headline: false, version },
      { name: 'tone', title: 'Tone', headline: true, judged: true, version },
    ]);
  });

  it('have a version that tells how they score, and nothing else', () => {
    const versionOf = (metric: OwnMetric) => storedMetric(metric).version;
    expect(versionOf({ ...short, title: 'Brief', headline: false })).toBe(versionOf(short));
    const others: OwnMetric[] = [
      { ...short, score: ({ answer }) => answer.length < 20 },
      { ...short, applies: () => false },
    ];
    for (const other of others) expect(versionOf(other)).not.toBe(versionOf(short));
    const graded = versionOf({ ...tone, scale: { from: 1, to: 5 } });
    expect(graded).not.toBe(versionOf(tone));
    expect(versionOf({ ...tone, scale: { from: 0, to: 5 } })).not.toBe(graded);
  });
});

describe('the metrics of a run', () => {
  const named = (input: Parameters<typeof chosenMetrics>[0]) =>
    chosenMetrics(input, own).map(({ name }) => name);

  it('are all of them, rubrics only where there is a judge', () => {
    expect(named({})).toEqual(['short', 'share']);
    expect(named({ judge: 'big' })).toEqual(['short', 'share', 'tone']);
  });

  it('are those that are named, in the order they are shown in, each once', () => {
    expect(named({ metrics: ['tone', 'short', 'tone'], judge: 'big' })).toEqual(['short', 'tone']);
    expect(named({ metrics: [], judge: 'big' })).toEqual([]);
  });
});

it('what applies to a question is told by the metric, and is a reason where that throws or the worker has none', () => {
  const moody = defineMetric({
    ...short,
    name: 'moody',
    applies: () => {
      throw new TypeError('No.');
    },
  });
  const metrics = metricRegistry([short, share, tone, moody]);
  const run = { metrics: ['short', 'share', 'tone', 'moody', 'gone'], judge: 'big', cites: true };
  const ofSpan = applicableMetrics(asked, run, metrics);
  const spans = ['em', 'f1', 'hasAnswer'];
  expect(ofSpan.scorers.map(({ name }) => name)).toEqual([...spans, 'short', 'share']);
  const citing = ['citationF1', 'citationRecall', 'citationPrecision'];
  expect(ofSpan.judged.map(({ name }) => name)).toEqual([...citing, 'tone']);
  expect(ofSpan.unscored).toEqual({
    moody: 'applies: TypeError: No.',
    gone: 'The worker that recorded the answer has no such metric.',
  });
  const ofClaim = applicableMetrics({ ...asked, answerKind: 'label', claims: ['c'] }, run, metrics);
  expect(ofClaim.scorers.map(({ name }) => name)).toEqual(['accuracy', 'short']);
  expect(ofClaim.judged[0]?.name).toBe('claimRecall');
  const unasked = applicableMetrics(
    asked,
    { ...run, judge: undefined, metrics: undefined },
    metrics,
  );
  expect(unasked.judged).toEqual([]);
  expect(unasked.scorers.map(({ name }) => name)).toEqual(spans);
});

describe('scores', () => {
  it('are numbers and verdicts; where a scorer says nothing there is none', () => {
    const scored = (ended: AnswerOrOutcome) => scoreEnded([short, share], asked, ended);
    expect(scored(answered('BELL'))).toEqual({ scores: { short: 1, share: 0.4 }, unscored: {} });
    expect(scored(answered(''))).toEqual({ scores: { short: 1 }, unscored: {} });
  });

  it('are 0 without an answer, but where the metric says otherwise', () => {
    const known = defineMetric({ ...short, name: 'known', unanswered: () => 0.5 });
    expect(scoreEnded([short, known], asked, 'unknown').scores).toEqual({ short: 0, known: 0.5 });
  });

  it('of a judge are told from what it has said, in metrics of one’s own too', () => {
    const cites = defineMetric({
      name: 'cites',
      title: 'Cites',
      from: 'citations',
      score: (statements) => statements.filter(({ cited }) => cited.length > 0).length / 2,
    });
    const statement = { claim: 'c', cited: [0], supported: false, needed: [false] };
    const said = { statements: [statement], claims: null, flags: [], steps: {} };
    const rubrics = [{ metric: 'tone', score: 1, reply: 'Yes' }];
    expect(scoreJudged([cites, tone], { ...said, rubrics })).toEqual({
      scores: { cites: 0.5, tone: 1 },
      unscored: {},
    });
    const unread = { ...said, rubrics: [{ metric: 'tone', score: null, reply: 'Well' }] };
    expect(scoreJudged([tone], unread).scores).toEqual({});
  });

  it.each([
    ['throws', () => JSON.parse('{'), /^SyntaxError: /],
    ['throws what is no error', () => Promise.reject, /a value of type function/],
    ['gives more than 1', () => 1.5, 'RangeError: returned 1.5, which is not a score from 0 to 1'],
    ['gives no number', () => Number.NaN, /returned NaN/],
    ['gives null', () => null, /returned a value of type object/],
    ['gives a text', () => '0.5', /returned a value of type string/],
    ['would be waited for', async () => 1, /returned a promise/],
  ])('leave the others alone where one %s', (_, score, reason) => {
    const broken = { ...short, name: 'broken', score: score as () => number };
    const { scores, unscored } = scoreEnded([broken, short], asked, answered('Bell'));
    expect(scores).toEqual({ short: 1 });
    expect(unscored).toEqual({
      broken: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });

  it('keep a reason short', () => {
    const score = () => {
      throw new Error('x'.repeat(5000));
    };
    const { unscored } = scoreEnded([{ ...short, score }], asked, answered('Bell'));
    expect(unscored.short?.length).toBe(300);
  });
});

const metrics = metricRegistry();

it('belongs to a run that names it, and to no other', () => {
  expect(chosenMetrics({}, metrics)).toEqual([]);
  expect(chosenMetrics({ judge: 'j' }, metrics)).toEqual([]);
  const named = ['llmAccuracy'];
  const chosen = chosenMetrics({ metrics: named, judge: 'j' }, metrics);
  expect(chosen.map(({ name }) => name)).toEqual(named);
  expect(() => chosenMetrics({ metrics: named }, metrics)).toThrow('"llmAccuracy" needs a judge');
  expect(() => metricRegistry([...OPTIONAL_METRICS])).toThrow(
    'There is a built-in metric "llmAccuracy"',
  );
});

it.each([
  ['span', ['Bell'], true],
  ['boolean', ['yes'], true],
  ['list', ['Nile', 'Congo'], true],
  ['long', ['A text.'], false],
  ['span', [], false],
] as const)('LLM accuracy of %s %j: %s', (answerKind, answers, applies) => {
  const question = { id: 'q', question: 'Who?', answerKind, answers: [...answers] };
  const run = { metrics: ['llmAccuracy'], judge: 'j', cites: false };
  const { judged } = applicableMetrics(question, run, metrics);
  expect(judged.some(({ name }) => name === 'llmAccuracy')).toBe(applies);
});
