/** The reader on summaries, beside the passages or in place of them (SuRe 4.3, table 3). */
import { declareStep } from '../define.js';

export interface ReadSummariesInput {
  question: string;
  /** Ids, in the order shown; none to read the summaries alone. */
  passages: string[];
  summaries: string[];
}

/** Null when the output stayed unreadable. */
export const readSummaries = declareStep<ReadSummariesInput, string | null>(
  ({ passages, summaries }) => `${summaries.length} summaries, ${passages.length} passages`,
);
