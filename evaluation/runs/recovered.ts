/** Measures what forks at different steps would recover of a run's wrong answers. */
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import { testFamily } from '../statistics/compare-scores.js';
import { differencesOf, pairedDifference } from '../statistics/paired-difference.js';
import { meanInterval } from '../statistics/score-interval.js';
import { stateOf } from './question-state.js';
import type { RunSource } from './run-source.js';

/**
 * The effect of a fork at one step on which answers are right, as `recoveredBy` returns it: the
 * number of `wrong` answers, the share of them that became right (`recovered`, with its interval;
 * null without any), the number of right ones that no longer are (`broken`), and the gain as a
 * fraction of the questions with its p-value (`more`; null without questions). It is over the
 * questions with reused calls that have ended in both runs.
 */
export type Recovered = Awaited<ReturnType<typeof recoveredBy>>[number];

/**
 * Reads a run and its forks, one for each step, and returns an array with the effect of each fork
 * on which answers are right, in the order of the forks: `step`, name of the `fork`, number of
 * `questions`, the fork's usage (`took`), and the fields `wrong`, `recovered`, `broken` and `more`
 * of `Recovered`. The tests of all steps are corrected as one family.
 */
export async function recoveredBy(
  parent: RunSource,
  forks: readonly { step: string; source: RunSource }[],
) {
  const pairs = await Promise.all(forks.map(({ source }) => pairsOf(parent, source)));
  const differences = pairs.map(({ before, after }) =>
    before.length === 0 ? undefined : pairedDifference(differencesOf(after, before)),
  );
  const tested = testFamily(differences.flatMap((difference) => difference ?? []));
  return forks.map(({ step, source }, i) => {
    const { before, after, took } = pairs[i] ?? NO_PAIRS;
    const found = differences[i] && tested(differences[i]);
    const wrong = after.filter((_, at) => before[at] === 0);
    return {
      /** Step at which it was forked. */
      step,
      fork: source.manifest.run,
      questions: before.length,
      took,
      /**
       * Number of answers that were not right, and the share of them that became right; null without any.
       */
      wrong: wrong.length,
      recovered: wrong.length === 0 ? null : meanInterval(wrong),
      /** Number of answers that are no longer right. */
      broken: after.filter((right, at) => right === 0 && before[at] === 1).length,
      /**
       * Gain in right answers, as a fraction of the questions, with its p-value, also corrected by
       * Holm over the steps; null without questions.
       */
      more: found ? { ...found.difference, p: found.p, corrected: found.corrected ?? 1 } : null,
    };
  });
}

/** Whether the answer to each question is right before and after the fork (1) or not (0). */
interface Pairs {
  before: number[];
  after: number[];
  took: Usage;
}

const NO_PAIRS: Pairs = { before: [], after: [], took: NO_USAGE };

async function pairsOf(parent: RunSource, fork: RunSource): Promise<Pairs> {
  const pairs: Pairs = { before: [], after: [], took: NO_USAGE };
  for await (const { id, taken } of fork.questions()) {
    const [before, after] = [await parent.answer(id), await fork.answer(id)];
    // A question asked as a whole shows nothing about the step.
    if (taken === undefined || !before || !after) continue;
    pairs.before.push(Number(stateOf(before, parent.manifest.metrics) === 'right'));
    pairs.after.push(Number(stateOf(after, fork.manifest.metrics) === 'right'));
    pairs.took = addUsage(pairs.took, after.result?.usage ?? NO_USAGE);
  }
  return pairs;
}
