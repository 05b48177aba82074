/** Votes among answers to one question. Pure. */
import { answerKey } from '../../../../core/answer-key.js';
import { saysUnknown } from '../../../../core/unknown.js';

/** An answer with the weight of its voice; null abstains. */
export interface Ballot {
  answer: string | null;
  /** At least 0. */
  weight: number;
}

export interface Tally {
  /** In the words of its first ballot. */
  answer: string;
  /** The sum over its ballots. */
  weight: number;
  /** Positions of the ballots that gave it. */
  ballots: number[];
}

/** Returns the ballot of an answer; what could not be read, or does not know, abstains. */
export function ballotOf(answer: string | null, weight = 1): Ballot {
  return { answer: answer === null || saysUnknown(answer) ? null : answer, weight };
}

/**
 * Adds up the ballots of each answer, the heaviest answer first; of equals the one given earlier.
 * Answers that differ in letter case, articles or punctuation only are one answer.
 */
export function tally(ballots: readonly Ballot[]): Tally[] {
  const answers = new Map<string, Tally>();
  for (const [position, { answer, weight }] of ballots.entries()) {
    if (answer === null) continue;
    const key = answerKey(answer);
    const so = answers.get(key) ?? { answer, weight: 0, ballots: [] };
    answers.set(key, {
      ...so,
      weight: so.weight + weight,
      ballots: [...so.ballots, position],
    });
  }
  // Rounded first, so that no tie is decided by the last bit of a sum.
  return [...answers.values()]
    .map((counted) => ({ ...counted, weight: Number(counted.weight.toPrecision(12)) }))
    .sort((a, b) => b.weight - a.weight);
}

/** Scores as shares that add up to 1: equal shares where no score is above 0. */
export function shares(scores: readonly number[]): number[] {
  const positive = scores.map((score) => Math.max(score, 0));
  const sum = positive.reduce((a, b) => a + b, 0);
  return positive.map((score) => (sum > 0 ? score / sum : 1 / scores.length));
}

/**
 * Shares by the softmax of scores.
 *
 * @param temperature above 0; the higher, the more alike the shares.
 */
export function softmax(scores: readonly number[], temperature: number): number[] {
  // The highest is taken off first, so that no power overflows.
  const highest = Math.max(...scores);
  return shares(scores.map((score) => Math.exp((score - highest) / temperature)));
}
