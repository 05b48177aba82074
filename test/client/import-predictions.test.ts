/** Answers that were made elsewhere: a run to compare, export and verify, whose unknown is said so. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { judgeTaskOf } from '../../activities/run/judge-task.js';
import { openRun as openForJudge } from '../../activities/run/open-run.js';
import { readQuestions } from '../../activities/run/read-questions.js';
import { manifestOfRun } from '../../activities/run/run-of.js';
import { importPredictions, parsePredictionFields } from '../../client/import-predictions.js';
import { rescoreRun } from '../../client/rescore.js';
import { runs as startingRuns } from '../../client/run.js';
import { verifyArchive, verifyRun } from '../../client/verify.js';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { snapshots } from '../../evaluation/dataset/snapshots.js';
import { comparisonJson } from '../../evaluation/runs/comparison-json.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { exportRun } from '../../evaluation/runs/export-line.js';
import { openRun, openRuns } from '../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { writeRunArchive } from '../../stores/runs/run-archive.js';
import { uniqueRunName } from '../../testing/run-records.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { temporaryFolder } from '../support/folder.js';
import { testPorts } from '../support/ports.js';
import { memoryRuns } from '../support/stores.js';

const folder = await temporaryFolder();

const QUESTIONS = ['Bell', 'Gray', 'Reis', 'Meucci'].map((answer, i) => ({
  id: `q${i + 1}`,
  question: `Who was number ${i + 1}?`,
  answers: [answer],
}));
const CLAIMS = QUESTIONS.map((one) => ({ ...one, claims: [`It is ${one.answers.join()}.`] }));

const FIELDS = parsePredictionFields('id=meta.id,prediction=output,cost=usd');

const line = (id: string, output: unknown, usd?: unknown) => ({ meta: { id }, output, usd });

/** A place with the questions, into which files of answers are imported. */
async function place(questions = QUESTIONS) {
  const [store, runs] = [new MemoryStore(), memoryRuns()];
  const datasets = snapshots(store);
  const dataset = await datasets.put(() => readGiven(questions, {}), 'questions.jsonl');
  const naming = { holding: <T>(_: string, work: () => Promise<T>) => work() };
  /** Opens the run for its judge alone, and says what the judge is asked of its first answer. */
  const judge = async (run: string, judge: string) => {
    const rescored = await rescoreRun(
      run,
      { judge },
      { runs, datasets, texts: async () => new Map() },
    );
    await rescored.write();
    const ports = testPorts(scriptedModel([]), { runs, datasets });
    const manifest = await manifestOfRun(run, runs);
    const spec = { ...manifest.input, onlyJudge: true, acceptChange: true };
    const opened = await openForJudge(spec, ports, new AbortController().signal);
    const page = await readQuestions({ run, from: 0, onlyJudge: true }, ports);
    const tasks = page.questions.map(({ id, at }) => judgeTaskOf({ run, id, at }, manifest, ports));
    return { opened, tasks: await Promise.all(tasks), toJudge: rescored.toJudge };
  };
  const bring = async (content: string | object[], changes: object = {}) => {
    const run = uniqueRunName();
    const file = join(folder, `${run}.jsonl`);
    const text = Array.isArray(content)
      ? content.map((one) => `${JSON.stringify(one)}\n`).join('')
      : content;
    await writeFile(file, text);
    const input = { run, system: 'theirs', fields: FIELDS, dataset, ...changes };
    return importPredictions(file, input, { runs, naming, datasets });
  };
  return { runs, bring, judge };
}

const ALL = [
  line('q1', 'Bell', 0.25),
  line('q2', 'Bell', 0.5),
  line('q3', ' The Reis. '),
  line('q4', null),
];

