/**
 * Decides what the failure of a question means for its run: whether the run pauses, and whether the
 * question is held back until others show if they fail as well. Pure.
 */
import { traitsOf } from '../../core/failure.js';
import type { QuestionFailure } from '../../core/result.js';
import type { Pause, RunSettings, Tally } from '../../core/run/run.js';
import type { PageQuestion } from '../activities/run.js';

/**
 * A question of a run that waits to be asked, or whose answer waits to be judged, with what its
 * calls must report and whether it has failed before.
 */
export interface WaitingQuestion extends PageQuestion {
  /** Set if it has failed in an outage, and others were answered afterwards. */
  again?: true;
  /** Set if no question has ended yet: its calls report their expected costs. */
  tellsCost?: true;
  /**
   * Mean number of calls of a question, or the most it can make before one has ended; absent if
   * unknown.
   */
  callsEach?: number;
}

/**
 * A question that failed, or whose judging failed, and is held back: it neither counts as failed
 * yet nor waits to be asked again. Its tally is kept in case it stays failed.
 */
export interface HeldQuestion {
  question: WaitingQuestion;
  /** Its tally if it stays failed; null if its answer was to be judged. */
  tally: Tally | null;
}

/** A held question that failed in the same way as all before it, with the failure. */
export interface FailedAlike extends HeldQuestion {
  failure: QuestionFailure;
}

/**
 * The part of a run's state that determines whether another question may begin: its pause, its
 * settings, and the questions that wait or are held back.
 */
export interface PauseState {
  pause: Pause | null;
  settings: RunSettings;
  /** Questions read and not yet begun. */
  waiting: WaitingQuestion[];
  /** Questions that failed in a row from a cause that waiting can heal. */
  held: HeldQuestion[];
  /**
   * The first questions that ended, if they failed alike, until it is known whether every other
   * would.
   */
  alike?: FailedAlike[];
}

/**
 * The meaning of the end of a question for its run (`means`), with the failure except for "own".
 * "own": it concerns this question alone, which counts as answered or failed. "alike": no question
 * has ended differently yet, so every other may fail in the same way. "outage": waiting may help,
 * if others fail in the same way. "common": every question would fail for the same reason.
 */
export type FailureMeaning =
  | { means: 'own' }
  | { means: 'alike' | 'common' | 'outage'; failure: QuestionFailure };

/**
 * Returns what the end of a question, or of judging its answer, means for the run: `means` ('own',
 * 'alike', 'outage' or 'common') and, unless that is 'own', the `failure`.
 *
 * @param failure Undefined if it did not fail.
 * @param isFirst Whether none has ended before it, except those that failed in the same way.
 */
export function meaningOf(
  failure: QuestionFailure | undefined,
  isFirst: boolean,
  state: Pick<PauseState, 'alike' | 'settings'>,
): FailureMeaning {
  if (!failure) return { means: 'own' };
  if (isFirst && isAlike(failure, state)) return { means: 'alike', failure };
  if (isOutage(failure, state.settings)) return { means: 'outage', failure };
  return isCommon(failure) ? { means: 'common', failure } : { means: 'own' };
}

/**
 * Returns whether a run pauses at this failure and asks again afterwards: every question would
 * meet it, or waiting may help and the setting `pauseAfter` is not null.
 */
export function asksAgain(
  failure: QuestionFailure | undefined,
  { pauseAfter }: Pick<RunSettings, 'pauseAfter'>,
): failure is QuestionFailure {
  return failure !== undefined && (isCommon(failure) || isOutage(failure, { pauseAfter }));
}

function isCommon({ type }: QuestionFailure): boolean {
  return traitsOf(type).common === true;
}

/** Returns whether a run waits for this failure to pass. */
function isOutage(
  { type }: QuestionFailure,
  { pauseAfter }: Pick<RunSettings, 'pauseAfter'>,
): boolean {
  return traitsOf(type).healedBy === 'wait' && pauseAfter !== null;
}

/** Returns whether a failure equals that of the questions held back for failing alike. */
function isAlike(
  failure: QuestionFailure,
  { alike = [], settings }: Pick<PauseState, 'alike' | 'settings'>,
): boolean {
  if (!traitsOf(failure.type).commonIfFirst || settings.pauseIfFirst === null) return false;
  const before = alike[0]?.failure;
  return !before || (before.type === failure.type && before.step === failure.step);
}

/**
 * Returns the changes to a run's state that pause it for a failure that every question would meet,
 * or that waiting may heal. Empty if the run is already paused until a person resumes it.
 *
 * @param now Time in milliseconds since 1970.
 */
