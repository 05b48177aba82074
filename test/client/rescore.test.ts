/** Stored runs that are scored again: metrics, gold answers, judges, and a stop in the middle. */
import { describe, expect, it } from 'vitest';
import { recordJudgement } from '../../activities/run/judge-task.js';
import { readQuestions } from '../../activities/run/read-questions.js';
import { recordAnswer } from '../../activities/run/record-answer.js';
import type { TextsOf } from '../../activities/run/rescore-answer.js';
import { rescoreRun } from '../../client/report.js';
import type { ScoringChanges } from '../../client/rescore.js';
import { defineMetric } from '../../core/metric.js';
import { NO_USAGE } from '../../core/usage.js';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { metricChanges, metricChangesText } from '../../evaluation/runs/rescored.js';
import { figuresOf } from '../../evaluation/runs/run-figures.js';
import { openRun, openRuns } from '../../evaluation/runs/run-source.js';
import type { RunAnswer, RunStore } from '../../stores/runs/run-store.js';
import { bell, result, setUp } from '../activities/run/support.js';
import { memoryRuns } from '../support/stores.js';

const brief = defineMetric({
  name: 'brief',
  title: 'Brief',
  score: ({ answer }) => answer.length < 5,
});
const grounded = defineMetric({
  name: 'grounded',
  title: 'Grounded',
  score: ({ passages, answer }) => passages.some(({ text }) => text.includes(answer)),
});
const metrics = metricRegistry([brief, grounded]);
const lines = [
  { ...bell, id: 'a' },
  { ...bell, id: 'b' },
  { ...bell, id: 'c' },
];
const claiming = lines.map((line) => ({
  ...line,
  ...(line.id === 'b' && { claims: ['It rang.'] }),
}));
const read = { passages: [{ id: 'p1', title: 'One', score: 1 }] };

/** A run with the answers "Bell", "Alexander Bell" and, of the last question, none. */
async function kept(runs: RunStore, input: object = {}, asked: readonly object[] = lines) {
  const { open, ports } = await setUp(asked, { metrics: [], ...input }, { runs, metrics });
  await open();
  const { questions } = await readQuestions({ run: 'r', from: 0 }, ports);
  const answers: Record<string, string> = { a: 'Bell', b: 'Alexander Bell' };
  const record = async (id: string, at: number) => {
    const answer = answers[id];
    const said = answer ? { answer } : { outcome: 'unknown' as const, answer: null };
    const ended = { result: result({ ...said, chain: read }), failure: null, startedAt: 0 };
    await recordAnswer({ run: 'r', id, at }, ended, ports);
  };
  for (const { id, at } of questions) await record(id, at);
  const texts: TextsOf = async () => new Map([['p1', 'Text of passage 1.']]);
  const known = { runs, datasets: ports.datasets, texts, metrics: [brief, grounded] };
  const again = (wanted: ScoringChanges, parts: object = {}) =>
    rescoreRun('r', wanted, { ...known, ...parts });
  const put = (records: readonly object[]) =>
    ports.datasets.put(() => readGiven(records, { scorable: false }), 'edited.jsonl');
  const scores = async () =>
    Promise.all(['a', 'b', 'c'].map(async (id) => (await runs.get('r', id))?.scores));
  const toJudge = async () => {
    const page = await readQuestions({ run: 'r', from: 0, onlyJudge: true }, ports);
    return page.questions.map(({ id, at }) => ({ run: 'r', id, at }));
  };
  return { ports, again, put, scores, toJudge };
}

describe('a run', () => {
  it('gets a metric of one’s own, and shows old and new beside each other', async () => {
    const runs = memoryRuns();
    const { again, scores } = await kept(runs);
    const before = await scores();
    const planned = await again({ metrics: ['brief'] });
    expect(await scores()).toEqual(before);
    await planned.write();
    expect((await scores()).map((scored) => scored?.brief)).toEqual([1, 0, 0]);
    expect(await runs.manifest('r')).toMatchObject({
      metrics: [{ name: 'brief', title: 'Brief' }],
      input: { metrics: ['brief'] },
      rescored: [{ differences: planned.differences, kept: {} }],
    });
    const changes = metricChanges(planned.before, planned.after);
    expect(changes.find(({ metric }) => metric === 'brief')).toEqual({
      metric: 'brief',
      title: 'Brief',
      before: null,
      changed: 3,
      after: { mean: 1 / 3, questions: 3 },
    });
    expect(metricChangesText(changes)).toMatch(/EM +33\.3 \(3 questions\) +33\.3 .* 0\n/);

    // Once more there is nothing to write.
    await (await again({})).write();
    expect((await runs.manifest('r'))?.rescored).toHaveLength(1);
  });

  it('takes other accepted answers, for the questions that it has', async () => {
    const runs = memoryRuns();
    const { again, put, scores, ports } = await kept(runs);
    const [a, b, c] = lines;
    const edited = { ...b, answers: ['Alexander Bell', 'A. G. Bell'] };
    const dataset = await put([c, edited, a].map((line) => ({ ...line })));
    const planned = await again({ dataset });
    const changes = metricChanges(planned.before, planned.after);
    expect(changes.find(({ metric }) => metric === 'em')).toMatchObject({
      changed: 1,
      before: { mean: 1 / 3 },
      after: { mean: 2 / 3 },
    });
    await planned.write();
    expect((await scores()).map((scored) => scored?.em)).toEqual([1, 1, 0]);
    expect((await runs.manifest('r'))?.dataset).toMatchObject({ ...dataset, selected: 3 });
    // Nothing of it is a question that has to be asked again.
    expect((await readQuestions({ run: 'r', from: 0 }, ports)).questions).toEqual([]);

    const other = await put([a, { ...b, question: 'Who rang?' }, c].map((line) => ({ ...line })));
    await expect(again({ dataset: other })).rejects.toThrow(/asks something else under "b"/);
    await expect(again({ dataset: await put([{ ...a }]) })).rejects.toThrow(/no question "b"/);
  });

  it('is done again after a stop in the middle, which is told until then', async () => {
    const runs = memoryRuns();
    const { again, scores } = await kept(runs);
    let puts = 0;
    const stopping: RunStore = {
      ...runs,
      put: async (run, answer: RunAnswer) => {
        if (++puts > 1) throw new Error('Killed.');
        await runs.put(run, answer);
      },
    };
    const planned = await again({ metrics: ['brief'] }, { runs: stopping });
    await expect(planned.write()).rejects.toThrow('Killed.');
    expect((await scores()).filter((scored) => scored?.brief !== undefined)).toHaveLength(1);
    const notes = async () => (await evaluateRuns(await openRuns(runs, ['r']))).notes.join('\n');
    expect(await notes()).toContain('2 answers of r still have scores from before');

    await (await again({})).write();
    expect((await scores()).map((scored) => scored?.brief)).toEqual([1, 0, 0]);
    expect(await notes()).not.toContain('from before');
  });
});

