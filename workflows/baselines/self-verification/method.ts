import { z } from 'zod';
import { positive, whole } from '../../../core/options/ranges.js';
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
} from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { optionalPassageCount } from '../../options.js';

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

export const selfVerificationMethod = defineMethod({
  name: 'selfVerification',
  title: 'Self-verification: sampled answers, verified by masking the question',
  source:
    'Weng et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Self-verification"',
  options: z.strictObject({
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
  }),
  searches: ({ passages }) => passages > 0,
  view: selfVerificationView,
  steps: ['reason', 'nameConditions', 'recoverCondition'],
  callsFormula: 'S + 1 + C M for S samples, C candidates (1 to S), M conditions; S when C = 1',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 25.2/35.4, WebQ 16.1/28.5, 2Wiki 23.2/30.5, HotpotQA 31.6/41.8',
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
