/** Studies from a program: starting, joining, watching and steering them. */
import { isDeepStrictEqual } from 'node:util';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { Failure } from '../core/failure.js';
import { BadInput } from '../core/options/problems.js';
import type { StudyGate, StudyPlan, StudyProgress, StudySettings } from '../core/study/cell.js';
import { type CellLabels, isSameCell } from '../core/study/cells.js';
import { type CellRuns, cellsOf, parseStudy, type StudyInput } from '../core/study/study.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { parseRunInput } from '../workflows/methods.js';
import { summaryLine } from '../workflows/summary-line.js';
import { deleteHistories } from './delete-run.js';
import { described, jobHandle, sendUpdate } from './job.js';

export type StudyHandle = ReturnType<typeof studyHandle>;

/**
 * Returns the cells of a study with their runs, all of them checked.
 *
 * @param datasets By label, how the questions are named in the store; a data set that the study
 *   names by `stored` needs none.
 * @throws Failure BadInput naming every field that is wrong, and the cell that cannot be asked.
 */
export function checkedCells(
  input: StudyInput,
  datasets: ReadonlyMap<string, string> = new Map(),
  registry?: OwnMethods,
): CellRuns[] {
  const study = parseStudy(input);
  const cells = cellsOf(study, datasets);
  for (const { inputs, ...labels } of cells) {
    const [first] = inputs;
    try {
      parseRunInput({ ...first, dataset: first?.dataset || 'unread' }, registry);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      const cell = [labels.method, labels.dataset, labels.model].join(', ');
      throw new BadInput(error.problems.map((one) => ({ ...one, path: [cell, ...one.path] })));
    }
  }
  return cells;
}

/** Asks one cell alone until it is shown to be, or not to be, too much worse than a kept run. */
export interface StudyCheck {
  cell: CellLabels;
  gate: StudyGate;
}

export async function startStudy(
  client: Client,
  taskQueue: string,
  registry: OwnMethods,
  input: StudyInput,
  datasets?: ReadonlyMap<string, string>,
  check?: StudyCheck,
): Promise<StudyHandle> {
  const { name, budgetUsd, untilDecided } = parseStudy(input);
  const all = checkedCells(input, datasets, registry);
  const cells = check ? all.filter((cell) => isSameCell(cell, check.cell)) : all;
  const runs = cells.flatMap(({ inputs }) => inputs);
  const stops = check ? { gate: check.gate } : untilDecided && { untilDecided };
  const plan = { study: name, runs, ...(budgetUsd && { budgetUsd }), ...stops } as StudyPlan;
  const workflowId = studyId(name);
  const found = await described(client.workflow.getHandle(workflowId));
  if (found?.status.name === 'RUNNING') {
    if (!isDeepStrictEqual(aimOf(planOf(found)), aimOf(plan))) {
      throw new Failure(
        'Conflict',
        `The study "${name}" is under way with other cells, or until something else is decided; wait for its end or cancel it first.`,
      );
    }
    return studyHandle(client, name);
  }
  return startPlan(client, taskQueue, plan);
}

async function startPlan(client: Client, taskQueue: string, plan: StudyPlan): Promise<StudyHandle> {
  await client.workflow.start('evaluateStudy', {
    workflowId: studyId(plan.study),
    taskQueue,
    args: [plan],
    memo: { plan },
    staticSummary: summaryLine(`study of ${plan.runs.length} runs`),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
  return studyHandle(client, plan.study);
}

export async function retryStudy(
  client: Client,
  taskQueue: string,
  study: string,
): Promise<StudyHandle> {
  const found = await describedStudy(client, study);
  const plan = planOf(found);
  if (found.status.name === 'RUNNING') return studyHandle(client, study);
  if (plan) return startPlan(client, taskQueue, plan);
  const what = `What the study "${study}" was started with is known to the program that did`;
  throw new Failure('Conflict', `${what}: start it again there.`);
}

export async function deleteStudy(client: Client, study: string): Promise<number> {
  const workflowId = studyId(study);
  const found = await described(client.workflow.getHandle(workflowId));
  if (found?.status.name === 'RUNNING') {
    throw new Failure('Conflict', `The study "${study}" is under way: cancel it first.`);
  }
  return found ? deleteHistories(client, `WorkflowId = '${workflowId}'`) : 0;
}

/** What of a plan is not changed while it is under way. */
function aimOf(plan: StudyPlan | undefined) {
  const { runs, untilDecided, gate } = plan ?? {};
  // As a memo gives it back: without what is undefined.
  return {
    runs: runs?.map(({ run }) => run),
    ...(untilDecided && { untilDecided }),
    ...(gate && { gate }),
  };
}

/** What a study was started with last. */
function planOf({ memo }: WorkflowExecutionDescription): StudyPlan | undefined {
  return memo?.plan as StudyPlan | undefined;
}

/** @throws Failure UnknownRun where there is no such study. */
async function describedStudy(
  client: Client,
  study: string,
): Promise<WorkflowExecutionDescription> {
  const found = await described(client.workflow.getHandle(studyId(study)));
  if (found) return found;
  throw new Failure('UnknownRun', `There is no study "${study}" that Temporal knows of.`);
}

export async function getStudy(client: Client, study: string): Promise<StudyHandle> {
  await describedStudy(client, study);
  return studyHandle(client, study);
}

function studyHandle(client: Client, study: string) {
  const handle = client.workflow.getHandle(studyId(study));
  const update = (name: string, change?: Partial<StudySettings>) =>
    sendUpdate<StudyProgress>(handle, `study "${study}"`, name, change);
  return {
    ...jobHandle<StudyProgress, StudyProgress>(handle),
    study,
    /** Begins no more questions in any of its runs, until `resume`. */
    pause: () => update('pause'),
    resume: () => update('resume'),
    /** Changes the budget; null lifts it. */
    set: (settings: Partial<StudySettings>) => update('set', settings),
  };
}

function studyId(study: string): string {
  return `study/${study}`;
}
