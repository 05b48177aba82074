/** Adding up what the questions of a run came to. Pure. */
import type { KeptSums, ScoreSum, Tally } from './batch.js';

export const noSums: KeptSums = {
  done: 0,
  outcomes: { answered: 0, unknown: 0, unreadable: 0, failed: 0 },
  scores: {},
};

/** The sums with one more question in them. */
export function addTally(
  { done, outcomes, scores }: KeptSums,
  { outcome, scores: own }: Pick<Tally, 'outcome' | 'scores'>,
): KeptSums {
  const added = Object.entries(own).map(([metric, score]) => [
    metric,
    addSum(scores[metric], { questions: 1, sum: score, sumOfSquares: score * score }),
  ]);
  return {
    done: done + 1,
    outcomes: { ...outcomes, [outcome]: outcomes[outcome] + 1 },
    scores: { ...scores, ...Object.fromEntries(added) },
  };
}

/** The sums with further scores of questions that are in them. */
export function addScores(sums: KeptSums, scores: Tally['scores']): KeptSums {
  return { ...sums, scores: addTally(sums, { outcome: 'answered', scores }).scores };
}

/** The sums of two sets of questions that share none. */
export function addSums(a: KeptSums, b: KeptSums): KeptSums {
  const added = Object.entries(b.scores).map(([metric, sum]) => [
    metric,
    addSum(a.scores[metric], sum),
  ]);
  return {
    done: a.done + b.done,
    outcomes: {
      answered: a.outcomes.answered + b.outcomes.answered,
      unknown: a.outcomes.unknown + b.outcomes.unknown,
      unreadable: a.outcomes.unreadable + b.outcomes.unreadable,
      failed: a.outcomes.failed + b.outcomes.failed,
    },
    scores: { ...a.scores, ...Object.fromEntries(added) },
  };
}

function addSum(a: ScoreSum | undefined, b: ScoreSum): ScoreSum {
  if (!a) return b;
  return {
    questions: a.questions + b.questions,
    sum: a.sum + b.sum,
    sumOfSquares: a.sumOfSquares + b.sumOfSquares,
  };
}
