/** A passage that might answer the question, to search with (HyDE and LAMER, LLatrieval 4.1, A.1). */
import { defineStep } from './define.js';
import { searchText } from './outputs/text.js';
import { greedyOr, type Sample, sampleOf } from './samples.js';

export interface HypotheticalPassageInput {
  question: string;
  /** Ids of what the question found, to write from (LAMER); none to write from memory (HyDE). */
  passages?: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: Sample;
}

export const hypotheticalPassage = defineStep<HypotheticalPassageInput, string | null>({
  name: 'hypotheticalPassage',
  label: ({ passages = [], sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}a passage to search with${passages.length > 0 ? `, from ${passages.length}` : ''}`,
  prompt: {
    among: ['hypothetical-passage', 'pseudo-passage'],
    of: ({ passages = [] }) => (passages.length === 0 ? 'hypothetical-passage' : 'pseudo-passage'),
  },
  maxTokens: 256,
  passages: ({ passages = [] }) => passages,
  sampling: greedyOr,
  sample: sampleOf,
  output: searchText,
});
