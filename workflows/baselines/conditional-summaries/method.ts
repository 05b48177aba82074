import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, passageCount } from '../../options.js';
import { candidateSection } from '../../sure/method.js';

export interface ConditionalSummariesChain {
  passages: PassageRef[];
  /** In the order named; without a summary when there was only one. */
  candidates: { text: string; summary?: string }[];
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}

export const conditionalSummariesMethod = defineMethod({
  name: 'conditionalSummaries',
  title: 'Base with conditional summaries appended',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3, table 3 "Conditional summarizations"',
  options: z.strictObject({
    passages: passageCount,
    candidates: candidateCount,
    demonstrations,
  }),
  view(chain: ConditionalSummariesChain, context) {
    const isChosen = ({ text: name }: { text: string }) => ({ chosen: name === context.answer });
    return [...candidateSection(chain.candidates, [], isChosen), ...baseView(chain, context)];
  },
  steps: ['generateCandidates', 'summarize', 'readSummaries'],
  callsFormula: '1 + K + 1; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 30.4/40.9, WebQ 20.8/33.5, 2Wiki 29.2/34.5, HotpotQA 33.0/43.4',
});
