/** Describes workflows that cannot continue, and what to do about them. Pure. */
import pc from 'picocolors';
import type { StuckWorkflow } from '../../client/stuck-workflows.js';
import { command } from '../../core/command.js';
import { workflowIdOf } from '../../workflows/run/run-name.js';

/** Maximum number of workflows that are named. */
const MOST = 3;

const CAUSES: Record<string, string> = {
  NonDeterministicError:
    'the workers run another version of the code than the one that they began with',
  WorkflowTaskTimedOut: 'no worker finishes a step of them in time',
};

/**
 * Returns lines about workflows of a run that cannot continue, with what to do; no lines if there
 * are none.
 */
export function renderStuck(run: string, stuck: readonly StuckWorkflow[]): string[] {
  const itself = stuck.filter(({ workflowId }) => isOfTheRun(run, workflowId));
  const questions = stuck.filter((one) => !itself.includes(one));
  return [
    ...itself.flatMap(({ workflowId, ...one }) => [
      `The run itself cannot go on${workflowId === workflowIdOf(run) ? '' : `, for ${workflowId}`}: ${cause(one)}.`,
      `Start workers of the version that began it, or end it and go on with its answers: temporal workflow terminate --workflow-id '${workflowId}', then the same command.`,
    ]),
    ...ofQuestions(run, questions),
  ].map((line) => pc.red(line));
}

/**
 * Returns lines about batch workflows that cannot continue, for which model calls of every run may
 * be waiting.
 */
export function renderStuckPools(stuck: readonly StuckWorkflow[]): string[] {
  return stuck
    .flatMap(({ workflowId, ...one }) => [
      `No batch is made or read, for ${workflowId} cannot go on: ${cause(one)}.`,
      `Start workers of the version that began it, or end it: temporal workflow terminate --workflow-id '${workflowId}'. Another one starts within minutes and continues with the waiting requests and the open batches; nothing is paid again.`,
    ])
    .map((line) => pc.red(line));
}

/** Returns whether a workflow is the run's own or one of its shards, rather than a question. */
function isOfTheRun(run: string, workflowId: string): boolean {
  return workflowId === workflowIdOf(run) || workflowId.startsWith(`${workflowIdOf(run)}/shards/`);
}

function ofQuestions(run: string, stuck: readonly StuckWorkflow[]): string[] {
  const [first] = stuck;
  if (!first) return [];
  const named = stuck.slice(0, MOST).map(({ workflowId }) => workflowId);
  const more = stuck.length > MOST ? ` and ${stuck.length - MOST} more` : '';
  return [
    `${stuck.length === 1 ? '1 question' : `${stuck.length} questions`} cannot go on: ${cause(first)}: ${named.join(', ')}${more}.`,
    `Start workers of the version that began them; or end them, which counts them as failed, and ask them again once the run has ended: temporal workflow terminate --workflow-id '${first.workflowId}', then ${command('retry', run)}. What they paid for comes from the response cache.`,
  ];
}

function cause({ problem, build }: Pick<StuckWorkflow, 'problem' | 'build'>): string {
  if (build !== undefined) return `version ${build} of the workers has no workers any more`;
  return CAUSES[problem] ?? `the workers' code has a fault that their log shows (${problem})`;
}
