/** What a run begins, counts and waits for, without a server. */
import { describe, expect, it } from 'vitest';
import type { Tally } from '../../../core/run/run.js';
import { noSums } from '../../../core/run/sums.js';
import { noUsage } from '../../../core/usage.js';
import type { PageQuestion } from '../../../workflows/activities/run.js';
import { parseRunInput } from '../../../workflows/methods.js';
import type { WaitingQuestion } from '../../../workflows/run/held-back.js';
import { RunBook } from '../../../workflows/run/run-book.js';
import { openingStanding } from '../../../workflows/run/standing.js';

const question = (at: number): PageQuestion => ({
  id: `q${at}`,
  name: `q${at}`,
  question: '?',
  at,
});

function opened(settings: object = {}, questions = 3, callsEach?: number): RunBook {
  const input = { run: 'r', method: 'base' as const, dataset: 'd.jsonl', ...settings };
  const state = new RunBook(openingStanding(input, 0));
  const told = callsEach !== undefined && { callsEach };
  const spec = { ...parseRunInput(input), dataset: 'd' };
  state.opened({ spec, datasetName: 'd', questions, ...told });
  state.read({
    questions: Array.from({ length: questions }, (_, i) => question(i)),
    kept: noSums,
    next: null,
  });
  return state;
}

/** The next question, where one has to be there. */
function begin(state: RunBook, running = 0): WaitingQuestion {
  const next = state.next(running);
  if (!next) throw new Error('Nothing begins.');
  return next;
}

