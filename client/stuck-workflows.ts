/** Which workflows of a run cannot go on, as the Temporal server reports it. */
import { type Client, isGrpcServiceError, type WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowIdOf } from '../methods/batch/run-name.js';

/** A workflow whose last tasks failed or got no answer: the server tries it again, for ever. */
export interface StuckWorkflow {
  workflowId: string;
  /** As the server names it, such as "NonDeterministicError" or "WorkflowTaskTimedOut". */
  problem: string;
}

/** Of Temporal server 1.30 and later: "category=..." and "cause=..." after two failures in a row. */
const REPORTED = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST');

/** INVALID_ARGUMENT of gRPC: an older server has no such attribute. */
const INVALID_ARGUMENT = 3;

/** More than that are not told apart by anybody. */
const MOST = 1000;

/**
 * The workflows of runs that cannot go on: of one run, or of all. One look-up in the server's index,
 * which is some seconds behind; empty where the server keeps no such record.
 */
export async function stuckWorkflows(client: Client, run?: string): Promise<StuckWorkflow[]> {
  // The names of runs hold nothing that would have to be escaped.
  const of =
    run === undefined
      ? `WorkflowId STARTS_WITH 'eval/'`
      : `(WorkflowId = '${workflowIdOf(run)}' OR WorkflowId STARTS_WITH '${workflowIdOf(run)}/')`;
  const query = `${REPORTED.name} IS NOT NULL AND ExecutionStatus = 'Running' AND ${of}`;
  const stuck: StuckWorkflow[] = [];
  try {
    for await (const info of client.workflow.list({ query })) {
      stuck.push({ workflowId: info.workflowId, problem: problemOf(info) });
      if (stuck.length === MOST) break;
    }
  } catch (error) {
    if (!isUnknownAttribute(error)) throw error;
  }
  return stuck;
}

function problemOf({ typedSearchAttributes }: WorkflowExecutionInfo): string {
  const reported = typedSearchAttributes.get(REPORTED) ?? [];
  const [cause = 'unknown'] = reported.filter((one) => one.startsWith('cause=')).concat(reported);
  return cause.replace(
    /^(cause|category)=(WorkflowTaskFailedCause|WorkflowTaskTimedOutCause)?/,
    '',
  );
}

function isUnknownAttribute(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((one) => isGrpcServiceError(one) && one.code === INVALID_ARGUMENT);
}
