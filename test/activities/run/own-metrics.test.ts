/** What is kept of an answer in metrics of one's own. */
import { expect, it } from 'vitest';
import { identifyRun } from '../../../activities/run/identify-run.js';
import { judgeTaskOf } from '../../../activities/run/judge-task.js';
import { openRun } from '../../../activities/run/open-run.js';
import { readQuestions } from '../../../activities/run/read-questions.js';
import { recordAnswer } from '../../../activities/run/record-answer.js';
import { manifestOfRun } from '../../../activities/run/run-of.js';
import { Failure } from '../../../core/failure.js';
import { defineMetric, type ScoredAnswer } from '../../../core/metric.js';
import type { MethodResult } from '../../../core/result.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { bell, result, setUp } from './support.js';

const seen: ScoredAnswer[] = [];
const grounded = defineMetric({
  name: 'grounded',
  title: 'Grounded',
  score(answered) {
    seen.push(answered);
    const { answer, passages } = answered;
    return passages.some(({ text }) => text.includes(answer));
  },
});
const brief = defineMetric({
  name: 'brief',
  title: 'Brief',
  score: ({ answer }) => answer.length < 5,
});
const polite = defineMetric({
  from: 'rubric',
  name: 'polite',
  title: 'Polite',
  scale: 'yesNo',
  applies: ({ id }) => id !== 'nq/2',
  prompt: { name: 'polite', text: '{{answer}}' },
});
const metrics = metricRegistry([grounded, brief, polite]);

async function begun(parts: object = {}, input: object = {}) {
  const run = await setUp(
    [bell, { ...bell, id: 'nq/2' }],
    { judge: 'big', ...input },
    {
      metrics,
      ...parts,
    },
  );
  await run.open();
  const { questions } = await readQuestions({ run: 'r', from: 0 }, run.ports);
  const record = (ended: MethodResult | null, id = 'nq/1', ports = run.ports) => {
    const at = questions.find((question) => question.id === id)?.at ?? -1;
    return recordAnswer(
      { run: 'r', id, at },
      { result: ended, failure: null, startedAt: 0 },
      ports,
    );
  };
  return { ...run, record };
}

const chain = {
  passages: [{ id: 'p2', title: 'Title 2', score: 1 }],
  documents: [{ text: 'Bell made it.' }],
};

it('gives a scorer the question, the answer, the chain, and the texts that were read', async () => {
  const { record, ports } = await begun();
  const { scores } = await record(result({ method: 'genread', answer: 'Bell', chain }));
  expect(scores).toEqual({ em: 1, f1: 1, hasAnswer: 1, grounded: 1, brief: 1 });
  expect(seen.at(-1)).toMatchObject({
    question: { id: 'nq/1', question: bell.question, answers: ['Bell'], answerKind: 'span' },
    answer: 'Bell',
    chain,
    passages: [
      { id: 'p2', title: 'Title 2', text: 'Text of passage 2.' },
      { id: '', title: '', text: 'Bell made it.' },
    ],
  });
  expect((await ports.runs.get('r', 'nq/1'))?.unscored).toBeUndefined();
});

it('keeps what the chain of a method tells, and what metrics of one’s own read of it and of the calls', async () => {
  const searchCount = defineMetric({
    from: 'chain',
    name: 'searchCount',
    title: 'Searches',
    range: { from: 0, to: 10 },
    value: ({ calls }) => calls.filter(({ step }) => step === 'retrieve').length,
  });
  const { record, ports, open } = await setUp(
    [bell],
    { method: 'mcq' },
    { metrics: metricRegistry([searchCount]) },
  ).then(async (run) => {
    await run.open();
    const of = { run: 'r', id: 'nq/1', at: 0 };
    const calls = ['retrieve', 'generateCandidates', 'retrieve'].map((step) => ({
      address: step,
      step,
      label: '',
      events: [],
    }));
    return {
      ...run,
      record: (ended: MethodResult | null, kept: typeof calls | undefined = calls) =>
        recordAnswer(of, { result: ended, failure: null, startedAt: 0, calls: kept }, run.ports),
    };
  });
  const manifest = await ports.runs.manifest('r');
  expect(manifest?.chainMetrics?.map(({ name }) => name)).toEqual([
    'confidence',
    'oracleEm',
    'oracleF1',
    'ownOverlap',
    'otherOverlap',
  ]);
  expect(manifest?.metrics).toMatchObject([
    { name: 'searchCount', chain: true, range: { to: 10 } },
  ]);
  expect(await open({})).toBeDefined();

  const named = { candidates: [{ text: 'Gray' }, { text: 'Bell' }], passages: [] };
  const wrong = result({ method: 'mcq', answer: 'Gray', chain: named, confidence: 0.5 });
  await record(wrong);
  const kept = await ports.runs.get('r', 'nq/1');
  expect(kept?.chainScores).toEqual({ confidence: 0.5, oracleEm: 1, oracleF1: 1, searchCount: 2 });
  expect(kept?.scores).toMatchObject({ em: 0 });
  // It is told of what did not fail, and of nothing else.
  await record(result({ method: 'mcq', outcome: 'unknown', answer: null, chain: named }));
  expect((await ports.runs.get('r', 'nq/1'))?.chainScores).toEqual({
    oracleEm: 1,
    oracleF1: 1,
    searchCount: 2,
  });
  await record(null);
  expect((await ports.runs.get('r', 'nq/1'))?.chainScores).toBeUndefined();
});

