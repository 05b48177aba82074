/** What a run begins, counts and waits for, without a server. */
import { describe, expect, it } from 'vitest';
import type { Tally, WorkflowEnding } from '../../../core/run/run.js';
import { NO_SUMS } from '../../../core/run/sums.js';
import { NO_USAGE } from '../../../core/usage.js';
import { RunBook } from '../../../workflows/run/run-book.js';
import { initialBookState } from '../../../workflows/run/run-state.js';
import { begin, failed, opened, question, tally } from '../../support/run-book.js';

describe('RunBook', () => {
  it('holds a budget by what the first pooled calls may cost, and shows what is expected', () => {
    const state = opened({ transport: { size: 50 }, budgetUsd: 0.5 }, 10, 2);
    expect(begin(state)).toMatchObject({ id: 'q0', tellsCost: true });
    expect(state.next(1)).toBeUndefined();
    expect(state.progress(1)).not.toHaveProperty('underWayUsd');
    state.pooled(0.04);
    state.pooled(0.06);
    // Two calls of $0.05 each: five questions.
    expect([1, 2, 3, 4].map((running) => begin(state, running).tellsCost)).toEqual([
      true,
      true,
      true,
      undefined,
    ]);
    expect(state.next(5)).toBeUndefined();
    const later = new RunBook(JSON.parse(JSON.stringify(state.standing)));
    expect(later.progress(5).underWayUsd).toBeCloseTo(0.5, 9);
    // It was cheaper than that.
    later.countQuestion(question(0), tally({ usage: { ...NO_USAGE, calls: 2, costUsd: 0.02 } }));
    expect(later.next(4)?.id).toBe('q5');
    expect(later.progress(5).underWayUsd).toBeCloseTo(0.1, 9);
    // Of no run that goes call by call, or without a budget.
    for (const settings of [{ budgetUsd: 5 }, { transport: { size: 50 } }]) {
      const other = opened(settings);
      other.countQuestion(begin(other), tally());
      expect(other.progress(3)).not.toHaveProperty('underWayUsd');
    }
  });

  it('begins no more than the window takes, whatever is set', () => {
    const state = opened({ concurrency: 20 });
    expect(state.next(2, 2)).toBeUndefined();
    expect(state.next(1, 2)).toEqual(question(0));
  });

  it('says where a run stands before its input has been checked', () => {
    expect(new RunBook(initialBookState(undefined, 5)).progress(0)).toMatchObject({
      state: 'opening',
      questions: 0,
      settings: {
        concurrency: 20,
        budgetUsd: null,
        pauseAfter: 10,
        pauseIfFirst: 5,
        probeSeconds: 60,
      },
      startedAt: 5,
    });
  });

  it('counts failures by type and step, and what every question would meet apart', () => {
    const state = opened();
    for (const type of ['BadRequest', 'ContentRefused', 'ContentRefused', 'QuotaExhausted']) {
      state.countQuestion(question(0), failed(type));
    }
    expect(state.progress(0).failures).toEqual([
      { type: 'ContentRefused', step: null, questions: 2, example: 'Why.' },
      { type: 'BadRequest', step: null, questions: 1, example: 'Why.' },
    ]);
  });

  describe('whose first questions fail', () => {
    const fails = (step: string, type = 'BadRequest') => {
      const usage = { ...NO_USAGE, calls: 1, costUsd: 0.1 };
      return tally({
        outcome: 'failed',
        failure: { type, message: 'Why.', step },
        scores: {},
        usage,
      });
    };
    const ids = (state: RunBook) => state.standing.waiting.map(({ id }) => id);

    it.each(['BadRequest', 'ContextTooLong'])('alike by %s pauses, and asks them again', (type) => {
      const state = opened({ pauseIfFirst: 3, budgetUsd: 9 }, 6);
      const asked = [0, 1, 2, 3].map((running) => begin(state, running));
      for (const one of asked.slice(0, 2)) state.countQuestion(one, fails('validate', type));
      expect(state.progress(2)).toMatchObject({ state: 'running', done: 0 });
      const later = new RunBook(JSON.parse(JSON.stringify(state.standing)));
      for (const one of asked.slice(2)) later.countQuestion(one, fails('validate', type));
      expect(later.progress(0)).toMatchObject({
        done: 0,
        outcomes: { failed: 0 },
        usage: { calls: 4 },
        pause: {
          reason: type,
          message: 'The first 3 questions failed alike, so every other would: Why.',
        },
      });
      expect(later.standing).toMatchObject({ unrecorded: { usage: { calls: 4 } } });
      expect(later.next(0)).toBeUndefined();
      later.resume();
      expect(ids(later).sort()).toEqual(['q0', 'q1', 'q2', 'q3', 'q4', 'q5']);
      // The trouble is mended for all but one question.
      for (let n = 0; n < 5; n++) later.countQuestion(begin(later), tally());
      later.countQuestion(begin(later), fails('validate', type));
      expect(later.progress(0)).toMatchObject({ done: 6, outcomes: { answered: 5, failed: 1 } });
      expect(later.standing.spending).toMatchObject({ priced: 6 });
    });

    it.each<[string, Tally[]]>([
      ['at two steps', [fails('validate'), fails('rankPair'), fails('validate')]],
      ['by two types', [fails('a'), fails('a', 'ContextTooLong'), fails('a')]],
      ['after an answer', [tally(), fails('a'), fails('a'), fails('a')]],
      ['before an answer', [fails('a'), fails('a'), tally(), fails('a'), fails('a')]],
      [
        'by what is of their own',
        ['a', 'a', 'a', 'a'].map((step) => fails(step, 'ContentRefused')),
      ],
    ])('%s counts them as failed', (_, tallies) => {
      const state = opened({ pauseIfFirst: 3 }, 6);
      for (const one of tallies) state.countQuestion(begin(state), one);
      const failures = tallies.filter(({ outcome }) => outcome === 'failed').length;
      expect(state.progress(0)).toMatchObject({
        pause: null,
        done: tallies.length,
        outcomes: { failed: failures },
        usage: { calls: tallies.length },
      });
      expect(state.standing.spending.priced).toBe(tallies.length);
      expect(state.holdsAny).toBe(false);
    });

    it('counts them at the end of a run that is shorter, and of one that never pauses for it', () => {
      const short = opened({ pauseIfFirst: 4 }, 3);
      for (let n = 0; n < 3; n++) short.countQuestion(begin(short), fails('a'));
      expect(short.progress(0)).toMatchObject({ done: 0, pause: null });
      expect(short.holdsAny).toBe(true);
      short.askHeld();
      expect(short.progress(0)).toMatchObject({ done: 3, outcomes: { failed: 3 } });
      const patient = opened({ pauseIfFirst: null }, 8);
      for (let n = 0; n < 8; n++) patient.countQuestion(begin(patient), fails('a'));
      expect(patient.progress(0)).toMatchObject({ done: 8, pause: null });
    });

    it('is what every kept answer of an earlier start forbids', () => {
      const state = opened({ pauseIfFirst: 2 }, 4);
      const kept = { ...NO_SUMS, done: 1, outcomes: { ...NO_SUMS.outcomes, answered: 1 } };
      state.read({ questions: [], read: 1, kept, next: null });
      for (let n = 0; n < 3; n++) state.countQuestion(begin(state), fails('a'));
      expect(state.progress(0)).toMatchObject({ done: 4, pause: null });
    });
  });

  describe('whose first judgements fail', () => {
    const usage = { ...NO_USAGE, calls: 1, costUsd: 0.1 };
    const fails = (type = 'BadRequest', step = 'judgeClaim') => ({
      failure: { type, message: 'Why.', step },
      usage,
    });
    const judged = { judged: { scores: { claimRecall: 1 }, usage } };

    /** A run whose questions are answered, and whose answers are to be judged. */
    function answered(pauseIfFirst: number | null, hasJudged?: true) {
      const state = opened({ pauseIfFirst, judge: 'j' }, 6);
      const kept = { ...NO_SUMS, done: 1, outcomes: { ...NO_SUMS.outcomes, answered: 1 } };
      state.read({ questions: [], read: 1, kept, next: null, ...(hasJudged && { hasJudged }) });
      const asked = Array.from({ length: 6 }, (_, running) => begin(state, running));
      for (const one of asked) state.countQuestion(one, tally({ toJudge: true }));
      return state;
    }

    it('alike pauses, and asks the judge of all of them again', () => {
      const state = answered(3);
      for (let n = 0; n < 2; n++) state.countJudged(begin(state), fails());
      expect(state.progress(0)).toMatchObject({ pause: null, judge: { failed: 0 } });
      expect(state.holdsAny).toBe(true);
      const later = new RunBook(JSON.parse(JSON.stringify(state.standing)));
      later.countJudged(begin(later), fails());
      expect(later.progress(0)).toMatchObject({
        pause: {
          reason: 'BadRequest',
          message: 'The first 3 judgements failed alike, so every other would: Why.',
        },
        judge: { failed: 0, usage: { calls: 3 } },
      });
      expect(later.standing.unrecorded?.judge).toMatchObject({ calls: 3 });
      later.resume();
      for (let n = 0; n < 6; n++) {
        const question = begin(later);
        expect(question.toJudge).toBe(true);
        later.countJudged(question, n < 5 ? judged : fails());
      }
      expect(later.progress(0)).toMatchObject({ pause: null, judge: { failed: 1 } });
      expect(later.standing.waiting).toEqual([]);
    });

    it.each<[string, WorkflowEnding[], number]>([
      ['at two steps', [fails(), fails('BadRequest', 'judgeRubric'), fails()], 3],
      ['after a judgement', [judged, fails(), fails(), fails()], 3],
      ['before a judgement', [fails(), fails(), judged, fails(), fails(), fails()], 5],
      ['by what is of their own', Array(4).fill(fails('ContentRefused')), 4],
    ])('%s counts them as failed', (_, endings, failed) => {
      const state = answered(3);
      for (const ending of endings) state.countJudged(begin(state), ending);
      expect(state.progress(0)).toMatchObject({ pause: null, judge: { failed } });
      expect(state.holdsAny).toBe(false);
    });

    it('counts them where an earlier start has judged, where nothing pauses, and at the end', () => {
      for (const state of [answered(2, true), answered(null)]) {
        for (let n = 0; n < 3; n++) state.countJudged(begin(state), fails());
        expect(state.progress(0)).toMatchObject({ pause: null, judge: { failed: 3 } });
      }
      const short = answered(9);
      for (let n = 0; n < 6; n++) short.countJudged(begin(short), fails());
      expect(short.progress(0).judge?.failed).toBe(0);
      short.askHeld();
      expect(short.progress(0).judge?.failed).toBe(6);
    });

    it('leaves them held while other questions are answered', () => {
      const state = opened({ pauseIfFirst: 3, judge: 'j' }, 6);
      const [one, two] = [begin(state), begin(state, 1)];
      state.countQuestion(one, tally({ toJudge: true }));
      state.countJudged(begin(state), fails());
      state.countQuestion(two, tally());
      expect(state.holdsAny).toBe(true);
    });
  });

  it('begins nothing while it is paused, and keeps what it was paused for', () => {
    const state = opened();
    state.countQuestion(question(0), failed('QuotaExhausted'));
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
    state.countQuestion(first, failed('UnknownModel'));
    state.countQuestion(second, failed('ContentRefused', { em: 0 }));
    expect(state.progress(0)).toMatchObject({
      done: 1,
      outcomes: { failed: 1 },
      scores: { em: { questions: 1, sum: 0 } },
      usage: { calls: 2, costUsd: 0.2 },
    });
    state.resume();
    expect([state.next(0)?.id, state.next(1)?.id]).toEqual(['q0', 'q2']);
  });

  it('says in a pause for the budget what becomes of another budget, until it is resumed', () => {
    const state = opened({ budgetUsd: 0.15 });
    state.countQuestion(begin(state), tally());
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

  it('pauses where it has a budget and no price, and goes on with the costs that it knows', () => {
    const state = opened({ budgetUsd: 1 });
    state.countQuestion(begin(state), tally({ usage: { ...NO_USAGE, calls: 1, costUsd: null } }));
    expect(state.next(0)).toBeUndefined();
    expect(state.progress(0).pause?.reason).toBe('priceUnknown');
    state.resume();
    state.countQuestion(begin(state), tally());
    expect(begin(state).id).toBe('q2');
    expect(state.progress(1)).toMatchObject({ done: 2, usage: { costUsd: null }, pause: null });
  });

  it('pauses at the first cost that an endpoint states which was assumed to be free', () => {
    const stated = (usd: number) =>
      tally({ usage: { ...NO_USAGE, calls: 1, costUsd: usd, statedUsd: usd } });
    const local = (settings: object) => opened(settings, 9, undefined, ['m1']);
    const state = local({ budgetUsd: 1 });
    state.countQuestion(begin(state), tally({ usage: { ...NO_USAGE, calls: 1 } }));
    state.countQuestion(begin(state), stated(0));
    expect(state.progress(0).pause).toBeNull();
    state.countQuestion(begin(state), stated(0.02));
    expect(state.next(0)).toBeUndefined();
    expect(state.progress(0).pause).toMatchObject({
      reason: 'notFree',
      message: expect.stringMatching(/m1 .* assumed to be free, but states .* cost \$0\.02\./),
    });
    // Who resumes knows it: from then on what is stated counts, as any other cost does.
    const later = new RunBook(JSON.parse(JSON.stringify(state.standing)));
    later.resume();
    later.countQuestion(begin(later), stated(0.02));
    expect(later.progress(0)).toMatchObject({ pause: null, usage: { statedUsd: 0.04 } });

    for (const other of [local({}), opened({ budgetUsd: 1 })]) {
      other.countQuestion(begin(other), stated(0.02));
      expect(other.progress(0).pause).toBeNull();
    }
  });

  it('spends over its budget at most what is under way at that moment', () => {
    const state = opened({ budgetUsd: 0.5, concurrency: 4 }, 40);
    const underWay: ReturnType<typeof begin>[] = [];
    // Cheap at first, then dear: the mean is too low.
    for (let ended = 0; ; ended++) {
      for (let next = state.next(underWay.length); next; next = state.next(underWay.length)) {
        underWay.push(next);
      }
      const one = underWay.shift();
      if (!one) break;
      const costUsd = ended < 10 ? 0.01 : 0.2;
      state.countQuestion(one, tally({ usage: { ...NO_USAGE, calls: 1, costUsd } }));
    }
    expect(state.progress(0).pause?.reason).toBe('budget');
    expect(state.standing.spending.usd).toBeGreaterThan(0.5 - 0.2);
    expect(state.standing.spending.usd).toBeLessThanOrEqual(0.5 + 4 * 0.2);
  });

  it('counts what questions took that were cancelled with the run, and nothing else of them', () => {
    const state = opened({ judge: 'j' });
    const estimated = {
      attempts: 1,
      repeated: 0,
      promptTokens: 50,
      completionTokens: 9,
      costUsd: 0.02,
    };
    const usage = { ...NO_USAGE, calls: 2, costUsd: 0.12, estimated };
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
    expect(state.standing.unrecorded).toEqual({ usage, judge: usage });
  });

  it('remembers what attempts took that no answer tells of', () => {
    const state = opened({ judge: 'j' });
    expect(state.standing).not.toHaveProperty('unrecorded');
    // Recorded with what it took.
    state.countQuestion(begin(state), failed('BadRequest'));
    expect(state.standing).not.toHaveProperty('unrecorded');
    state.countQuestion(begin(state), failed('QuotaExhausted'));
    const took = { ...NO_USAGE, calls: 2, costUsd: 0.2 };
    const { failure } = failed('BadRequest');
    if (failure) state.countJudged({ ...question(0), toJudge: true }, { failure, usage: took });
    expect(state.standing.unrecorded).toEqual({ usage: tally().usage, judge: took });
  });

  it('has the judge asked before the next question, and keeps its cost apart', () => {
    const state = opened({ judge: 'j' });
    const first = begin(state);
    state.countQuestion(first, tally({ toJudge: true }));
    const judging = begin(state);
    expect(judging).toEqual({ ...first, toJudge: true, callsEach: 1 });
    const usage = { ...NO_USAGE, calls: 3, costUsd: 0.3 };
    state.countJudged(judging, { judged: { scores: { claimRecall: 0.5 }, usage } });
    const { failure } = failed('Terminated');
    state.countJudged(judging, failure ? { failure } : {});
    expect(state.progress(0)).toMatchObject({
      done: 1,
      scores: { em: { questions: 1 }, claimRecall: { questions: 1, sum: 0.5 } },
      usage: { calls: 1, costUsd: 0.1 },
      judge: { usage: { calls: 3, costUsd: 0.3 }, failed: 1 },
    });
    expect(state.standing.spending).toMatchObject({ usd: expect.closeTo(0.4), priced: 1 });
  });
});

describe('how many calls a question makes', () => {
  const calls = (count: number) => tally({ usage: { ...NO_USAGE, calls: count, costUsd: 0.1 } });

  it('is the most it may make, until some have ended', () => {
    const state = opened({}, 4, undefined, undefined, 7);
    const first = begin(state);
    expect(first.callsEach).toBe(7);
    state.countQuestion(first, calls(5));
    expect(begin(state).callsEach).toBe(5);
    state.countQuestion(first, calls(2));
    expect(begin(state).callsEach).toBe(3.5);
  });

  it('has those of the judge in it, of which nobody knows before', () => {
    const state = opened({ judge: 'j' }, 4, undefined, undefined, 1);
    const first = begin(state);
    expect(first).not.toHaveProperty('callsEach');
    state.countQuestion(first, calls(1));
    const usage = { ...NO_USAGE, calls: 4, costUsd: 0.4 };
    state.countJudged({ ...first, toJudge: true }, { judged: { scores: {}, usage } });
    expect(begin(state).callsEach).toBe(5);
  });
});