export function pauseForFailure(
  failure: QuestionFailure,
  { pause, settings }: PauseState,
  now: number,
): Partial<PauseState> {
  if (pause && !isPassing(pause)) return {};
  const { type, message } = failure;
  if (!isCommon(failure)) return probing(failure, 'outage', { pause, settings }, now);
  const { healedBy } = traitsOf(type);
  const isHealed = healedBy === 'mending' || healedBy === 'the next day';
  if (isHealed && settings.pauseAfter !== null) {
    return probing(failure, type, { pause, settings }, now);
  }
  return { pause: { reason: type, message, since: now } };
}

/** Returns a pause that ends by itself, or the same pause with a later probe. */
function probing(
  { type, message }: QuestionFailure,
  reason: Pause['reason'],
  { pause, settings }: Pick<PauseState, 'pause' | 'settings'>,
  now: number,
): Pick<PauseState, 'pause'> {
  return {
    pause: {
      reason,
      message: `${type}: ${message} No question is lost: one is asked from time to time, and the run continues once it succeeds.`,
      since: pause?.since ?? now,
      nextProbe: now + (isDaily(type) ? msToDailyProbe(now) : settings.probeSeconds * 1000),
    },
  };
}

function isDaily(type: string): boolean {
  return traitsOf(type).healedBy === 'the next day';
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Returns the time to the next day (UTC), at most an hour: a budget may be raised before. */
function msToDailyProbe(now: number): number {
  return Math.min(HOUR_MS, DAY_MS - (now % DAY_MS));
}

/** Returns whether a pause ends by itself, at its next probe. False for no pause. */
export function isPassing(pause: Pause | null): pause is Pause & { nextProbe: number } {
  return pause?.nextProbe !== undefined;
}

/**
 * Returns the changes to a run's state that hold a failed question back until others show whether
 * they fail too. After several in a row the run pauses, and all of them wait to be asked again; in
 * a pause that ends by itself, this happens at the first.
 *
 * @param now Time in milliseconds since 1970.
 */
export function holdBack(
  failing: HeldQuestion,
  failure: QuestionFailure,
  state: PauseState,
  now: number,
): Partial<PauseState> {
  const { pause, settings } = state;
  const held = [...state.held, failing];
  const isOut = isPassing(pause) || (!pause && held.length >= Number(settings.pauseAfter));
  if (!isOut) return { held };
  const again = held.map(({ question }) => withoutFailureMark(question));
  return {
    held: [],
    waiting: [...state.waiting, ...again],
    ...probing(failure, 'outage', state, now),
  };
}

/**
 * Splits the questions that were held back, once others were answered. Returns as `again` those to
 * be asked once more, and as `failed` those that have failed twice meanwhile, so the cause is
 * their own.
 */
export function splitHeld(held: readonly HeldQuestion[]) {
  const once = held.filter(({ question }) => !question.again);
  return {
    again: once.map(({ question }): WaitingQuestion => ({ ...question, again: true })),
    failed: held.filter(({ question }) => question.again),
  };
}

/**
 * Returns the question without the mark of an earlier failure, since an outage is not its fault.
 */
export function withoutFailureMark({ again, ...question }: WaitingQuestion): WaitingQuestion {
  return question;
}

/**
 * Returns the changes to a run's state (`state`) that hold a failed question back until it is
 * known whether every other would fail in the same way. After several of them the run pauses, and
 * all of them wait to be asked again; these are then returned as `asked`, which is otherwise
 * empty.
 *
 * @param now Time in milliseconds since 1970.
 */
export function heldAlike(
  failing: FailedAlike,
  state: PauseState,
  now: number,
): { state: Partial<PauseState>; asked: readonly FailedAlike[] } {
  const { alike = [], pause, settings, waiting } = state;
  const { failure, tally } = failing;
  const all = [...alike, failing];
  const isPaused = pause?.reason === failure.type;
  if (!isPaused && all.length < Number(settings.pauseIfFirst)) {
    return { state: { alike: all }, asked: [] };
  }
  const what = tally ? 'question' : 'judgement';
  const count = all.length === 1 ? `The first ${what}` : `The first ${all.length} ${what}s`;
  const message = `${count} failed alike, so every other would: ${failure.message}`;
  const { type } = failure;
  return {
    state: {
      alike: [],
      waiting: [...all.map(({ question }) => question), ...waiting],
      ...((!pause || isPassing(pause)) && { pause: { reason: type, message, since: now } }),
    },
    asked: all,
  };
}
