/** A passage that might answer the question, to search with (HyDE and LAMER, LLatrieval 4.1, A.1). */
import type { Sample } from '../../methods/baselines/samples.js';
import { parseNewPassage } from './missing-info-query.js';
import { defineStep } from './step.js';

export interface HypotheticalPassageInput {
  question: string;
  /** Ids of what the question found, to write from (LAMER); none to write from memory (HyDE). */
  passages?: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: Sample;
}

/** Null when the output stayed unreadable. */
export const hypotheticalPassage = defineStep<HypotheticalPassageInput, string | null>({
  prompt: ({ passages = [] }) =>
    passages.length === 0 ? 'hypothetical-passage' : 'pseudo-passage',
  maxTokens: 256,
  passages: ({ passages = [] }) => passages,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question }) => ({ question }),
  parse: parseNewPassage,
  fallback: () => null,
});
