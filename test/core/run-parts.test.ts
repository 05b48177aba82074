/** The small pure parts of a run: sums, settings, endings, differences. */
import { describe, expect, it } from 'vitest';
import { differences } from '../../core/object-differences.js';
import type { Tally } from '../../core/run/run.js';
import { checkSettings, settingsOf } from '../../core/run/run-settings.js';
import { addScores, addSums, addTally, NO_SUMS } from '../../core/run/sums.js';
import { NO_USAGE } from '../../core/usage.js';
import { endingByFailure, endingByResult } from '../../workflows/run/ending.js';

const tally = (outcome: Tally['outcome'], scores: Tally['scores']): Tally => ({
  id: 'q',
  outcome,
  scores,
  usage: NO_USAGE,
});

describe('sums of a run', () => {
  const right = addTally(NO_SUMS, tally('answered', { em: 1, f1: 1 }));
  const both = addTally(right, tally('failed', { em: 0, f1: 0 }));
  const label = addTally(NO_SUMS, tally('unknown', { accuracy: 0.5 }));

  it('count outcomes, and each metric over the questions that it applies to', () => {
    expect(addTally(both, tally('answered', { f1: 0.5 }))).toEqual({
      done: 3,
      outcomes: { answered: 2, unknown: 0, unreadable: 0, failed: 1 },
      scores: {
        em: { questions: 2, sum: 1, sumOfSquares: 1 },
        f1: { questions: 3, sum: 1.5, sumOfSquares: 1.25 },
      },
    });
  });

  it('count what has no score by metric, with the reason of the first', () => {
    const without = { ...tally('answered', { em: 1 }), unscored: { brief: 'No ruler.' } };
    const one = addTally(NO_SUMS, without);
    expect(one).toMatchObject({ done: 1, scores: { em: { questions: 1 } } });
    expect(one.unscored).toEqual({ brief: { questions: 1, example: 'No ruler.' } });
    const more = addScores(one, { scores: {}, unscored: { brief: 'Late.', polite: 'Hm.' } });
    expect(more.unscored).toEqual({
      brief: { questions: 2, example: 'No ruler.' },
      polite: { questions: 1, example: 'Hm.' },
    });
    expect(addSums(right, more).unscored).toEqual(more.unscored);
    expect(addSums(more, one).unscored?.brief).toEqual({ questions: 3, example: 'No ruler.' });
    // Runs without such metrics carry nothing of it.
    expect('unscored' in addSums(right, both)).toBe(false);
  });

  it('take further scores of questions that are counted already', () => {
    const judged = addScores(right, { scores: { claimRecall: 0.5 } });
    expect(judged).toMatchObject({ done: 1, outcomes: { answered: 1 } });
    expect(judged.scores.claimRecall).toEqual({ questions: 1, sum: 0.5, sumOfSquares: 0.25 });
    expect(judged.scores.em).toEqual(right.scores.em);
  });

  it('add up, in whatever order', () => {
    expect(addSums(both, label)).toEqual(addSums(label, both));
    expect(addSums(both, label)).toEqual(addTally(both, tally('unknown', { accuracy: 0.5 })));
    expect(addSums(NO_SUMS, both)).toEqual(both);
  });
});

describe('settings of a run', () => {
  it('are those of its input, and no limits where it names none', () => {
    expect(settingsOf({ budgetUsd: 5 })).toEqual({
      pauseAfter: 10,
      pauseIfFirst: 5,
      probeSeconds: 60,
      concurrency: 20,
      budgetUsd: 5,
      requestsPerMinute: null,
      tokensPerMinute: null,
    });
  });

  it('may be changed one by one, and limits lifted', () => {
    for (const change of [{}, { concurrency: 500 }, { budgetUsd: null, tokensPerMinute: 0.5 }]) {
      expect(checkSettings(change)).toEqual(change);
    }
  });
});

describe('endingByFailure', () => {
  const cause = (name: string, parts: object) =>
    Object.assign(new Error('Why.'), { name, ...parts });

  it('takes the tally from a failure that carries one', () => {
    const failed = tally('failed', { em: 0 });
    expect(
      endingByFailure(cause('ApplicationFailure', { type: 'Timeout', details: [failed] })),
    ).toEqual({
      tally: failed,
    });
  });

  it('takes what a judging had taken by then', () => {
    const failure = cause('ApplicationFailure', {
      type: 'Timeout',
      details: [{ usage: NO_USAGE }],
    });
    expect(endingByFailure(failure)).toMatchObject({
      usage: NO_USAGE,
      failure: { type: 'Timeout' },
    });
  });

  it('says where the workflow could not record what it had', () => {
    const away = cause('ApplicationFailure', { type: 'Connection' });
    expect(endingByFailure(cause('ActivityFailure', { cause: away }))).toEqual({
      failure: { type: 'Connection', message: expect.stringContaining('Why.'), step: null },
      unrecorded: true,
    });
  });

  it.each([
    [cause('ApplicationFailure', { type: 'BadInput' }), 'BadInput'],
    [cause('ApplicationFailure', { details: [{ outcome: 'failed' }] }), 'Unexpected'],
    [cause('TerminatedFailure', {}), 'Terminated'],
    [cause('CancelledFailure', {}), 'Cancelled'],
    [cause('TimeoutFailure', {}), 'Timeout'],
  ])('else names the kind of %s', (error, type) => {
    expect(endingByFailure(error)).toEqual({
      failure: { type, message: expect.stringContaining('Why.'), step: null },
    });
  });
});

it('endingByResult tells a tally from what a judge found', () => {
  const counted = tally('answered', { em: 1 });
  const judged = { scores: { claimRecall: 1 }, usage: NO_USAGE };
  expect(endingByResult(counted)).toEqual({ tally: counted });
  expect(endingByResult(judged)).toEqual({ judged });
});

describe('differences', () => {
  it('names each field that differs, with both values', () => {
    const there = { a: 1, options: { passages: 10, by: ['x'] }, seed: 0, gone: true };
    const here = { a: 1, options: { by: ['y'], passages: 5 }, seed: 0, come: null };
    expect(differences(there, here)).toEqual([
      'come: not set there, null here',
      'gone: true there, not set here',
      'options.by: ["x"] there, ["y"] here',
      'options.passages: 10 there, 5 here',
    ]);
  });

  it('takes the order of fields, and what is undefined, for no difference', () => {
    expect(differences({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 }, d: undefined })).toEqual([]);
  });

  it('cuts long values', () => {
    expect(differences({ a: 'x'.repeat(1000) }, { a: 1 })[0]?.length).toBeLessThan(120);
  });
});
