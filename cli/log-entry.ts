/** Converts entries of the SDK's log to log lines: a sentence, and the fields of the run. Pure. */
import type { LogEntry } from '@temporalio/worker';
import type { LogFields } from '../temporal-dev/reporter.js';
import { placeOf } from '../workflows/run/run-name.js';

/**
 * Returns the log line for an entry of the SDK's log: `text`, such as "Activity failed: rankPair
 * of ask-sure-1a2b: RateLimited: ...", and `fields`, an object with level, run, step and more as
 * far as they are known. The stack is left out, since Temporal's history contains it.
 */
export function logLine({ level, message, meta = {} }: LogEntry): {
  text: string;
  fields: LogFields;
} {
  const { activityType, workflowType, workflowId, attempt, error } = meta as Record<
    string,
    unknown
  >;
  const cause = error instanceof Error ? causeOf(error) : undefined;
  const what = activityType ?? workflowType;
  const where = what ? `: ${String(what)} of ${String(workflowId)}` : '';
  const place = typeof workflowId === 'string' ? placeOf(workflowId) : {};
  const fields: LogFields = {
    ...(level === 'ERROR' && { level: 'error' }),
    ...place,
    ...(typeof workflowId === 'string' && { workflowId }),
    ...(typeof workflowType === 'string' && { method: workflowType }),
    ...(typeof activityType === 'string' && { step: activityType }),
    ...(typeof attempt === 'number' && { attempt }),
    ...(cause && { kind: cause.type }),
  };
  return { text: `${message}${where}${cause ? `: ${cause.type}: ${cause.message}` : ''}`, fields };
}

/**
 * One workflow task that the worker's code could not run, as the SDK's log reports it: the
 * Temporal run id of the workflow, the message, and whether other code started the workflow.
 */
export interface FailedTask {
  runId: string;
  /** Whether the workflow was started by other code than the worker's. */
  isOtherVersion: boolean;
  message: string;
}

/** Message of the SDK's native part for a failed task; its fields are in Rust's notation. */
const FAILED_TASK = 'Failing workflow task';

/**
 * Returns the failed workflow task that an entry of the SDK's log reports; undefined for any other
 * entry.
 */
export function failedTaskOf({ message, meta = {} }: LogEntry): FailedTask | undefined {
  const { runId, failure } = meta as Record<string, unknown>;
  if (message !== FAILED_TASK || typeof runId !== 'string') return undefined;
  const [, quoted = ''] = /message: "((?:[^"\\]|\\.)*)"/.exec(String(failure)) ?? [];
  const [first = ''] = quoted.split('\\n', 1);
  return {
    runId,
    isOtherVersion: String(failure).includes('force_cause: NonDeterministicError'),
    message: first.replace(/\\(.)/g, '$1').replace(/^\[TMPRL\d+\] /, ''),
  };
}

function causeOf(error: Error): { type: string; message: string } {
  const type = 'type' in error && typeof error.type === 'string' ? error.type : error.name;
  return { type, message: error.message.split('\n', 1)[0] ?? '' };
}
