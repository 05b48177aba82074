/** Self-verification (SuRe, section 4.1; Weng et al., 2022). */

import { z } from 'zod';
import { answerKey } from '../../../core/answer-key.js';
import { positive, whole } from '../../../core/options/ranges.js';
import { chainPassages } from '../../../core/passages-read.js';
import { answered, type Conclusion, unanswered } from '../../../core/result.js';
import type { Card, Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  passageSection,
  section,
  table,
  text,
} from '../../../report/views/section-parts.js';
import { conditionPattern } from '../../../steps/self-verification.js';
import { defineMethod } from '../../define-method.js';
import { optionalPassageCount } from '../options.js';
import { ballotOf, countVotes } from './voting/vote.js';

const options = z.strictObject({
  passages: optionalPassageCount,
  samples: whole(2, 50)
    .default(5)
    .describe('answers sampled; the candidates are the different ones (decision: 5)'),
  temperature: positive(2)
    .default(0.7)
    .describe('at which the answers are sampled (decision: 0.7)'),
  conditions: whole(1, 10)
    .default(2)
    .describe('parts of the question masked, one at a time (decision: 2)'),
});

interface VerifiedCandidate {
  text: string;
  /** Number of samples with this answer. */
  samples: number;
  /** The model's guess for each masked part; null if it could not be read. */
  recovered?: (string | null)[];
  /** Number of masked parts that were guessed right. */
  verified?: number;
}

interface SelfVerificationChain {
  passages: PassageRef[];
  /** One entry for each sample; null if it could not be read. */
  samples: ({ reasoning: string; answer: string } | null)[];
  /** Parts of the question, in its words. */
  conditions: string[];
  /** Candidates in the order first sampled. */
  candidates: VerifiedCandidate[];
}

export const selfVerification = defineMethod({
  module: import.meta.url,
  name: 'selfVerification',
  title: 'Self-verification: sampled answers, verified by masking the question',
  source:
    'Weng et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Self-verification"',
  options,
  passagesRead: chainPassages,
  facts: { candidates: ({ candidates }: SelfVerificationChain) => candidates },
  searches: ({ passages }) => passages > 0,
  view: selfVerificationView,
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 25.2/35.4, WebQ 16.1/28.5, 2Wiki 23.2/30.5, HotpotQA 31.6/41.8',

  /**
   * Samples answers with their reasoning. Then masks the question part by part and asks, for each
   * candidate, for the masked part. A single candidate is the answer, unverified.
   */
  async algorithm(asked): Promise<Conclusion<SelfVerificationChain>> {
    const { question, options, step } = asked;
    const { passages: count, temperature } = options;
    const retrieved = count === 0 ? [] : await step.retrieve({ query: question, count });
    const passages = retrieved.map(({ id }) => id);

    const samples = await Promise.all(
      Array.from({ length: options.samples }, (_, k) =>
        step.reason({ question, passages, sample: { k, temperature } }),
      ),
    );
    const sampled = candidatesOf(samples);
    const conditions =
      sampled.length < 2 ? [] : await step.nameConditions({ question, count: options.conditions });
    const recovered = await Promise.all(
      sampled.map(({ text: candidate }) =>
        Promise.all(
          conditions.map((part, condition) => {
            const masked = maskCondition(question, part);
            return step.recoverCondition({ masked, condition, candidate, passages });
          }),
        ),
      ),
    );

    const candidates = verifyCandidates(sampled, conditions, recovered);
    const chain = { passages: retrieved, samples, conditions, candidates };
    const best = mostVerified(candidates);
    if (best) return answered(best.text, passages, chain);
    const unread = samples.every((sample) => sample === null);
    return unanswered(unread ? 'unreadable' : 'unknown', passages, chain);
  },
});

function selfVerificationView(
  { passages, samples, conditions, candidates }: SelfVerificationChain,
  { answer }: ViewContext,
): Section[] {
  const named = candidates.map(
    ({ text: name, samples: times, recovered = [], verified }): Card => ({
      title: name,
      chosen: name === answer,
      chips: [
        chip(count(times, 'sample')),
        ...(verified === undefined
          ? []
          : [chip(`${verified} of ${count(conditions.length, 'part')} recovered`)]),
      ],
      blocks: table(
        ['Masked part', 'Recovered as'],
        recovered.map((part, i) => [conditions[i] ?? '', part ?? 'unreadable']),
      ),
    }),
  );
  const sampled = samples.map((sample, i) => ({
    title: sample?.answer ?? 'unreadable',
    chips: [chip(`sample ${i + 1}`)],
    blocks: text(sample?.reasoning),
  }));
  return [
    ...section('Candidates', cards(named), { note: `${named.length}` }),
    ...section('Parts of the question that were masked', text(conditions.join('; '))),
    ...section('Samples', cards(sampled), { note: `${samples.length}`, detail: true }),
    ...passageSection(passages),
  ];
}

/** The text that replaces the masked part of a question: "[X]". */
export const MASK = '[X]';

/**
 * Returns the distinct answers in the order first sampled, without unreadable ones and "unknown".
 */
function candidatesOf(samples: readonly ({ answer: string } | null)[]): VerifiedCandidate[] {
  const ballots = samples.map((sample) => ballotOf(sample?.answer ?? null));
  const first = ({ ballots: [position = 0] }: { ballots: number[] }) => position;
  return countVotes(ballots)
    .sort((a, b) => first(a) - first(b))
    .map(({ answer, weight }) => ({ text: answer, samples: weight }));
}

/**
 * Returns the question with `MASK` in place of each occurrence of a part, in any letter case. The
 * part must stand as whole words, except in scripts without spaces between words.
 */
export function maskCondition(question: string, condition: string): string {
  return question.replace(conditionPattern(condition), () => MASK);
}

/**
 * Returns whether the model's guess of a masked part is right: it has the same words, apart from
 * letter case, articles and punctuation, or the words of one are within the other ("the
 * telephone", "telephone patent"). False if the guess is null, or if one of them has no words
 * besides articles.
 */
export function isRecovered(recovered: string | null, condition: string): boolean {
  if (recovered === null) return false;
  const [one, other] = [` ${answerKey(recovered)} `, ` ${answerKey(condition)} `];
  return one.trim() !== '' && other.trim() !== '' && (one.includes(other) || other.includes(one));
}

/**
 * Returns the candidates with the guesses for each masked part as `recovered`, and the number of
 * right guesses as `verified`. Returns them unchanged if no part was masked.
 *
 * @param recovered Guesses by candidate, then by part.
 */
export function verifyCandidates(
  candidates: readonly VerifiedCandidate[],
  conditions: readonly string[],
  recovered: readonly (string | null)[][],
): VerifiedCandidate[] {
  if (conditions.length === 0) return [...candidates];
  return candidates.map((candidate, k) => {
    const own = recovered[k] ?? [];
    const verified = conditions.filter((condition, i) => isRecovered(own[i] ?? null, condition));
    return { ...candidate, recovered: own, verified: verified.length };
  });
}

/**
 * Returns the candidate with the most right guesses of masked parts; of equal ones the one that
 * was sampled more often, then the earlier. Null without candidates.
 */
export function mostVerified(candidates: readonly VerifiedCandidate[]): VerifiedCandidate | null {
  const rank = ({ verified = 0 }: VerifiedCandidate) => verified;
  const [best = null] = candidates.toSorted((a, b) => rank(b) - rank(a) || b.samples - a.samples);
  return best;
}
