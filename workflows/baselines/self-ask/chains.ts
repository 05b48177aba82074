/** Chains of follow-up questions, and the vote that stands in for reasoning over them. Pure. */

import { answerKey } from '../../../core/answer-key.js';
import type { EvidencePair } from '../../../steps/rendering.js';
import { ballotOf, tally } from '../voting/vote.js';
import type { FollowUp, SelfAskChain } from './method.js';

/** Tells whether a follow-up was asked before; letter case and punctuation make no difference. */
export function askedBefore(followUps: readonly FollowUp[], question: string): boolean {
  return followUps.some((asked) => answerKey(asked.question) === answerKey(question));
}

/** Returns the ids of all passages that chains rest on, each once. */
export function passagesOfChains(chains: readonly SelfAskChain[]): string[] {
  const passages = chains.flatMap(({ followUps }) => followUps.flatMap((one) => one.passages));
  return [...new Set(passages.map(({ id }) => id))];
}

/**
 * Returns what chains asked, and their evidence (Yoran et al., 2023). A chain that asked nothing
 * has answered the question itself.
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

/** Returns the answer of most chains, of equals the earlier; null without any. */
export function mostGiven(chains: readonly SelfAskChain[]): string | null {
  return tally(chains.map(({ answer }) => ballotOf(answer)))[0]?.answer ?? null;
}
