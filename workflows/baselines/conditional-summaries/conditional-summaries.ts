/** Base with conditional summaries appended, as a workflow (SuRe, section 4.3, table 3). */

import { concluded } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import { findCandidates, withoutChoice } from '../../sure/candidates.js';
import type { conditionalSummariesMethod } from './method.js';

/** SuRe up to its summaries, which are then read beside the passages. */
export const conditionalSummaries: AlgorithmOf<typeof conditionalSummariesMethod> = async (
  asked,
) => {
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
};
