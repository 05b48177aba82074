/** Counts votes among answers to one question. Pure. */
import { answerKey } from '../../../../core/answer-key.js';
import { saysUnknown } from '../../../../core/unknown.js';

/** An answer and the weight of its vote; a null answer abstains. */
export interface Ballot {
  answer: string | null;
  /** Weight of the vote, at least 0. */
  weight: number;
}

/**
 * The votes for one distinct answer: the answer, the sum of the votes' weights, and the positions
 * of its ballots, from 0, in the list that was counted.
 */
export interface AnswerVotes {
  /** The answer, in the words of its first ballot. */
  answer: string;
  /** Sum of the weights of its ballots. */
  weight: number;
  /** Positions of its ballots. */
  ballots: number[];
}

/**
 * Returns the vote of an answer with a weight, 1 by default. An unreadable answer (null) or
 * "unknown" abstains.
 */
export function ballotOf(answer: string | null, weight = 1): Ballot {
  return { answer: answer === null || saysUnknown(answer) ? null : answer, weight };
}

/**
 * Returns the votes for each distinct answer, the highest weight first; of equal ones, the earlier.
 * Answers that differ only in letter case, articles or punctuation are one answer.
 */
export function countVotes(ballots: readonly Ballot[]): AnswerVotes[] {
  const answers = new Map<string, AnswerVotes>();
  for (const [position, { answer, weight }] of ballots.entries()) {
    if (answer === null) continue;
    const key = answerKey(answer);
    const votes = answers.get(key) ?? { answer, weight: 0, ballots: [] };
    answers.set(key, {
      ...votes,
      weight: votes.weight + weight,
      ballots: [...votes.ballots, position],
    });
  }
  // Rounded first, so that the last bit of a sum decides no tie.
  return [...answers.values()]
    .map((counted) => ({ ...counted, weight: Number(counted.weight.toPrecision(12)) }))
    .sort((a, b) => b.weight - a.weight);
}

/** Returns scores divided by their sum, negative ones as 0; equal shares if none is above 0. */
export function normalizedShares(scores: readonly number[]): number[] {
  const positive = scores.map((score) => Math.max(score, 0));
  const sum = positive.reduce((a, b) => a + b, 0);
  return positive.map((score) => (sum > 0 ? score / sum : 1 / scores.length));
}

/**
 * Returns the softmax of scores: shares that add up to 1.
 *
 * @param temperature Above 0; the higher, the more equal the shares.
 */
export function softmax(scores: readonly number[], temperature: number): number[] {
  // The highest score is subtracted first, so that no power overflows.
  const highest = Math.max(...scores);
  return normalizedShares(scores.map((score) => Math.exp((score - highest) / temperature)));
}
