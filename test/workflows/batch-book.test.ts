/** What a batch begins, counts and waits for, without a server. */
import { describe, expect, it } from 'vitest';
import type { PageQuestion } from '../../activities/batch/read-questions.js';
import type { Tally } from '../../methods/batch/batch.js';
import { parseBatchInput } from '../../methods/batch/input.js';
import { noSums } from '../../methods/batch/sums.js';
import { noUsage } from '../../methods/usage.js';
import { BatchState, openingStanding } from '../../workflows/batch/batch-state.js';

const question = (at: number): PageQuestion => ({
  id: `q${at}`,
  name: `q${at}`,
  question: '?',
  at,
});

function opened(settings: object = {}, questions = 3): BatchState {
  const input = { run: 'r', method: 'base' as const, dataset: 'd.jsonl', ...settings };
  const state = new BatchState(openingStanding(input, 0));
  state.opened(parseBatchInput(input), questions);
  state.read({
    questions: Array.from({ length: questions }, (_, i) => question(i)),
    kept: noSums,
    next: null,
  });
  return state;
}

/** The next question, where one has to be there. */
function begin(state: BatchState, running = 0): PageQuestion {
  const next = state.next(running);
  if (!next) throw new Error('Nothing begins.');
  return next;
}

const tally = (changes: Partial<Tally> = {}): Tally => ({
  id: 'q0',
  outcome: 'answered',
  scores: { em: 1 },
  usage: { ...noUsage, calls: 1, costUsd: 0.1 },
  ...changes,
});

const failed = (type: string, scores: Tally['scores'] = {}): Tally =>
  tally({ outcome: 'failed', failure: { type, message: 'Why.', step: null }, scores });

describe('BatchState', () => {
  it('says where a batch stands before its input has been checked', () => {
    expect(new BatchState(openingStanding(undefined, 5)).progress(0)).toMatchObject({
      state: 'opening',
      questions: 0,
      settings: { concurrency: 20, budgetUsd: null },
      startedAt: 5,
    });
  });

  it('counts failures by type and step, and what every question would meet apart', () => {
    const state = opened();
    for (const type of ['Timeout', 'ContentRefused', 'ContentRefused', 'QuotaExhausted']) {
      state.settle(question(0), failed(type));
    }
    expect(state.progress(0).failures).toEqual([
      { type: 'ContentRefused', step: null, questions: 2, example: 'Why.' },
      { type: 'Timeout', step: null, questions: 1, example: 'Why.' },
    ]);
  });

  it('goes on from what a history of an earlier version hands over', () => {
    const { earlier: _, failures: __, ...standing } = opened().standing;
    const state = new BatchState(standing);
    state.read({ questions: [], kept: noSums, next: null });
    state.settle(question(0), failed('Timeout'));
    expect(state.progress(0)).toMatchObject({ done: 1, failures: [{ type: 'Timeout' }] });
    expect(state.progress(0).earlier).toBeUndefined();
  });

  it('begins in order, so many at a time', () => {
    const state = opened({ concurrency: 2 });
    expect([state.next(0)?.id, state.next(1)?.id, state.next(2)?.id]).toEqual([
      'q0',
      'q1',
      undefined,
    ]);
    state.set({ concurrency: 3 });
    expect([state.next(2)?.id, state.next(0)?.id]).toEqual(['q2', undefined]);
  });

  it('begins nothing while it is paused, and keeps what it was paused for', () => {
    const state = opened();
    state.settle(question(0), failed('QuotaExhausted'));
    state.pause();
    expect(state.next(0)).toBeUndefined();
    expect(state.progress(0)).toMatchObject({
      state: 'paused',
      pause: { reason: 'QuotaExhausted', message: 'Why.' },
    });
    state.resume();
    expect(state.progress(0)).toMatchObject({ state: 'running', pause: null });
  });

  it('counts a question once, and not yet where every other would fail alike', () => {
    const state = opened();
    const [first, second] = [begin(state), begin(state, 1)];
    state.settle(first, failed('UnknownModel'));
    state.settle(second, failed('Timeout', { em: 0 }));
    expect(state.progress(0)).toMatchObject({
      done: 1,
      outcomes: { failed: 1 },
      scores: { em: { questions: 1, sum: 0 } },
      usage: { calls: 2, costUsd: 0.2 },
    });
    state.resume();
    expect([state.next(0)?.id, state.next(1)?.id]).toEqual(['q0', 'q2']);
  });

  it('pauses for a spent budget only when nothing is under way any more', () => {
    const state = opened({ budgetUsd: 0.15 });
    state.settle(begin(state), tally());
    expect(state.next(1)).toBeUndefined();
    expect(state.progress(1).state).toBe('running');
    expect(state.next(0)).toBeUndefined();
    expect(state.progress(0)).toMatchObject({ state: 'paused', pause: { reason: 'budget' } });
  });

  it('has the judge asked before the next question, and keeps its cost apart', () => {
    const state = opened({ judge: 'j' });
    const first = begin(state);
    state.settle(first, tally({ toJudge: true }));
    const judging = begin(state);
    expect(judging).toEqual({ ...first, toJudge: true });
    const usage = { ...noUsage, calls: 3, costUsd: 0.3 };
    state.settleJudged(judging, { judged: { scores: { claimRecall: 0.5 }, usage } });
    const { failure } = failed('Terminated');
    state.settleJudged(judging, failure ? { failure } : {});
    expect(state.progress(0)).toMatchObject({
      done: 1,
      scores: { em: { questions: 1 }, claimRecall: { questions: 1, sum: 0.5 } },
      usage: { calls: 1, costUsd: 0.1 },
      judge: { usage: { calls: 3, costUsd: 0.3 }, failed: 1 },
    });
    expect(state.standing.spending).toMatchObject({ usd: expect.closeTo(0.4), priced: 1 });
  });

  it('goes on from where another has stood', () => {
    const state = opened();
    state.settle(begin(state), tally());
    const next = new BatchState(JSON.parse(JSON.stringify(state.standing)));
    expect(next.progress(2)).toEqual(state.progress(2));
    expect(next.next(0)?.id).toBe('q1');
    expect(state.standing.waiting).toHaveLength(2);
  });
});
