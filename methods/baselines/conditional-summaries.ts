/** Base with conditional summaries: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { candidateCount, demonstrations, passageCount } from '../options/options.js';
import { times } from '../planned-call.js';
import { planCandidates, planSummaries } from '../sure.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

export type ConditionalSummariesOptions = z.output<typeof options>;

/** SuRe's summaries, appended to the passages of the base prompt and judged by nobody. */
export const conditionalSummariesMethod: Method<ConditionalSummariesOptions> = {
  name: 'conditionalSummaries',
  title: 'Base with conditional summaries appended',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3, table 3 "Conditional summarizations"',
  options,
  steps: ['generateCandidates', 'summarize', 'readSummaries'],
  callsFormula: '1 + K + 1; 1 when a single candidate comes back',
  calls: ({ candidates: k }) => 1 + k + 1,
  plan: (chosen, given) => {
    const { question, passages, output } = given;
    const summaries = times(chosen.candidates, () => output('summarize'));
    return [
      { step: 'retrieve', input: { query: question } },
      planCandidates(chosen, given),
      ...planSummaries(chosen, given),
      {
        step: 'readSummaries',
        input: { question, passages: passages(chosen.passages), summaries },
      },
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 30.4/40.9, WebQ 20.8/33.5, 2Wiki 29.2/34.5, HotpotQA 33.0/43.4',
};

export interface ConditionalSummariesChain {
  passages: PassageRef[];
  /** In the order named; without a summary when there was only one. */
  candidates: { text: string; summary?: string }[];
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}
