/** Which steps of a question need no server but Temporal's, so that its own worker does them at once. */

import type { Source } from '../../steps/other/retrieve.js';
import type { LocalStep } from '../../workflows/activities/question.js';

/** What is in the worker's own process. */
export interface InProcess {
  /** Whether that is where a corpus is searched. */
  corpus(name: string): boolean;
  /** The passages that come with questions. */
  passages: boolean;
  /** Whether runs are kept there. */
  runs: boolean;
}

/**
 * The local steps of a question. What is paid for, which vectors are, is none of them, and neither
 * is what waits for another server.
 *
 * @param isRecorded Whether a run keeps the answer.
 */
export function localSteps(
  source: Source,
  isRecorded: boolean,
  inProcess: InProcess | undefined,
): LocalStep[] {
  if (!inProcess) return [];
  const isAtHand = 'supplied' in source ? inProcess.passages : inProcess.corpus(source.corpus);
  if (!isAtHand) return [];
  const byWords = source.mode === undefined || source.mode === 'bm25';
  return [
    ...(byWords ? (['retrieve'] as const) : []),
    // An answer is recorded with scores of the passages that it was read from.
    ...(isRecorded && inProcess.runs ? (['recordAnswer'] as const) : []),
  ];
}