describe('a run of predictions', () => {
  it('has their answers, scores and costs, and unknown for the rest', async () => {
    const { runs, bring } = await place();
    const { run, questions, answers, missing } = await bring(ALL);
    expect({ questions, answers, missing }).toEqual({ questions: 4, answers: 4, missing: [] });
    const scores = await Promise.all(['q1', 'q2', 'q3', 'q4'].map((id) => runs.get(run, id)));
    expect(scores.map((one) => [one?.result?.outcome, one?.scores.em])).toEqual([
      ['answered', 1],
      ['answered', 0],
      ['answered', 1],
      ['unknown', 0],
    ]);
    const lines: Record<string, unknown>[] = [];
    for await (const text of exportRun(await openRun(runs, run))) lines.push(JSON.parse(text));
    expect(lines[0]).toMatchObject({
      prediction: 'Bell',
      usage: { calls: null, promptTokens: null, completionTokens: null, costUsd: 0.25 },
      seconds: null,
      workingSeconds: null,
    });
    expect(lines[2]).toMatchObject({ usage: { costUsd: null } });
  });

  it('is compared with another, and says what is unknown where a run says a number', async () => {
    const { runs, bring } = await place();
    const [one, other] = [await bring(ALL), await bring(ALL.slice(0, 2), { system: 'others' })];
    const evaluation = await evaluateRuns(await openRuns(runs, [one.run, other.run]));
    expect(evaluation.comparisons).toMatchObject([{ questions: 4 }]);
    const [first] = (comparisonJson(evaluation) as { runs: object[] }).runs;
    expect(first).toMatchObject({
      usage: { calls: null, promptTokens: null, costUsd: null, knownUsd: 0.75 },
      retrievals: null,
      seconds: null,
      workingSeconds: null,
    });
    const text = comparisonText(evaluation, 200);
    for (const row of ['paid calls', 'searches', 'prompt tokens', 'completion tokens']) {
      expect(text).toMatch(new RegExp(`${row} a question +unknown +unknown`));
    }
    expect(text).toMatch(/cost +\$0\.75 and more/);
    expect(text).toContain('theirs');
  });

  it('fails questions that it has no answer to, and names them', async () => {
    const { runs, bring } = await place();
    const { run, missing } = await bring([line('q2', 'Gray')]);
    expect(missing).toEqual(['q1', 'q3', 'q4']);
    expect(await runs.get(run, 'q1')).toMatchObject({
      result: null,
      failure: { message: expect.stringContaining('has no answer to this question') },
      scores: { em: 0 },
    });
  });

  it('is judged afterwards, although nothing else of it can be asked', async () => {
    const { bring, judge } = await place(CLAIMS);
    const { run } = await bring(ALL);
    const { opened, tasks, toJudge } = await judge(run, 'j');
    expect(opened.spec).toMatchObject({ method: 'predictions', judge: 'j' });
    expect(toJudge.answers).toBe(3);
    expect(tasks.map(({ claims }) => claims)).toEqual([
      ['It is Bell.'],
      ['It is Gray.'],
      ['It is Reis.'],
    ]);
    // A program starts it as well; here nobody answers.
    const { startRun } = startingRuns({} as Client, 'q', methodRegistry());
    const input = {
      run,
      method: 'predictions',
      options: { system: 's' },
      dataset: 'd',
      judge: 'j',
    };
    await expect(startRun(input)).rejects.toMatchObject({ type: 'BadInput' });
    await expect(startRun({ ...input, onlyJudge: true })).rejects.toThrow(TypeError);
  });

  it('is verified: scores, totals and hashes', async () => {
    const { runs, bring } = await place();
    const { run } = await bring(ALL);
    const texts = async () => new Map();
    const found = await verifyRun(run, { runs, texts });
    expect(found).toMatchObject({ verdict: 'ok', answers: 4, replayed: 0, difference: null });
    const file = join(folder, `${run}.tar.gz`);
    await writeRunArchive(run, file, { runs, texts });
    expect(await verifyArchive(file, {})).toMatchObject({ verdict: 'ok', answers: 4 });
    const answer = await runs.get(run, 'q2');
    if (answer?.result)
      await runs.put(run, { ...answer, result: { ...answer.result, answer: 'Gray' } });
    expect(await verifyRun(run, { runs, texts })).toMatchObject({
      verdict: 'differs',
      difference: { question: 'q2', field: expect.stringMatching(/^scores/) },
    });
  });
});

describe('a file of answers', () => {
  it.each([
    [
      'an id that is there twice',
      [line('q1', 'a'), line('q2', 'b'), line('q1', 'c')],
      /line 1 and line 3 have the same id/,
    ],
    [
      'an id of no question',
      [line('q1', 'a'), line('q9', 'b')],
      /line 2: the data set has no question "q9"/,
    ],
    ['no id', [line('q1', 'a'), { output: 'b' }], /line 2: there is no id at meta\.id/],
    [
      'an answer that is no text',
      [line('q1', { a: 1 }), line('q2', 'b')],
      /line 1: the value at output is not a text/,
    ],
    ['a cost that is none', [line('q1', 'a', 'much')], /line 1: the value at usd is not a cost/],
    ['a negative cost', [line('q1', 'a', -1)], /line 1: the value at usd is not a cost/],
    [
      'a path that leads nowhere',
      [{ meta: { id: 'q1' }, answer: 'a' }],
      /no record has a text at output/,
    ],
    ['nothing', [], /empty|holds no|no format/],
  ])('with %s is refused, and leaves nothing', async (_, lines, message) => {
    const { runs, bring } = await place();
    await expect(bring(lines)).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringMatching(message),
    });
    expect(await runs.list()).toEqual([]);
  });

  it('may be CSV, with numbers and truth values for answers', async () => {
    const { runs, bring } = await place();
    const fields = parsePredictionFields('id=qid,prediction=said,cost=usd');
    const { run } = await bring('qid,said,usd\nq1,Bell,0.5\nq2,,\nq3,12,\n', { fields });
    const answers = await Promise.all(['q1', 'q2', 'q3'].map((id) => runs.get(run, id)));
    expect(answers.map((one) => one?.result?.answer)).toEqual(['Bell', null, '12']);
    expect(answers[0]?.result?.usage.costUsd).toBe(0.5);
  });

  it('makes no second run of a name', async () => {
    const { runs, bring } = await place();
    const { run } = await bring(ALL);
    await expect(bring([line('q1', 'x')], { run })).rejects.toMatchObject({ type: 'Conflict' });
    expect((await runs.get(run, 'q2'))?.result?.answer).toBe('Bell');
  });
});