it('keeps an answer whose passages are gone, without the scores that read them', async () => {
  const { record, ports } = await begun();
  const corpora = {
    open: async () => {
      throw new Failure('UnknownCorpus', 'There is no corpus "sample".');
    },
  };
  const tally = await record(result({ answer: 'Bell', chain }), 'nq/1', { ...ports, corpora });
  expect(tally.scores).toEqual({ em: 1, f1: 1, hasAnswer: 1, brief: 1 });
  expect(tally.unscored).toEqual({ grounded: expect.stringContaining('There is no corpus') });
  const broken = async () => {
    throw new Failure('Incompatible', 'The corpus breaks its promise.');
  };
  const other = { ...ports, corpora: { open: broken } };
  await expect(record(result({ answer: 'Bell', chain }), 'nq/2', other)).rejects.toThrow('promise');
});

it('scores nothing that reads passages where a method of one’s own does not say what it read', async () => {
  const shown = defineMetric({
    from: 'rubric',
    name: 'shown',
    title: 'Shown',
    scale: 'yesNo',
    prompt: { name: 'shown', text: '{{passages}}\n{{answer}}' },
  });
  const { record, ports } = await begun({
    metrics: metricRegistry([grounded, brief, polite, shown]),
  });
  const tally = await record(result({ method: 'mine', answer: 'Bell', chain }));
  expect(tally.scores).toEqual({ em: 1, f1: 1, hasAnswer: 1, brief: 1 });
  const why = expect.stringContaining('mine does not say what it read');
  expect(tally.unscored).toEqual({ grounded: why, shown: why });
  const { questions } = await readQuestions({ run: 'r', from: 0 }, ports);
  const [{ at } = { at: -1 }] = questions;
  const manifest = await manifestOfRun('r', ports.runs);
  const asked = async () =>
    (await judgeTaskOf({ run: 'r', id: 'nq/1', at }, manifest, ports)).rubrics;
  expect(await asked()).toMatchObject([{ metric: 'polite' }]);

  await record(result({ method: 'mine', answer: 'Bell', chain, evidence: ['p3'] }));
  expect(await asked()).toMatchObject([
    { metric: 'polite' },
    { metric: 'shown', input: { passages: ['p3'] } },
  ]);
});

it('has the judge read what a rubric applies to, and gives 0 where there is no answer', async () => {
  const { record, ports } = await begun();
  expect((await record(result({ answer: 'Bell' }))).toJudge).toBe(true);
  expect((await record(result({ answer: 'Bell' }), 'nq/2')).toJudge).toBeUndefined();
  const { questions } = await readQuestions({ run: 'r', from: 0 }, ports);
  expect(questions).toMatchObject([{ id: 'nq/1', toJudge: true }]);
  const unknown = result({ outcome: 'unknown', answer: null });
  const none = { em: 0, f1: 0, hasAnswer: 0, grounded: 0, brief: 0 };
  expect((await record(unknown)).scores).toEqual({ ...none, polite: 0 });
  expect((await record(null, 'nq/2')).scores).toEqual(none);
});

it('scores a run in the metrics that it was begun with, whatever the worker has by then', async () => {
  const { record, ports, open, input } = await begun({}, { metrics: ['brief'] });
  const manifest = await ports.runs.manifest('r');
  expect(manifest?.metrics).toMatchObject([{ name: 'brief', title: 'Brief', headline: true }]);
  expect((await record(result({ answer: 'Bell' }))).scores.brief).toBe(1);
  const without = { ...ports, metrics: metricRegistry([grounded]) };
  const tally = await record(result({ answer: 'Bell' }), 'nq/2', without);
  expect(tally.scores.grounded).toBeUndefined();
  expect(tally.unscored).toEqual({ brief: expect.stringContaining('has no such metric') });
  await expect(open({ metrics: ['brief', 'grounded'] })).rejects.toThrow(/metrics/);
  const stricter = { ...brief, score: () => false };
  const changed = { ...ports, metrics: metricRegistry([stricter]) };
  const never = new AbortController();
  await expect(openRun({ ...input, metrics: ['brief'] }, changed, never.signal)).rejects.toThrow(
    /scoring\.brief: "\w{12}" there, "\w{12}" here/,
  );
});

it.each([
  ['by the judge', { judge: 'big', onlyJudge: true }, openRun],
  ['while the run is running', {}, identifyRun],
] as const)(
  'records metrics whose change is accepted %s, and refuses them no more',
  async (_, how, opened) => {
    const { input, ports } = await begun({}, { metrics: ['brief'] });
    const { signal } = new AbortController();
    const wanted = { ...input, metrics: ['brief'], ...how };
    const before = await ports.runs.manifest('r');
    const changed = { ...ports, metrics: metricRegistry([{ ...brief, score: () => false }]) };
    await opened({ ...wanted, acceptChange: true }, changed, signal);
    const after = await ports.runs.manifest('r');
    expect(after?.metrics).toHaveLength(1);
    expect(after?.metrics).not.toEqual(before?.metrics);
    expect(after?.changes).toMatchObject([
      { differences: [expect.stringMatching(/^scoring\.brief/)] },
    ]);
    await opened(wanted, changed, signal);
    expect((await ports.runs.manifest('r'))?.changes).toHaveLength(1);
  },
);

it('refuses a metric that the worker does not have, and a rubric without a judge', async () => {
  const { open, ports } = await setUp([bell], {}, { metrics });
  await expect(open({ metrics: ['polit'] })).rejects.toThrow(
    'metrics: there is no metric "polit"; did you mean polite?',
  );
  await expect(open({ metrics: ['polite'] })).rejects.toThrow(/needs a judge/);
  expect(await ports.runs.list()).toEqual([]);
  await open();
  // Without a judge nothing but these is scored.
  await expect(open({ metrics: ['grounded', 'brief'] })).resolves.toMatchObject({ questions: 1 });
});
