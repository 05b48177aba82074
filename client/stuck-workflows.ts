/** Finds workflows that cannot continue, as reported by the Temporal server. */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowIdOf } from '../workflows/run/run-name.js';
import { describeDeployment, pinnedTo, rolesWithoutWorkers } from './deployments.js';
import { GRPC, grpcCode } from './grpc-code.js';

/**
 * A workflow that cannot continue, and the problem: its last tasks failed or timed out, so that
 * the server retries it for ever, or its version lacks workers for at least one role.
 */
export interface StuckWorkflow {
  workflowId: string;
  /**
   * The server's name of the problem, such as "NonDeterministicError"; "NoWorkersOfVersion" if its
   * workers are gone.
   */
  problem: string;
  /** Build id of its version, if the version has no workers; otherwise undefined. */
  build?: string;
}

/**
 * Search attribute of Temporal server 1.30 and later: "category=..." and "cause=..." after two
 * failures in a row.
 */
const REPORTED = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST');

/** Maximum number of workflows in a list. */
const MOST = 1000;

/**
 * Returns the running workflows that cannot continue: those whose tasks keep failing, which
 * servers from 1.30 on report after some seconds, and those whose version has had no workers for
 * at least one role (questions, models or retrieval) for about a minute. At most 1,000 of the
 * first kind, and of each version.
 *
 * @param taskQueue The task queue of the runs.
 * @param run Name of the run whose workflow and questions are meant; all runs of the task queue if
 * undefined.
 */
export function stuckWorkflows(
  client: Client,
  taskQueue: string,
  run?: string,
): Promise<StuckWorkflow[]> {
  // Names of runs need no escaping.
  const of =
    run === undefined
      ? `WorkflowId STARTS_WITH 'eval/' AND TaskQueue = '${taskQueue}'`
      : `(WorkflowId = '${workflowIdOf(run)}' OR WorkflowId STARTS_WITH '${workflowIdOf(run)}/')`;
  return stuckAmong(client, taskQueue, of);
}

/**
 * Returns the running workflows that collect a task queue's provider batches and cannot continue,
 * for the same reasons as `stuckWorkflows` names.
 */
export function stuckCollectors(client: Client, taskQueue: string): Promise<StuckWorkflow[]> {
  const of = `WorkflowType = 'collectBatches' AND TaskQueue = '${taskQueue}'`;
  return stuckAmong(client, taskQueue, of);
}

/**
 * Returns the workflows that cannot continue among those that match a condition.
 *
 * @param of Visibility query.
 */
async function stuckAmong(client: Client, taskQueue: string, of: string): Promise<StuckWorkflow[]> {
  const reported = await found(client, `${REPORTED.name} IS NOT NULL AND ${of}`);
  const stuck = reported.map((info) => ({ workflowId: info.workflowId, problem: problemOf(info) }));
  const { name, versions } = await describeDeployment(client, taskQueue);
  for (const version of versions) {
    if (version.open === 0 || rolesWithoutWorkers(version).length === 0) continue;
    const { build } = version;
    const left = await found(client, `${pinnedTo(name, build)} AND ${of}`);
    const known = new Set(stuck.map(({ workflowId }) => workflowId));
    const others = left.filter(({ workflowId }) => !known.has(workflowId));
    stuck.push(
      ...others.map(({ workflowId }) => ({ workflowId, problem: 'NoWorkersOfVersion', build })),
    );
  }
  return stuck;
}

/**
 * Returns the running workflows that match a query, at most 1,000; empty if the server is too old.
 */
async function found(client: Client, condition: string): Promise<WorkflowExecutionInfo[]> {
  const infos: WorkflowExecutionInfo[] = [];
  try {
    const query = `${condition} AND ExecutionStatus = 'Running'`;
    for await (const info of client.workflow.list({ query })) {
      infos.push(info);
      if (infos.length === MOST) break;
    }
  } catch (error) {
    // An older server lacks the attribute.
    if (grpcCode(error) !== GRPC.invalidArgument) throw error;
  }
  return infos;
}

/** Returns the problem that the server reports, without its prefix. */
function problemOf({ typedSearchAttributes }: WorkflowExecutionInfo): string {
  const reported = typedSearchAttributes.get(REPORTED) ?? [];
  const [cause = 'unknown'] = reported.filter((one) => one.startsWith('cause=')).concat(reported);
  return cause.replace(
    /^(cause|category)=(WorkflowTaskFailedCause|WorkflowTaskTimedOutCause)?/,
    '',
  );
}
