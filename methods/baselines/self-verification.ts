/** Self-verification: options, masking of the question, and the choice of the answer. Pure. */
import { z } from 'zod';
import { answerKey } from '../answer-key.js';
import type { Method } from '../method.js';
import { saysUnknown } from '../unknown.js';
import type { PassageRef } from '../vocabulary.js';
import { tally } from './vote.js';

const options = z.strictObject({
  passages: z
    .int()
    .min(0)
    .max(200)
    .default(10)
    .describe('N, passages retrieved (SuRe 4.1: 10); 0 verifies without retrieval'),
  samples: z
    .int()
    .min(2)
    .max(50)
    .default(5)
    .describe('answers sampled; the candidates are the different ones (decision: 5)'),
  temperature: z
    .number()
    .positive()
    .max(2)
    .default(0.7)
    .describe('at which the answers are sampled (decision: 0.7)'),
  conditions: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe('parts of the question masked, one at a time (decision: 2)'),
});

export type SelfVerificationOptions = z.output<typeof options>;

/** Sampled answers; the one from which the masked parts of the question are best told. */
export const selfVerificationMethod: Method<SelfVerificationOptions> = {
  name: 'selfVerification',
  title: 'Self-verification: sampled answers, verified by masking the question',
  source:
    'Weng et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Self-verification"',
  options,
  callsFormula: 'S + 1 + C M for S samples, C candidates (1 to S), M conditions; S when C = 1',
  calls: ({ samples: s, conditions: m }) => s + 1 + s * m,
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 25.2/35.4, WebQ 16.1/28.5, 2Wiki 23.2/30.5, HotpotQA 31.6/41.8',
};

/** What stands in the question in place of a masked part. */
export const MASK = '[X]';

export interface VerifiedCandidate {
  text: string;
  /** How many of the samples gave it. */
  samples: number;
  /** What the model took each masked part to be; null when it could not be read. */
  recovered?: (string | null)[];
  /** How many of them it got right. */
  verified?: number;
}

export interface SelfVerificationChain {
  passages: PassageRef[];
  /** One for each sample; null when it could not be read. */
  samples: ({ reasoning: string; answer: string } | null)[];
  /** Parts of the question, as they stand in it. */
  conditions: string[];
  /** In the order first sampled. */
  candidates: VerifiedCandidate[];
}

/**
 * The different answers in the order first sampled. A sample that could not be read, or does not
 * know, names none.
 */
export function candidatesOf(samples: readonly ({ answer: string } | null)[]): VerifiedCandidate[] {
  const ballots = samples.map((sample) => ({
    answer: sample === null || saysUnknown(sample.answer) ? null : sample.answer,
    weight: 1,
  }));
  const first = ({ ballots: [position = 0] }: { ballots: number[] }) => position;
  return tally(ballots)
    .sort((a, b) => first(a) - first(b))
    .map(({ answer, weight }) => ({ text: answer, samples: weight }));
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** Finds a part of a question in any letter case, from word border to word border. */
export function conditionPattern(condition: string): RegExp {
  const literal = condition.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const within = UNSPACED.test(condition);
  return new RegExp(within ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu');
}

/** The question with a part of it masked, wherever it stands. */
export function maskCondition(question: string, condition: string): string {
  return question.replace(conditionPattern(condition), () => MASK);
}

/**
 * Whether the model found out a masked part: the same words, letter case, articles and punctuation
 * aside, or the words of one within those of the other ("the telephone", "telephone patent").
 */
export function recovers(recovered: string | null, condition: string): boolean {
  if (recovered === null) return false;
  const [one, other] = [` ${answerKey(recovered)} `, ` ${answerKey(condition)} `];
  return one.trim() !== '' && other.trim() !== '' && (one.includes(other) || other.includes(one));
}

/** Puts beside each candidate what was recovered from it, and how much of that is right. */
export function verifyCandidates(
  candidates: readonly VerifiedCandidate[],
  conditions: readonly string[],
  recovered: readonly (string | null)[][],
): VerifiedCandidate[] {
  if (conditions.length === 0) return [...candidates];
  return candidates.map((candidate, k) => {
    const own = recovered[k] ?? [];
    const verified = conditions.filter((condition, i) => recovers(own[i] ?? null, condition));
    return { ...candidate, recovered: own, verified: verified.length };
  });
}

/** The candidate most verified; of equals the one sampled more often, then the earlier one. */
export function mostVerified(candidates: readonly VerifiedCandidate[]): VerifiedCandidate | null {
  const rank = ({ verified = 0 }: VerifiedCandidate) => verified;
  const [best = null] = candidates.toSorted((a, b) => rank(b) - rank(a) || b.samples - a.samples);
  return best;
}
