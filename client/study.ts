/** Starts, joins, observes and controls studies. */
import { isDeepStrictEqual } from 'node:util';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { Failure } from '../core/failure.js';
import { BadInput, type Problem, problemText } from '../core/options/problems.js';
import type { RunProgress } from '../core/run/run.js';
import type {
  StudyGate,
  StudyProgress,
  StudyRunProgress,
  StudySettings,
} from '../core/study/cell.js';
import { type CellLabels, isSameCell, withCounts } from '../core/study/cell-progress.js';
import type { StudyPlan } from '../core/study/plan.js';
import {
  type CellRuns,
  cellsOf,
  parseStudy,
  pathInStudy,
  type StudyInput,
} from '../core/study/study.js';
import { parseTune, type TuneInput } from '../core/tune/tune.js';
import { tunePlan } from '../core/tune/tune-runs.js';
import { parseRunInput } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { workflowIdOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';
import { deleteHistories } from './delete-run.js';
import { descriptionOf, jobHandle, queryProgress, sendUpdate } from './job.js';
import type { CustomMethods, StudyOf } from './method-types.js';
import { retryWhileAway } from './server-away.js';

/**
 * Handle of a study that was started or joined: waits for its result, observes it, pauses it,
 * changes its budget.
 */
export type StudyHandle = ReturnType<typeof studyHandle>;

/**
 * Returns the cells of a study, each with the inputs of its runs, after checking all of them.
 *
 * @param datasets References to the stored data sets, by label; a data set with `stored` needs
 * none.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function checkedCells(
  input: StudyInput,
  datasets: ReadonlyMap<string, string> = new Map(),
  registry?: OwnMethods,
): CellRuns[] {
  const study = parseStudy(input);
  const cells = cellsOf(study, datasets);
  const problems = cells.flatMap(({ inputs: [first] }): Problem[] => {
    try {
      parseRunInput({ ...first, dataset: first?.dataset || 'unread' }, registry);
      return [];
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return error.problems.map((one) => {
        return { ...one, path: pathInStudy(study, first?.study?.place ?? 0, one.path) };
      });
    }
  });
  // A wrong option of a method is wrong in each of its cells.
  const distinct = new Map(problems.map((one) => [problemText(one), one]));
  if (distinct.size > 0) throw new BadInput([...distinct.values()]);
  return cells;
}

/**
 * A cell of a study that is asked alone, and the gate that compares it with a stored run until it
 * is shown to be too much worse or good enough.
 */
export interface GatedCell {
  cell: CellLabels;
  gate: StudyGate;
}

/** Returns the client's functions for studies and tunes: start, find, retry and delete. */
export function studies<Own extends CustomMethods>(
  client: Client,
  taskQueue: string,
  registry: OwnMethods,
) {
  const handleOf = (study: string) => studyHandle(client, study);
  const find = (study: string) => descriptionOf(client.workflow.getHandle(studyId(study)));

  async function found(study: string): Promise<WorkflowExecutionDescription> {
    const there = await find(study);
    if (there) return there;
    throw new Failure('UnknownRun', `Temporal knows no study "${study}".`);
  }

  async function start(plan: StudyPlan): Promise<StudyHandle> {
    const what = plan.tune ? 'tune' : `study of ${plan.runs.length} runs`;
    await client.workflow.start('evaluateStudy', {
      workflowId: studyId(plan.study),
      taskQueue,
      args: [plan],
      memo: { plan },
      staticSummary: summaryLine(what),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    return handleOf(plan.study);
  }

  /** Starts a study, or joins it if it is running with the same plan. */
  async function join(plan: StudyPlan): Promise<StudyHandle> {
    const { study } = plan;
    const there = await find(study);
    if (there?.status.name !== 'RUNNING') return start(plan);
    if (isDeepStrictEqual(aimOf(planOf(there)), aimOf(plan))) return handleOf(study);
    const what = plan.tune
      ? `The tune "${study}" is under way with a different file`
      : `The study "${study}" is under way with other cells, or with another rule for stopping`;
    throw new Failure('Conflict', `${what}; wait for its end or cancel it first.`);
  }

  return {
    /**
     * Starts a tune: searches for a better or a cheaper pipeline on half A of the questions, and
     * confirms it on half B. A running tune is joined; an ended one starts again, and asks only
     * questions without an answer. Returns the handle of a study.
     *
     * @param datasets References to the stored data sets of its start and of its confirmation, as
     * "start" and "confirm", if the tune does not name them by `stored`.
     * @throws Failure before anything is started: BadInput naming the field that is wrong, Conflict
     * if it is running with a different definition. A refusal by the workers fails the tune.
     */
    tune: (input: TuneInput, datasets?: ReadonlyMap<string, string>) =>
      retryWhileAway(async () => {
        const { name, budgetUsd } = parseTune(input);
        const tune = tunePlan(input, datasets);
        return join({ study: name, runs: [], tune, ...(budgetUsd && { budgetUsd }) });
      }),
    /**
     * Starts a study: all its runs, breadth first, under one budget. A running study is joined; an
     * ended one starts again, and asks only questions without an answer.
     *
     * @typeParam S Its methods. The compiler checks literal names and options; those of a
     * `StudyInput` are checked at run time.
     * @param datasets References to the stored data sets, by label; one with `stored` needs none.
     * @throws Failure before anything is started: BadInput naming the field that is wrong; Conflict
     * if it is running with other cells or another stopping rule.
     */
    study: <S extends StudyInput['methods'][number]>(
      typed: StudyOf<S, Own>,
      datasets?: ReadonlyMap<string, string>,
      gated?: GatedCell,
    ) =>
      retryWhileAway(async () => {
        const input = typed as StudyInput;
        return join(planFor(input, checkedCells(input, datasets, registry), gated));
      }),
    /** Returns the handle of a study. @throws Failure UnknownRun if there is no such study. */
    getStudy: (study: string) =>
      retryWhileAway(async () => {
        await found(study);
        return handleOf(study);
      }),
    /**
     * Starts a study again with its last input, or joins it; failed questions are asked again.
     *
     * @throws Failure UnknownRun if there is no such study; Conflict if the program that started it
     * stored no input.
     */
    retryStudy: (study: string) =>
      retryWhileAway(async () => {
        const there = await found(study);
        const plan = planOf(there);
        if (there.status.name === 'RUNNING') return handleOf(study);
        if (plan) return start(plan);
        const what = `Temporal does not have the input of the study "${study}"`;
        throw new Failure('Conflict', `${what}: start it again with the program that started it.`);
      }),
    /**
     * Deletes the histories of an ended study, but not those of its runs.
     *
     * @returns The number of deleted histories.
     * @throws Failure Conflict while it is running.
     */
    deleteStudy: async (study: string): Promise<number> => {
      const there = await find(study);
      if (there?.status.name === 'RUNNING') {
        throw new Failure('Conflict', `The study "${study}" is under way: cancel it first.`);
      }
      const id = studyId(study);
      // A tune's rounds of prompt writing have histories of their own.
      const query = `(WorkflowId = '${id}' OR WorkflowId STARTS_WITH '${id}/')`;
      return there ? deleteHistories(client, query) : 0;
    },
  };
}

/** Returns the plan of a study: all its cells, or only the one of the gate. */
function planFor(input: StudyInput, all: readonly CellRuns[], gated?: GatedCell): StudyPlan {
  const { name, budgetUsd, untilDecided } = parseStudy(input);
  const cells = gated ? all.filter((cell) => isSameCell(cell, gated.cell)) : all;
  const runs = cells.flatMap(({ inputs }) => inputs);
  const stops = gated ? { gate: gated.gate } : untilDecided && { untilDecided };
  return { study: name, runs, ...(budgetUsd && { budgetUsd }), ...stops } as StudyPlan;
}

/** Returns the part of a plan that must not change while it is running. */
function aimOf(plan: StudyPlan | undefined) {
  const { runs, untilDecided, gate, tune } = plan ?? {};
  // In the form of a memo, which has no undefined fields.
  return {
    runs: runs?.map(({ run }) => run),
    ...(untilDecided && { untilDecided }),
    ...(gate && { gate }),
    ...(tune && { tune: JSON.parse(JSON.stringify(tune)) }),
  };
}

/** Returns the plan with which a study was last started. */
function planOf({ memo }: WorkflowExecutionDescription): StudyPlan | undefined {
  return memo?.plan as StudyPlan | undefined;
}

function studyHandle(client: Client, study: string) {
  const handle = client.workflow.getHandle(studyId(study));
  const update = (name: string, change?: Partial<StudySettings>) =>
    sendUpdate<StudyProgress>(handle, `study "${study}"`, name, change);
  return {
    ...jobHandle<StudyProgress, StudyProgress>(handle),
    study,
    /** Returns the current progress, with the numbers of ended questions that its runs report. */
    async progress(): Promise<StudyProgress> {
      const progress = await queryProgress<StudyProgress>(handle);
      const runs = progress.runs.map((run) => countedSoFar(client, run));
      return { ...progress, runs: await Promise.all(runs) };
    },
    /** Starts no more questions in any of its runs until `resume`. Returns the progress. */
    pause: () => update('pause'),
    resume: () => update('resume'),
    /** Changes the budget, and returns the progress; null removes it. */
    set: (settings: Partial<StudySettings>) => update('set', settings),
  };
}

/** Returns a run as it counts by itself; a study counts its questions when a round has ended. */
async function countedSoFar(client: Client, run: StudyRunProgress): Promise<StudyRunProgress> {
  if (run.state !== 'running') return run;
  const handle = client.workflow.getHandle(workflowIdOf(run.run));
  // Its round may not have begun, or have ended.
  const counted = await queryProgress<RunProgress>(handle).catch(() => undefined);
  return counted ? withCounts(run, counted) : run;
}

function studyId(study: string): string {
  return `study/${study}`;
}
