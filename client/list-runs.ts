/** Lists runs with their states. */
import type { Client, WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import type { RunInput } from '../core/run/input.js';
import type { RunProgress, StartRefusal } from '../core/run/run.js';
import { runOf } from '../workflows/run/run-name.js';
import { applicationFailureOf, descriptionOf, queryProgress } from './job.js';
import { type StuckWorkflow, stuckWorkflows } from './stuck-workflows.js';

/**
 * The state of a run's last start: its name and workflow id, its status, its start and end (as
 * `Date`), its input, progress and failure, and its workflows that cannot continue (`stuck`).
 * `progress` is undefined if the run ended without completing, or is running and no worker
 * answers.
 */
export type RunSummary = Awaited<ReturnType<typeof summaryOf>>;

/** Maximum number of runs in a list, each with a progress query in parallel. */
const MOST = 100;

/**
 * Returns the newest 100 runs of a task queue, newest first. A run that was started several times
 * is listed once, with its last start.
 */
export async function listRuns(client: Client, taskQueue: string): Promise<RunSummary[]> {
  const query = `WorkflowType = 'evaluateRun' AND ExecutionStatus != 'ContinuedAsNew' AND TaskQueue = '${taskQueue}'`;
  const newest = new Map<string, WorkflowExecutionInfo>();
  for await (const info of client.workflow.list({ query })) {
    if (!newest.has(info.workflowId)) newest.set(info.workflowId, info);
    if (newest.size === MOST) break;
  }
  const stuck = newest.size === 0 ? [] : await stuckWorkflows(client, taskQueue);
  return Promise.all([...newest.values()].map((info) => summaryOf(client, info, stuck)));
}

/**
 * Returns the state of the last start of a run; undefined if Temporal does not know the run.
 *
 * @param workflowId Workflow id of the run, not its name.
 */
export async function describeRun(
  client: Client,
  workflowId: string,
): Promise<RunSummary | undefined> {
  const info = await descriptionOf(client.workflow.getHandle(workflowId));
  if (!info) return undefined;
  const isRunning = info.status.name === 'RUNNING';
  const stuck = isRunning ? await stuckWorkflows(client, info.taskQueue, runOf(workflowId)) : [];
  return summaryOf(client, info, stuck);
}

type Described = Pick<
  WorkflowExecutionInfo,
  'workflowId' | 'runId' | 'status' | 'startTime' | 'closeTime' | 'memo'
>;

async function summaryOf(
  client: Client,
  { workflowId, runId, status, startTime, closeTime, memo }: Described,
  stuck: readonly StuckWorkflow[],
) {
  const handle = client.workflow.getHandle(workflowId, runId);
  return {
    run: runOf(workflowId),
    workflowId,
    /** Status of the workflow: RUNNING, COMPLETED, CANCELLED, FAILED, TERMINATED or TIMED_OUT. */
    status: status.name,
    /** Time of the last start. */
    startedAt: startTime,
    /** Time of its end; undefined while it is running. */
    endedAt: closeTime,
    input: memo?.input as RunInput | undefined,
    /** Workflows of the run that cannot continue. */
    stuck: stuck.filter((one) => `${one.workflowId}/`.startsWith(`${workflowId}/`)),
    /** Progress; undefined if it ended without completing, or if no worker answers. */
    progress: await progressOf(handle, status.name),
    /** The failure; undefined if the run did not fail. */
    failure: status.name === 'FAILED' ? await failureOf(handle) : undefined,
  };
}

/**
 * Returns the progress of a run; undefined if it ended without completing, or if no worker answers.
 * That of a completed run is its result, which needs no worker.
 */
async function progressOf(
  handle: WorkflowHandle,
  status: Described['status']['name'],
): Promise<RunProgress | undefined> {
  if (status !== 'COMPLETED' && status !== 'RUNNING') return undefined;
  const progress: Promise<RunProgress> =
    status === 'COMPLETED' ? handle.result() : queryProgress(handle);
  return progress.catch(() => undefined);
}

/**
 * Returns the failure of a run. `unbegun` is set if its start was refused, so that no question was
 * asked.
 */
async function failureOf(handle: WorkflowHandle) {
  try {
    await handle.result();
    return undefined;
  } catch (error) {
    const { type, message, details } = applicationFailureOf(error) ?? { message: String(error) };
    const { unbegun } = Object(details?.[0]) as StartRefusal;
    return { type: type ?? 'Unexpected', message, ...(unbegun && { unbegun }) };
  }
}
