/** The workflow of a study, or of a tune. */
import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { StudyProgress, StudySettings } from '../../core/study/cell.js';
import type { StudyPlan } from '../../core/study/plan.js';
import { costsSeenSignal, wholeTaskProcessed } from '../run/listen.js';
import { continueOnCurrent, movingFrom, type VersionMove } from '../version.js';
import { BreadthFirst } from './breadth-first.js';
import { type AskingOrder, StudyRounds } from './study-rounds.js';
import { initialState, type StudyState } from './study-state.js';
import { TuneSteps } from './tune-steps.js';

const studyProgressQuery = defineQuery<StudyProgress>('progress');
/** Each update returns the progress after it. */
const pauseStudyUpdate = defineUpdate<StudyProgress>('pause');
const resumeStudyUpdate = defineUpdate<StudyProgress>('resume');
const setStudyUpdate = defineUpdate<StudyProgress, [Partial<StudySettings>]>('set');

/** Rounds in one history. Each takes some nine events; Temporal allows 51,200. */
const ROUNDS_PER_HISTORY = 1000;

/**
 * The workflow of a study or a tune. It asks the questions of its runs in rounds: each round is a
 * child workflow that asks up to a given number of the questions of one run that have no answer.
 *
 * A run is at most one round ahead of the slowest, so one slow question does not hold up the
 * others. A study with a stopping rule checks what is decided each time that all runs have ended a
 * round. A tune decides from the answers so far what it asks next. A run that needs a person ends
 * its round, and the study pauses with its reason.
 *
 * If its history has grown long, or another version of the workers is current, no round begins, and
 * the study continues as new after the last one under way. A cancelled study ends after the last of
 * its runs.
 *
 * @returns The final progress.
 */
export async function evaluateStudy(
  plan: StudyPlan,
  before?: StudyState | null,
  roundsPerHistory = ROUNDS_PER_HISTORY,
  moved: VersionMove = {},
): Promise<StudyProgress> {
  const state = before ?? initialState(plan);
  const order = orderOf(plan, state);
  const rounds = new StudyRounds(plan.study, state, order, { rounds: roundsPerHistory, moved });
  listen(rounds);
  await order.ask(rounds);
  if (order.isOver()) return rounds.progress();
  await condition(allHandlersFinished);
  const next = movingFrom(moved);
  return continueOnCurrent<typeof evaluateStudy>(plan, state, roundsPerHistory, next);
}

function orderOf(plan: StudyPlan, state: StudyState): AskingOrder {
  const { tune } = plan;
  return tune && state.tuning
    ? new TuneSteps(tune, state, state.tuning)
    : new BreadthFirst(plan, state);
}

function listen(rounds: StudyRounds): void {
  const progress = () => rounds.progress();
  setHandler(studyProgressQuery, progress, { description: 'How far the study is.' });
  setHandler(pauseStudyUpdate, async () => {
    await wholeTaskProcessed();
    await rounds.pause();
    return progress();
  });
  setHandler(resumeStudyUpdate, async () => {
    await wholeTaskProcessed();
    rounds.resume();
    return progress();
  });
  setHandler(setStudyUpdate, async ({ budgetUsd }) => {
    await wholeTaskProcessed();
    if (budgetUsd !== undefined) rounds.setBudget(budgetUsd);
    return progress();
  });
  setHandler(costsSeenSignal, (run, costsSeen, spentUsd) => {
    rounds.countQuestion(run, costsSeen, spentUsd);
  });
}
