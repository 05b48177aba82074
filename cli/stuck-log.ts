/** Reports workflow tasks that a worker cannot run, which the SDK logs by run id and only once. */
import { Client } from '@temporalio/client';
import { command } from '../core/command.js';
import type { LogFields, Reporter } from '../temporal-dev/reporter.js';
import { placeOf } from '../workflows/run/run-name.js';
import type { FailedTask } from './log-entry.js';
import type { OpenServer } from './reach-server.js';

/**
 * Milliseconds between the first failure and the first report; failures in between are reported
 * together.
 */
const FIRST_MS = 1_000;
/** Milliseconds between two later reports. */
const LATER_MS = 30_000;
/** Largest number of workflows named in a report. */
const MOST = 5;
const TIMEOUT_MS = 5_000;

/** The id and type of a workflow. */
export interface NamedWorkflow {
  workflowId: string;
  type: string;
}

/** A function that returns workflows by their run ids. */
type NameWorkflows = (runIds: readonly string[]) => Promise<Map<string, NamedWorkflow>>;

/**
 * Returns a function that takes failed workflow tasks and reports them as warnings, several at a
 * time: one for each of the first five workflows, and one with the number of the others.
 *
 * @param name Returns workflows by their run ids. Workflows that it does not return, or all of them
 * if it rejects, are reported by run id.
 */
export function stuckLog(
  reporter: Pick<Reporter, 'warn'>,
  name: NameWorkflows,
  { firstMs = FIRST_MS, laterMs = LATER_MS } = {},
): (task: FailedTask) => void {
  let waiting: FailedTask[] = [];
  let hasTold = false;

  async function tell(): Promise<void> {
    const tasks = [...new Map(waiting.map((task) => [task.runId, task])).values()];
    waiting = [];
    hasTold = true;
    const named = tasks.slice(0, MOST);
    const names = await name(named.map(({ runId }) => runId)).catch(
      () => new Map<string, NamedWorkflow>(),
    );
    for (const task of named) {
      const { text, fields } = stuckLine(task, names.get(task.runId));
      reporter.warn(text, fields);
    }
    const others = tasks.length - named.length;
    if (others === 0) return;
    reporter.warn(
      `${others} more workflows cannot continue either: "${command('runs')}" shows their runs.`,
    );
  }

  return (task) => {
    waiting.push(task);
    if (waiting.length > 1) return;
    setTimeout(() => void tell(), hasTold ? laterMs : firstMs).unref();
  };
}

/** Returns the sentence about a workflow that cannot continue, and its log fields. Pure. */
function stuckLine(
  { runId, isOtherVersion, message }: FailedTask,
  workflow: NamedWorkflow | undefined,
): { text: string; fields: LogFields } {
  const who = workflow ? `${workflow.type} of ${workflow.workflowId}` : `The workflow ${runId}`;
  const what = isOtherVersion
    ? `was started with another version of the workflows than this worker's, and cannot continue here (${message}). It waits and loses nothing: start workers of its version, and stop these; with --versioned both versions run side by side.`
    : `cannot continue, and is retried (${message}). If this does not end, the code of this worker has a bug: go back to the previous version, or fix it; the question then continues where it stopped.`;
  return {
    text: `${who} ${what}`,
    fields: {
      level: 'error',
      kind: isOtherVersion ? 'NonDeterministicError' : 'WorkflowTaskFailed',
      ...(workflow && {
        ...placeOf(workflow.workflowId),
        workflowId: workflow.workflowId,
        method: workflow.type,
      }),
    },
  };
}

/**
 * Returns a function that looks up workflows in the server's index: it takes their Temporal run
 * ids, and resolves to a map from run id to `workflowId` and `type`. Workflows that the index
 * lacks are left out.
 */
export function workflowLookup({ connection, namespace }: OpenServer): NameWorkflows {
  const { workflow } = new Client({ connection, namespace });
  return (runIds) =>
    connection.withDeadline(Date.now() + TIMEOUT_MS, async () => {
      const query = `RunId IN (${runIds.map((id) => `'${id}'`).join(', ')})`;
      const names = new Map<string, NamedWorkflow>();
      for await (const { runId, workflowId, type } of workflow.list({ query })) {
        names.set(runId, { workflowId, type });
      }
      return names;
    });
}
