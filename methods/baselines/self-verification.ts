/** Self-verification: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { optionalPassageCount } from '../options/options.js';
import { times } from '../planned-call.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({
  passages: optionalPassageCount,
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
  steps: ['reason', 'nameConditions', 'recoverCondition'],
  callsFormula: 'S + 1 + C M for S samples, C candidates (1 to S), M conditions; S when C = 1',
  calls: ({ samples: s, conditions: m }) => s + 1 + s * m,
  plan: ({ passages: n, samples, conditions, temperature }, given) => {
    const { question, output } = given;
    const passages = given.passages(n);
    const candidate = output('reason');
    return [
      ...(n === 0 ? [] : [{ step: 'retrieve' as const, input: { query: question } }]),
      ...times(samples, (k) => ({
        step: 'reason' as const,
        input: { question, passages, sample: { k, temperature } },
      })),
      { step: 'nameConditions', input: { question, count: conditions } },
      ...times(samples * conditions, (condition) => ({
        step: 'recoverCondition' as const,
        // No part is shorter than a letter, and the mask has three.
        input: { masked: `${question}[X]`, condition, candidate, passages },
      })),
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 25.2/35.4, WebQ 16.1/28.5, 2Wiki 23.2/30.5, HotpotQA 31.6/41.8',
};

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