it('keeps the score that it cannot tell any more, and says why', async () => {
  const runs = memoryRuns();
  const { again, scores } = await kept(runs);
  const texts: TextsOf = async () => new Map([['p1', 'Of Alexander Bell.']]);
  await (await again({ metrics: ['brief', 'grounded'] }, { texts })).write();
  expect((await scores())[1]).toMatchObject({ brief: 0, grounded: 1 });
  const before = await runs.get('r', 'b');

  const gone: TextsOf = async () => new Map();
  const unread = await again({}, { texts: gone });
  const why = expect.stringContaining('p1 is no longer there');
  expect(unread.kept).toEqual({ grounded: { questions: 2, example: why } });
  await unread.write();
  expect(await runs.get('r', 'b')).toEqual(before);

  const elsewhere = await again({ judge: 'big' }, { metrics: [] });
  expect(elsewhere.manifest.metrics).toMatchObject([{ name: 'brief' }, { name: 'grounded' }]);
  expect(elsewhere.kept).toMatchObject({ brief: { questions: 3 }, grounded: { questions: 3 } });
});

it('has judged what its judge has not read: nothing else, and again after a change', async () => {
  const runs = memoryRuns();
  const { again, put, toJudge, ports } = await kept(runs, { judge: 'big' }, claiming);
  const asked = await toJudge();
  expect(asked).toMatchObject([{ id: 'b' }]);
  const usage = { ...NO_USAGE, calls: 1, costUsd: 1 };
  const judge = async (record = asked[0], entailed = true) => {
    const claims = [{ claim: 'It rang.', entailed }];
    const verdicts = { statements: null, claims, flags: [], steps: {} };
    if (record) await recordJudgement(record, { verdicts, usage }, ports);
  };
  await judge();
  expect(await toJudge()).toEqual([]);
  expect((await again({ judge: 'big', metrics: ['brief'] })).toJudge.answers).toBe(0);

  const { hashes } = ports.prompts;
  const edited = (file: string) => ({
    hashes: async (set: string) => ({ ...(await hashes(set)), [file]: 'edited' }),
  });
  const asNow = async (file: string) =>
    (await again({ judge: 'big', prompts: edited(file) })).toJudge.answers;
  expect(await asNow('judge-claim.txt')).toBe(1);
  expect(await asNow('read.txt')).toBe(0);

  const calmer = { judge: { model: 'big', temperature: 0 } };
  const planned = await again(calmer);
  expect(planned.toJudge).toEqual({ answers: 1, mostCalls: 1 });
  expect(planned.manifest.input).toMatchObject(calmer);

  const louder = claiming.map((line) => ({
    ...line,
    ...(line.claims && { claims: ['It hummed.'] }),
  }));
  const changes = { judge: 'bigger', dataset: await put(louder) };
  for (const wanted of [{ judge: 'bigger' }, changes]) {
    const planned = await again(wanted);
    expect(planned.toJudge).toEqual({ answers: 1, mostCalls: 1 });
    await planned.write();
  }
  expect(await toJudge()).toMatchObject([{ id: 'b' }]);
  // Recorded twice by an activity that is tried again, it counts once.
  await judge(asked[0], false);
  await judge(asked[0], false);
  expect(await toJudge()).toEqual([]);
  const { judging, metrics } = await figuresOf(await openRun(runs, 'r'));
  expect(judging).toMatchObject({ calls: 2, costUsd: 2 });
  expect(metrics.find(({ metric }) => metric === 'claimRecall')?.all).toMatchObject({ mean: 0 });
});
