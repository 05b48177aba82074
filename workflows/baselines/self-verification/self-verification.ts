/** Self-verification as a workflow (SuRe, section 4.1; Weng et al., 2022). */

import { answered, unanswered } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import type { selfVerificationMethod } from './method.js';
import { candidatesOf, maskCondition, mostVerified, verifyCandidates } from './verification.js';

/**
 * Samples answers with their reasoning, then masks the question part by part and asks, of each
 * candidate, what must have stood there. A single candidate is the answer, unverified.
 */
export const selfVerification: AlgorithmOf<typeof selfVerificationMethod> = async (asked) => {
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
};
