/** Says which workflows a worker cannot take on: the SDK names them by a run id alone, and once. */
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
const LATER_MS = 30_000;
/** Largest number of workflows named in a report. */
const MOST = 5;
const TIMEOUT_MS = 5_000;

export interface NamedWorkflow {
  workflowId: string;
  type: string;
}

type NameWorkflows = (runIds: readonly string[]) => Promise<Map<string, NamedWorkflow>>;

/**
 * Returns a function that takes each failed task and reports it.
 *
 * @param name Names workflows by their run ids. Workflows that it does not know, or all of them if
 * it rejects, are named by the run id.
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
      `${others} more cannot go on in the same way: "${command('runs')}" shows the runs that they are of.`,
    );
  }

  return (task) => {
    waiting.push(task);
    if (waiting.length > 1) return;
    setTimeout(() => void tell(), hasTold ? laterMs : firstMs).unref();
  };
}

/** Returns the sentence for a stuck workflow, and its log fields. Pure. */
function stuckLine(
  { runId, isOtherVersion, message }: FailedTask,
  workflow: NamedWorkflow | undefined,
): { text: string; fields: LogFields } {
  const who = workflow ? `${workflow.type} of ${workflow.workflowId}` : `The workflow ${runId}`;
  const what = isOtherVersion
    ? `began with another version of the workflows than this worker has, and cannot go on with it (${message}). It waits and loses nothing: start workers of the version that it began with, and stop these; with --versioned both versions run side by side.`
    : `cannot continue, and is tried again (${message}). If this does not end, the code of this worker has a fault: return to the version before it, or fix it; the question then continues where it stopped.`;
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

/** Asks the server's index. */
export function namesFrom({ connection, namespace }: OpenServer): NameWorkflows {
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
