/** One answer from each passage, and a vote among them: the common part of Rerank and RePlug. */

import { type Conclusion, unanswered } from '../../../../core/result.js';
import type { PassageRef } from '../../../../core/vocabulary.js';
import type { PassageAnswer } from '../../../../steps/readers.js';
import type { Steps } from '../../../../steps/table.js';
import { type AnswerVotes, ballotOf, countVotes, normalizedShares } from './vote.js';

/** The answer that was read from one passage, with the weight of its vote. */
interface PassageReading {
  /** Id of the passage; null if there was none to read. */
  passage: string | null;
  /** Its answer; null if it could not be read. */
  answer: string | null;
  probability?: number;
  /** Weight of this passage's vote, from 0 to 1. */
  weight: number;
}

/**
 * The chain of `rerank` and `replug`: the passages, one reading of each, and the votes for each
 * distinct answer.
 */
export interface EnsembleChain {
  passages: PassageRef[];
  /** One reading for each passage, in retrieval order. */
  readings: PassageReading[];
  /** The distinct answers by votes, most first; `ballots` are positions of readings. */
  answers: AnswerVotes[];
}

/** Returns the distinct answers of an ensemble as `{ text }`, those with most votes first. */
export function votedAnswers({ answers }: EnsembleChain): { text: string }[] {
  return answers.map(({ answer }) => ({ text: answer }));
}

/**
 * Reads an answer from each passage by itself, in parallel; once without a passage if there are
 * none.
 *
 * @returns `ids`, the ids of the passages, or a single null if there are none, and `readings`, in
 * the same order; a reading is null if it could not be read.
 */
export async function readEach(
  step: Steps,
  question: string,
  passages: readonly string[],
  probability: boolean,
) {
  const ids: readonly (string | null)[] = passages.length === 0 ? [null] : passages;
  const readings = await Promise.all(
    ids.map((passage, k) => step.readPassage({ question, passage, k, probability })),
  );
  return { ids, readings };
}

/**
 * Returns the chain of an ensemble with its votes counted: each passage's answer gets the weight
 * of its reading. A reading abstains if its answer could not be read or is "unknown".
 *
 * @param ids Passage of each reading.
 * @param weights Weights of the readings, at least 0, adding up to 1.
 */
export function countReadings(
  passages: PassageRef[],
  ids: readonly (string | null)[],
  readings: readonly (PassageAnswer | null)[],
  weights: readonly number[],
): EnsembleChain {
  const weighed = readings.map((reading, i) => ({
    passage: ids[i] ?? null,
    ...(reading ?? { answer: null }),
    weight: weights[i] ?? 0,
  }));
  const answers = countVotes(weighed.map(({ answer, weight }) => ballotOf(answer, weight)));
  return { passages, readings: weighed, answers };
}

/**
 * Returns weights multiplied by the probability of each answer (1 for an unreadable one), scaled to
 * add up to 1 (RePlug's mixture over passages). Returns them unchanged unless every readable answer
 * has a probability.
 */
export function timesProbability(
  weights: readonly number[],
  readings: readonly (PassageAnswer | null)[],
): number[] {
  const counted = readings.filter((reading) => reading !== null);
  if (counted.some(({ probability }) => probability === undefined)) return [...weights];
  return normalizedShares(weights.map((weight, i) => weight * (readings[i]?.probability ?? 1)));
}

/**
 * Returns the conclusion with the most voted answer; its evidence are the passages that gave it,
 * and its confidence is its share of all votes, from 0 to 1, abstentions included. Without votes
 * there is no answer: the outcome is "unreadable" if no answer could be read, else "unknown", and
 * the evidence are all passages.
 */
export function mostVoted(chain: EnsembleChain): Conclusion<EnsembleChain> {
  const [first] = chain.answers;
  if (first !== undefined) return { ...concludeWith(chain, first), confidence: first.weight };
  const ids = chain.passages.map(({ id }) => id);
  const allUnread = chain.readings.every(({ answer }) => answer === null);
  return unanswered(allUnread ? 'unreadable' : 'unknown', ids, chain);
}

/**
 * Returns the conclusion that a chosen answer of an ensemble is the answer; its evidence are the
 * passages from which it was read.
 */
export function concludeWith(
  chain: EnsembleChain,
  { answer, ballots }: AnswerVotes,
): Conclusion<EnsembleChain> {
  const evidence = ballots.flatMap((i) => chain.readings[i]?.passage ?? []);
  return { outcome: 'answered', answer, evidence, chain };
}
