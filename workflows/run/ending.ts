/**
 * Determines how a workflow of a run ended, from the result or failure that Temporal gives. Pure.
 */

import type { JudgeScores, Tally, WorkflowEnding } from '../../core/run/run.js';
import type { Usage } from '../../core/usage.js';

/** The examined part of Temporal's failures; the same for a client's and a workflow's. */
interface TemporalCause {
  name: string;
  message: string;
  type?: string | null;
  details?: unknown[] | null;
}

/**
 * Returns how a workflow of a run ended, given its result: as `tally` that of a question, or as
 * `judged` the scores of a judge.
 */
export function endingByResult(result: unknown): WorkflowEnding {
  return isTally(result) ? { tally: result } : { judged: result as JudgeScores };
}

/**
 * Returns how a failed workflow of a run ended, given the cause of its failure: with the `tally`
 * that the failure carries, or as `failure` its type and message, and its `usage` if it carries
 * one. `unrecorded` is true if an activity such as the recording of the answer failed.
 *
 * @param cause Undefined if Temporal names none.
 */
export function endingByFailure(cause: Error | undefined): WorkflowEnding {
  const { name, message, type, details } = (cause ?? new Error('no reason given')) as TemporalCause;
  // An activity that the workflow depends on failed, such as recording the answer.
  if (name === 'ActivityFailure' && cause?.cause instanceof Error) {
    return { ...endingByFailure(cause.cause), unrecorded: true };
  }
  const detail = details?.[0];
  if (name === 'ApplicationFailure') {
    if (isTally(detail)) return { tally: detail };
    const { usage } = Object(detail) as { usage?: Usage };
    return {
      failure: { type: type ?? 'Unexpected', message, step: null },
      ...(usage && { usage }),
    };
  }
  return {
    failure: {
      // "TerminatedFailure" and its like
      type: name.replace('Failure', ''),
      message: `Its workflow was ended from outside: ${message}`,
      step: null,
    },
  };
}

function isTally(value: unknown): value is Tally {
  return typeof value === 'object' && value !== null && 'id' in value && 'scores' in value;
}
