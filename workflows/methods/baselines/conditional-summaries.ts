/** Base with conditional summaries appended (SuRe, section 4.3, table 3). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { type Conclusion, concluded } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, passageCount } from '../options.js';
import { findCandidates, withoutChoice } from '../sure/candidates.js';
import { candidateSection } from '../sure/chain.js';

const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

interface ConditionalSummariesChain {
  passages: PassageRef[];
  /** Candidates in the order named; without summaries if there was only one. */
  candidates: { text: string; summary?: string }[];
  /** The answer as read; null if it was not asked for or could not be read. */
  reading: string | null;
}

export const conditionalSummaries = defineMethod({
  module: import.meta.url,
  name: 'conditionalSummaries',
  title: 'Base with conditional summaries appended',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3, table 3 "Conditional summarizations"',
  options,
  passagesRead: chainPassages,
  facts: {
    candidates: ({ candidates }: ConditionalSummariesChain) =>
      candidates.map(({ text, summary }) => ({ text, rationale: summary })),
    texts: {
      summaries: ({ candidates }: ConditionalSummariesChain) =>
        candidates.flatMap(({ summary = [] }) => summary),
    },
  },
  view(chain: ConditionalSummariesChain, context) {
    const isChosen = ({ text: name }: { text: string }) => ({ chosen: name === context.answer });
    return [...candidateSection(chain.candidates, [], isChosen), ...baseView(chain, context)];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 30.4/40.9, WebQ 20.8/33.5, 2Wiki 29.2/34.5, HotpotQA 33.0/43.4',

  /** Runs SuRe up to its summaries, then reads them beside the passages. */
  async algorithm(asked): Promise<Conclusion<ConditionalSummariesChain>> {
    const { question, step } = asked;
    const { retrieved, passages, candidates } = await findCandidates(asked);
    const named = {
      passages: retrieved,
      candidates: candidates.map((text) => ({ text })),
      reading: null,
    };
    const ended = withoutChoice(candidates, passages, named);
    if (ended) return ended;

    const summarized = await Promise.all(
      candidates.map(async (text, k) => ({
        text,
        summary: await step.summarize({ question, passages, candidates, k }),
      })),
    );
    const summaries = summarized.map(({ summary }) => summary);
    const reading = await step.readSummaries({ question, passages, summaries });
    return concluded(reading, passages, { ...named, candidates: summarized, reading });
  },
});
