/** An entry of the SDK's log as a line of ours: a sentence, and where it belongs. Pure. */
import type { LogEntry } from '@temporalio/worker';
import type { LogFields } from '../temporal-dev/reporter.js';
import { placeOf } from '../workflows/run/run-name.js';

/**
 * "Activity failed: rankPair of ask-sure-1a2b: RateLimited: ..." A stack is left out: it says nothing
 * to who runs a worker, and is in Temporal's history.
 */
export function lineOf({ level, message, meta = {} }: LogEntry): {
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

/** A task of a workflow that the worker's code could not take. */
export interface FailedTask {
  runId: string;
  /** Whether the workflow began with other code than the worker has. */
  isOtherVersion: boolean;
  message: string;
}

/** What the SDK's native part says of it: a message, and fields as Rust prints them. */
const FAILED_TASK = 'Failing workflow task';

/** The failed task that an entry of the SDK's native part is about; undefined of any other entry. */
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