/** The same at a time that can be set; 1000 at first. */
function at(state: RunBook): [state: RunBook, set: (ms: number) => void] {
  let now = 1000;
  const set = (ms: number) => {
    now = ms;
  };
  return [new RunBook(state.standing, () => now), set];
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

describe('RunBook', () => {
  it('shows what is expected of the questions under way, of a run by batch with a budget', () => {
    const byBatch = { transport: { size: 50 }, budgetUsd: 5 };
    const state = opened(byBatch);
    expect(state.progress(3)).not.toHaveProperty('underWayUsd');
    state.settle(begin(state), tally());
    expect(state.progress(3).underWayUsd).toBeCloseTo(0.3, 9);
    for (const settings of [{ budgetUsd: 5 }, { transport: { size: 50 } }]) {
      const other = opened(settings);
      other.settle(begin(other), tally());
      expect(other.progress(3)).not.toHaveProperty('underWayUsd');
    }
  });

  it('holds a budget by what the first pooled calls may cost, before one has ended', () => {
    const state = opened({ transport: { size: 50 }, budgetUsd: 0.5 }, 10, 2);
    expect(begin(state)).toMatchObject({ id: 'q0', tellsCost: true });
    expect(state.next(1)).toBeUndefined();
    expect(state.progress(1)).not.toHaveProperty('underWayUsd');
    state.pooled(0.04);
    state.pooled(0.06);
    // Two calls of $0.05 each: five questions.
    expect([1, 2, 3, 4].map((running) => begin(state, running).tellsCost)).toEqual([
      ...[true, true, true, undefined],
    ]);
    expect(state.next(5)).toBeUndefined();
    const later = new RunBook(JSON.parse(JSON.stringify(state.standing)));
    expect(later.progress(5).underWayUsd).toBeCloseTo(0.5, 9);
    // It was cheaper than that.
    later.settle(question(0), tally({ usage: { ...noUsage, calls: 2, costUsd: 0.02 } }));
    expect(later.next(4)?.id).toBe('q5');
    expect(later.progress(5).underWayUsd).toBeCloseTo(0.1, 9);
  });

  it('has nothing told without a budget, or by a method that does not tell its calls', () => {
    expect(begin(opened({ transport: { size: 50 } }, 3, 2)).tellsCost).toBeUndefined();
    const earlier = opened({ transport: { size: 50 }, budgetUsd: 0.5 }, 5);
    expect([0, 1, 2, 3].map((running) => begin(earlier, running).tellsCost)).toEqual(
      new Array(4).fill(undefined),
    );
    expect(earlier.next(4)).toBeUndefined();
  });

  it('begins no more than the window takes, whatever is set', () => {
    const state = opened({ concurrency: 20 });
    expect(state.next(2, 2)).toBeUndefined();
    expect(state.next(1, 2)).toEqual(question(0));
  });

  it('says where a batch stands before its input has been checked', () => {
    expect(new RunBook(openingStanding(undefined, 5)).progress(0)).toMatchObject({
      state: 'opening',
      questions: 0,
      settings: { concurrency: 20, budgetUsd: null, pauseAfter: 10, probeSeconds: 60 },
      startedAt: 5,
    });
  });

  it('counts failures by type and step, and what every question would meet apart', () => {
    const state = opened();
    for (const type of [
      'MalformedResponse',
      'ContentRefused',
      'ContentRefused',
      'QuotaExhausted',
    ]) {
      state.settle(question(0), failed(type));
    }
    expect(state.progress(0).failures).toEqual([
      { type: 'ContentRefused', step: null, questions: 2, example: 'Why.' },
      { type: 'MalformedResponse', step: null, questions: 1, example: 'Why.' },
    ]);
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
    state.settle(second, failed('ContentRefused', { em: 0 }));
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

  it('says in a pause for the budget what becomes of another budget, until it is resumed', () => {
    const state = opened({ budgetUsd: 0.15 });
    state.settle(begin(state), tally());
    state.next(0);
    const messageAt = (budgetUsd: number | null) => {
      state.set({ budgetUsd });
      const { pause } = state.progress(0);
      expect(pause).toMatchObject({ reason: 'budget', since: expect.any(Number) });
      return pause?.message;
    };
    expect(messageAt(0.16)).toMatch(/^The budget of \$0\.16 is spent: /);
    expect(messageAt(5)).toBe('The budget was spent. It is $5.00 now: resume to go on.');
    expect(messageAt(null)).toMatch(/There is no budget any more: resume to go on\.$/);
    state.set({ concurrency: 3 });
    expect(state.next(0)).toBeUndefined();
    state.resume();
    expect(state.next(0)).toBeDefined();
  });

  it('counts what questions took that were cancelled with the run, and nothing else of them', () => {
    const state = opened({ judge: 'j' });
    const estimated = {
      ...{ attempts: 1, repeated: 0, promptTokens: 50, completionTokens: 9 },
      costUsd: 0.02,
    };
    const usage = { ...noUsage, calls: 2, costUsd: 0.12, estimated };
    const failure = { type: 'Cancelled', message: 'Why.', step: null };
    state.stopped(begin(state), { stopped: true, failure, usage });
    state.stopped({ ...begin(state), toJudge: true }, { stopped: true, failure, usage });
    // Of one that no worker told of.
    state.stopped(begin(state), { stopped: true, failure });
    expect(state.progress(0)).toMatchObject({
      done: 0,
      outcomes: { failed: 0 },
      usage,
      judge: { usage, failed: 0 },
    });
    expect(state.standing.spending).toMatchObject({ usd: 0.24, priced: 0, unpriced: 0 });
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

  it('says since when it is paused', () => {
    const [state] = at(opened());
    state.pause();
    expect(state.progress(0).pause).toMatchObject({ reason: 'user', since: 1000 });
  });

  it('goes on from where another has stood', () => {
    const state = opened();
    state.settle(begin(state), tally());
    const next = new RunBook(JSON.parse(JSON.stringify(state.standing)));
    expect(next.progress(2)).toEqual(state.progress(2));
    expect(next.next(0)?.id).toBe('q1');
    expect(state.standing.waiting).toHaveLength(2);
  });
});

describe('RunBook in an outage', () => {
  const away = (scores?: Tally['scores']) => failed('Connection', scores);
  const ids = (state: RunBook) => state.standing.waiting.map(({ id }) => id);

  /** Begins so many, and has all of them fail by an outage. */
  function failing(state: RunBook, times: number): void {
    const begun = Array.from({ length: times }, (_, i) => begin(state, i));
    for (const one of begun) state.settle(one, away());
  }

  it('pauses after so many failures in a row, and asks all of them again', () => {
    const [state] = at(opened({ pauseAfter: 3, probeSeconds: 5 }, 5));
    failing(state, 2);
    expect(state.progress(0)).toMatchObject({ state: 'running', done: 0 });
    failing(state, 1);
    expect(state.progress(0)).toMatchObject({
      state: 'paused',
      done: 0,
      outcomes: { failed: 0 },
      pause: { reason: 'outage', since: 1000, nextProbe: 6000 },
      // What they took is known now, and the cache has it.
      usage: { calls: 3 },
    });
    expect(state.progress(0).pause?.message).toContain('Connection: Why.');
    expect(ids(state).sort()).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
  });

  it.each(['Connection', 'Overloaded', 'Timeout', 'RateLimited'])('pauses for %s', (type) => {
    const state = opened({ pauseAfter: 1 });
    state.settle(begin(state), failed(type));
    expect(state.progress(0).pause?.reason).toBe('outage');
  });

  it('fails them where it never pauses', () => {
    const state = opened({ pauseAfter: null });
    failing(state, 2);
    expect(state.progress(0)).toMatchObject({ state: 'running', done: 2, outcomes: { failed: 2 } });
  });

  it('asks one question at a time until one ends otherwise', () => {
    const [state, set] = at(opened({ pauseAfter: 1, probeSeconds: 5 }, 3));
    failing(state, 1);
    expect(state.next(0)).toBeUndefined();
    set(6000);
    // One that is under way already shows it as well.
    expect(state.next(1)).toBeUndefined();
    const probe = begin(state);
    expect(state.next(1)).toBeUndefined();
    set(9000);
    state.settle(probe, away());
    expect(state.progress(0).pause).toMatchObject({ since: 1000, nextProbe: 14_000 });
    set(14_000);
    const next = begin(state);
    expect(next.id).not.toBe(probe.id);
    state.settle(next, tally());
    expect(state.progress(0)).toMatchObject({ state: 'running', pause: null, done: 1 });
    expect([begin(state).id, begin(state, 1).id].sort()).toEqual(['q0', 'q1']);
  });

  it('asks once more what failed while others were answered, and no more than once', () => {
    const state = opened({ pauseAfter: 3 }, 4);
    failing(state, 1);
    state.settle(begin(state), tally());
    expect(ids(state)).toEqual(['q2', 'q3', 'q0']);
    for (const id of ['q2', 'q3']) {
      const one = begin(state);
      expect(one.id).toBe(id);
      state.settle(one, tally());
    }
    state.settle(begin(state), away({ em: 0 }));
    expect(state.progress(0)).toMatchObject({ done: 3, outcomes: { failed: 0 } });
    state.askHeld();
    expect(state.progress(0)).toMatchObject({
      done: 4,
      outcomes: { answered: 3, failed: 1 },
      scores: { em: { questions: 4, sum: 3 } },
      usage: { calls: 5 },
    });
    expect(state.standing.spending).toMatchObject({ usd: expect.closeTo(0.5), priced: 4 });
    expect(ids(state)).toEqual([]);
  });

  it('forgets in a pause that a question has failed before', () => {
    const [state, set] = at(opened({ pauseAfter: 2, probeSeconds: 5 }, 3));
    failing(state, 1);
    state.settle(begin(state), tally());
    failing(state, 2);
    expect(state.progress(0).pause?.reason).toBe('outage');
    set(6000);
    expect([begin(state), begin(state)].some(({ again }) => again)).toBe(false);
  });

  it('takes an answer from the cache for no sign of the provider, but for one in a pause', () => {
    const state = opened({ pauseAfter: 2 }, 5);
    const cached = tally({ usage: { ...noUsage, calls: 1, cachedCalls: 1 } });
    failing(state, 1);
    state.settle(begin(state), cached);
    failing(state, 1);
    expect(state.progress(0).pause?.reason).toBe('outage');
    state.settle(question(9), cached);
    expect(state.progress(0).pause).toBeNull();
  });

  it('judges again what an outage kept from being judged, and counts it once', () => {
    const state = opened({ judge: 'j', pauseAfter: 2 }, 1);
    state.settle(begin(state), tally({ toJudge: true }));
    const { failure } = away();
    for (const times of [0, 1]) {
      const judging = begin(state);
      expect(judging).toMatchObject({ toJudge: true });
      state.settleJudged(judging, { ...(failure && { failure }) });
      expect(state.progress(0).judge?.failed).toBe(0);
      state.askHeld();
      expect(state.progress(0).judge?.failed).toBe(times);
    }
    expect(state.progress(0)).toMatchObject({ done: 1, outcomes: { answered: 1 } });
  });

  it('pauses at once where an answer cannot be recorded, or no question read', () => {
    const [state, set] = at(opened({ probeSeconds: 5 }, 2));
    const { failure } = away();
    if (failure) state.away(failure, begin(state));
    expect(state.progress(0).pause).toMatchObject({ reason: 'outage', nextProbe: 6000 });
    expect(state.mayRead).toBe(false);
    set(6000);
    expect(state.mayRead).toBe(true);
    expect(ids(state)).toEqual(['q1', 'q0']);
  });

  it('stays paused by a person, and for what a wait does not heal', () => {
    const state = opened({ pauseAfter: 1 }, 4);
    failing(state, 1);
    state.pause();
    state.settle(question(1), tally());
    expect(state.progress(0).pause?.reason).toBe('user');
    state.settle(question(2), away());
    expect(state.progress(0).pause?.reason).toBe('user');
    state.resume();
    failing(state, 1);
    state.settle(question(3), failed('Authentication'));
    expect(state.progress(0).pause?.reason).toBe('Authentication');
  });

  it('carries what it holds back to the next history', () => {
    const state = opened({ pauseAfter: 2 });
    failing(state, 1);
    const next = new RunBook(JSON.parse(JSON.stringify(state.standing)));
    failing(next, 1);
    expect(next.progress(0).pause?.reason).toBe('outage');
    expect(ids(next).sort()).toEqual(['q0', 'q1', 'q2']);
  });
});

describe('RunBook where a store or a worker has to be mended', () => {
  it.each(['StoreUnwritable', 'RunMismatch'])('looks now and then whether it is: %s', (type) => {
    const [state, set] = at(opened({ probeSeconds: 5 }, 3));
    state.settle(begin(state), failed(type));
    expect(state.progress(0)).toMatchObject({
      state: 'paused',
      pause: { reason: type, since: 1000, nextProbe: 6000 },
      done: 0,
    });
    // A probe that meets it again puts the next one off.
    set(6000);
    const probe = begin(state);
    expect(state.next(1)).toBeUndefined();
    set(7000);
    state.settle(probe, failed(type));
    expect(state.progress(0).pause).toMatchObject({ reason: type, since: 1000, nextProbe: 12_000 });
    set(12_000);
    state.settle(begin(state), tally());
    expect(state.progress(0)).toMatchObject({ state: 'running', pause: null, done: 1 });
  });

  it('waits for a person where the run never asks by itself, or nobody can mend it so', () => {
    for (const [type, settings] of [
      ['StoreUnwritable', { pauseAfter: null }],
      ['QuotaExhausted', {}],
    ] as const) {
      const state = opened(settings);
      state.settle(begin(state), failed(type));
      expect(state.progress(0).pause).not.toHaveProperty('nextProbe');
      expect(state.next(0)).toBeUndefined();
    }
  });
});
