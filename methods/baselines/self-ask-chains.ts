/** Chains of follow-up questions, and the vote that stands in for reasoning over them. Pure. */
import { answerKey } from '../answer-key.js';
import { saysUnknown } from '../unknown.js';
import type { FollowUp, SelfAskChain } from './self-ask.js';
import { tally } from './vote.js';

/** Whether a follow-up was asked before; letter case and punctuation make no difference. */
export function askedBefore(followUps: readonly FollowUp[], question: string): boolean {
  return followUps.some((asked) => answerKey(asked.question) === answerKey(question));
}

/** The ids of all passages that chains rest on, each once. */
export function passagesOfChains(chains: readonly SelfAskChain[]): string[] {
  const passages = chains.flatMap(({ followUps }) => followUps.flatMap((one) => one.passages));
  return [...new Set(passages.map(({ id }) => id))];
}

/**
 * A question that a chain asked, with the numbers, from 1, of the passages that were found for it.
 * Where nothing was found or searched, its answer stands in place of evidence.
 */
export type EvidencePair =
  | { question: string; evidence: number[] }
  | { question: string; answer: string | null };

/**
 * What chains asked, and their evidence (Yoran et al., 2023). A chain that asked nothing has
 * answered the question itself.
 *
 * @param passages ids of the evidence of all chains, in the order shown.
 */
export function pairsOf(
  question: string,
  chains: readonly SelfAskChain[],
  passages: readonly string[],
): EvidencePair[] {
  return chains.flatMap(({ followUps, answer }): EvidencePair[] => {
    if (followUps.length === 0) return answer === null ? [] : [{ question, answer }];
    return followUps.map((one) => {
      const evidence = one.passages.map(({ id }) => passages.indexOf(id) + 1);
      const { question, answer } = one;
      return evidence.length > 0 ? { question, evidence } : { question, answer };
    });
  });
}

/** The answer most chains gave, of equals the one of the earlier chain; null when none gave one. */
export function mostGiven(chains: readonly SelfAskChain[]): string | null {
  const ballots = chains.map(({ answer }) => ({
    answer: answer === null || saysUnknown(answer) ? null : answer,
    weight: 1,
  }));
  return tally(ballots)[0]?.answer ?? null;
}
