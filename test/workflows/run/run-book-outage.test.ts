/** When a run pauses by itself, and how it goes on, without a server. */
import { describe, expect, it } from 'vitest';
import type { Tally } from '../../../core/run/run.js';
import { NO_USAGE } from '../../../core/usage.js';
import { RunBook } from '../../../workflows/run/run-book.js';
import { at, begin, failed, opened, question, tally } from '../../support/run-book.js';

describe('RunBook in an outage', () => {
  const away = (scores?: Tally['scores']) => failed('Connection', scores);
  const ids = (state: RunBook) => state.standing.waiting.map(({ id }) => id);

  /** Begins so many, and has all of them fail by an outage. */
  function failing(state: RunBook, times: number): void {
    const begun = Array.from({ length: times }, (_, i) => begin(state, i));
    for (const one of begun) state.countQuestion(one, away());
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

  it('pauses where something else answers in the place of the provider', () => {
    const state = opened({ pauseAfter: 1 }, 2);
    state.countQuestion(begin(state), failed('MalformedResponse'));
    expect(state.progress(0).pause?.message).toContain('MalformedResponse: Why.');
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
    state.countQuestion(probe, away());
    expect(state.progress(0).pause).toMatchObject({ since: 1000, nextProbe: 14_000 });
    set(14_000);
    const next = begin(state);
    expect(next.id).not.toBe(probe.id);
    state.countQuestion(next, tally());
    expect(state.progress(0)).toMatchObject({ state: 'running', pause: null, done: 1 });
    expect([begin(state).id, begin(state, 1).id].sort()).toEqual(['q0', 'q1']);
  });

  it('asks once more what failed while others were answered, and no more than once', () => {
    const state = opened({ pauseAfter: 3 }, 4);
    failing(state, 1);
    state.countQuestion(begin(state), tally());
    expect(ids(state)).toEqual(['q2', 'q3', 'q0']);
    for (const id of ['q2', 'q3']) {
      const one = begin(state);
      expect(one.id).toBe(id);
      state.countQuestion(one, tally());
    }
    state.countQuestion(begin(state), away({ em: 0 }));
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
    state.countQuestion(begin(state), tally());
    failing(state, 2);
    expect(state.progress(0).pause?.reason).toBe('outage');
    set(6000);
    expect([begin(state), begin(state)].some(({ again }) => again)).toBe(false);
  });

  it('takes an answer from the cache for no sign of the provider, but for one in a pause', () => {
    const state = opened({ pauseAfter: 2 }, 5);
    const cached = tally({ usage: { ...NO_USAGE, calls: 1, cachedCalls: 1 } });
    failing(state, 1);
    state.countQuestion(begin(state), cached);
    failing(state, 1);
    expect(state.progress(0).pause?.reason).toBe('outage');
    state.countQuestion(question(9), cached);
    expect(state.progress(0).pause).toBeNull();
  });

  it('judges again what an outage kept from being judged, and counts it once', () => {
    const state = opened({ judge: 'j', pauseAfter: 2 }, 1);
    state.countQuestion(begin(state), tally({ toJudge: true }));
    const { failure } = away();
    for (const times of [0, 1]) {
      const judging = begin(state);
      expect(judging).toMatchObject({ toJudge: true });
      state.countJudged(judging, { ...(failure && { failure }) });
      expect(state.progress(0).judge?.failed).toBe(0);
      state.askHeld();
      expect(state.progress(0).judge?.failed).toBe(times);
    }
    expect(state.progress(0)).toMatchObject({ done: 1, outcomes: { answered: 1 } });
  });

  it('stays paused by a person, and for what a wait does not heal', () => {
    const state = opened({ pauseAfter: 1 }, 4);
    failing(state, 1);
    state.pause();
    state.countQuestion(question(1), tally());
    expect(state.progress(0).pause?.reason).toBe('user');
    state.countQuestion(question(2), away());
    expect(state.progress(0).pause?.reason).toBe('user');
    state.resume();
    failing(state, 1);
    state.countQuestion(question(3), failed('Authentication'));
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
    state.countQuestion(begin(state), failed(type));
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
    state.countQuestion(probe, failed(type));
    expect(state.progress(0).pause).toMatchObject({
      reason: type,
      since: 1000,
      nextProbe: 12_000,
    });
    set(12_000);
    state.countQuestion(begin(state), tally());
    expect(state.progress(0)).toMatchObject({ state: 'running', pause: null, done: 1 });
  });

  it('looks once an hour, and when the day begins, whether a tenant may spend again', () => {
    const [state, set] = at(opened({ probeSeconds: 5 }, 3));
    const [hour, day] = [3_600_000, 86_400_000];
    state.countQuestion(begin(state), failed('TenantBudget'));
    expect(state.progress(0).pause).toMatchObject({ since: 1000, nextProbe: 1000 + hour });
    set(day - 1000);
    state.countQuestion(begin(state), failed('TenantBudget'));
    expect(state.progress(0).pause).toMatchObject({ since: 1000, nextProbe: day });
    set(day);
    state.countQuestion(begin(state), tally());
    expect(state.progress(0)).toMatchObject({ state: 'running', done: 1 });
  });

  it('waits for a person where the run never asks by itself, or nobody can mend it so', () => {
    for (const [type, settings] of [
      ['StoreUnwritable', { pauseAfter: null }],
      ['QuotaExhausted', {}],
      ['SchemaRefused', {}],
    ] as const) {
      const state = opened(settings);
      state.countQuestion(begin(state), failed(type));
      expect(state.progress(0).pause).not.toHaveProperty('nextProbe');
      expect(state.next(0)).toBeUndefined();
    }
  });
});
