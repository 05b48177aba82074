/** Judging the answers of a run, on a real server. */
import { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { openRun } from '../../activities/run/open-run.js';
import { readQuestions } from '../../activities/run/read-questions.js';
import { recordAnswer } from '../../activities/run/record-answer.js';
import { Failure } from '../../core/failure.js';
import type { MethodResult } from '../../core/result.js';
import { type ScriptedReply, scriptedModel } from '../../testing/scripted-model.js';
import type { judgeAnswer } from '../../workflows/jobs.js';
import { bell, result as resultOf } from '../activities/run/support.js';
import { sharedHarness } from '../support/harness.js';
import { handleOf, historyText } from '../support/history.js';

/** A run with one question, which has been answered. */
async function setUp(script: ScriptedReply[], answered: Partial<MethodResult>) {
  const model = scriptedModel(script);
  const { ports, connection, taskQueue, id: name } = await sharedHarness(model);
  const spec = {
    run: 'r',
    method: 'llatrieval',
    dataset: [bell],
    judge: 'judge-1',
    corpus: 'sample',
  };
  await openRun(spec, ports, new AbortController().signal);
  const { questions } = await readQuestions({ run: 'r', from: 0 }, ports);
  const [{ id, at } = { id: '', at: -1 }] = questions;
  const result = resultOf({ method: 'llatrieval', question: bell.question, ...answered });
  const record = { run: 'r', id, at };
  const tally = await recordAnswer(record, { result, failure: null, startedAt: 0 }, ports);
  const workflowId = `${name}/judge`;
  const judge = () =>
    new Client({ connection }).workflow.execute<typeof judgeAnswer>('judgeAnswer', {
      taskQueue,
      workflowId,
      args: [record],
    });
  const history = async () => historyText(await handleOf(connection, workflowId).fetchHistory());
  const kept = () => ports.runs.get('r', id);
  return { model, tally, judge, kept, history, result };
}

/** The answer to whether passages with these numbers in their texts bear out a claim. */
const verdict = (claim: RegExp, passages: number[], say: string): ScriptedReply => {
  const shown = passages.map((n) => `(?=[^]*Text of passage ${n}\\.)`).join('');
  const last = `(?![^]*number="${passages.length + 1}")`;
  return {
    step: 'judgeClaim',
    say,
    when: new RegExp(`^${shown}${last}[^]*Claim: ${claim.source}`),
  };
};

const citations = [
  { number: 2, passage: 'p7' },
  { number: 1, passage: 'p4' },
  { number: 3, passage: 'p9' },
];

describe('judgeAnswer', () => {
  /**
   * Worked out by hand from ALCE 3: two of four statements are supported, recall 2/4. Of the four
   * citations [2] of the first and [1] of the second are needed; [3] of the second is not, since
   * alone it is not enough and without it the rest is; that of the third supports nothing: 2/4.
   */
  it('judges every statement by what it cites, and keeps what it found with the answer', async () => {
    const script = [
      { ...verdict(/Bell got it\./, [7], 'Yes'), say: { text: 'Yes', fingerprint: 'fp_1' } },
      verdict(/It was in 1876\./, [4, 9], 'Yes.'),
      verdict(/It was in 1876\./, [4], 'Yes'),
      { ...verdict(/It was in 1876\./, [9], 'No'), delayMs: 300 },
      verdict(/Gray was late\./, [9], 'No'),
    ];
    const answer = 'Bell got it [2]. It was in 1876 [1][3]. Gray was late [3]. Nobody minded.';
    const { model, tally, judge, kept, history, result } = await setUp(script, {
      answer,
      chain: { citations },
    });
    expect(tally.toJudge).toBe(true);
    const judged = await judge();
    expect(judged.scores).toEqual({
      citationRecall: 0.5,
      citationPrecision: 0.5,
      citationF1: 0.5,
    });
    // Without the third document the first is all there is, and that was asked before.
    expect(model.left).toEqual([]);
    expect(judged.usage).toMatchObject({ calls: 6, cachedCalls: 1 });
    expect(model.requests.every(({ request }) => request.model === 'judge-1')).toBe(true);

    const stored = await kept();
    expect(stored?.result).toEqual(result);
    expect(stored?.judgement).toMatchObject({
      ...judged,
      verdicts: {
        claims: null,
        flags: [],
        steps: { judgeClaim: { calls: 6, models: ['scripted-1'], fingerprints: ['fp_1'] } },
        statements: [
          { claim: 'Bell got it.', cited: [1], supported: true, needed: [true] },
          { claim: 'It was in 1876.', cited: [0, 2], supported: true, needed: [true, false] },
          { claim: 'Gray was late.', cited: [2], supported: false, needed: [false] },
          { claim: 'Nobody minded.', cited: [], supported: false, needed: [] },
        ],
      },
    });
    expect(await history()).not.toContain('Text of passage');
  });

  it('fails with the cause and what was paid, and records nothing', async () => {
    const script: ScriptedReply[] = [
      verdict(/Bell got it\./, [7], 'Yes'),
      {
        step: 'judgeClaim',
        when: /Claim: Gray/,
        delayMs: 500,
        say: new Failure('QuotaExhausted', 'No credit.'),
      },
    ];
    const answer = 'Bell got it [2]. Gray was late [3].';
    const { judge, kept } = await setUp(script, { answer, chain: { citations } });
    await expect(judge()).rejects.toMatchObject({
      cause: {
        type: 'QuotaExhausted',
        message: 'No credit.',
        details: [{ usage: expect.objectContaining({ calls: 1, costUsd: 0.001 }) }],
      },
    });
    expect((await kept())?.judgement).toBeUndefined();
  });
});
