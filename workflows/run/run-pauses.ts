/**
 * Decides what the failure of a question means for its run: whether the run pauses, and whether the
 * question is held back until others show if they fail as well. Pure.
 */
import { traitsOf } from '../../core/failure.js';
import type { QuestionFailure } from '../../core/result.js';
import type { Pause, RunSettings, Tally } from '../../core/run/run.js';
import type { PageQuestion } from '../activities/run.js';

/** A question that is still to be asked. */
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
 * A question that failed and is held back: it does not count as failed yet, nor does it wait to be
 * asked.
 */
export interface HeldQuestion {
  question: WaitingQuestion;
  /** Its tally if it stays failed; null if its answer was to be judged. */
  tally: Tally | null;
}

/** A question, or the judging of an answer, that failed like all before it. */
export interface FailedAlike extends HeldQuestion {
  failure: QuestionFailure;
}

/** The state of a run that decides whether a question may begin. */
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
 * What a failure means for the run:
 *
 * - own: it concerns this question alone, which counts as failed;
 * - alike: no question has ended differently yet, so every other may fail like it;
 * - outage: waiting may heal it, if others fail in the same way;
 * - common: every question would meet it.
 */
export type Meaning =
  | { means: 'own' }
  | { means: 'alike' | 'common' | 'outage'; failure: QuestionFailure };

/**
 * Returns what the end of a question, or of a judgement, means for the run.
 *
 * @param isFirst Whether none has ended before it, except those that failed alike.
 */
export function meaningOf(
  failure: QuestionFailure | undefined,
  isFirst: boolean,
  state: Pick<PauseState, 'alike' | 'settings'>,
): Meaning {
  if (!failure) return { means: 'own' };
  if (isFirst && isAlike(failure, state)) return { means: 'alike', failure };
  if (isOutage(failure, state.settings)) return { means: 'outage', failure };
  return isCommon(failure) ? { means: 'common', failure } : { means: 'own' };
}

/** Returns whether a run asks again after this failure, after a pause at once or later. */
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
 * Returns the changes of the state for a failure that pauses the run: every question would meet it,
 * or waiting may heal it. Empty if the run is already paused until a person resumes it.
 */
export function pausedFor(
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

/** Returns whether the run resumes by itself after this pause. */
export function isPassing(pause: Pause | null): pause is Pause & { nextProbe: number } {
  return pause?.nextProbe !== undefined;
}

/**
 * Returns the state with a question held back until others show whether they fail as well. After
 * several in a row the run pauses, and all of them are asked again.
 */
export function heldBack(
  failing: HeldQuestion,
  failure: QuestionFailure,
  state: PauseState,
  now: number,
): Partial<PauseState> {
  const { pause, settings } = state;
  const held = [...state.held, failing];
  const isOut = isPassing(pause) || (!pause && held.length >= Number(settings.pauseAfter));
  if (!isOut) return { held };
  const again = held.map(({ question }) => forgiven(question));
  return {
    held: [],
    waiting: [...state.waiting, ...again],
    ...probing(failure, 'outage', state, now),
  };
}

/**
 * Splits the held questions after others were answered: `again` are asked once more; `failed` have
 * failed twice while others were answered, so the cause is their own.
 */
export function partHeld(held: readonly HeldQuestion[]) {
  const once = held.filter(({ question }) => !question.again);
  return {
    again: once.map(({ question }): WaitingQuestion => ({ ...question, again: true })),
    failed: held.filter(({ question }) => question.again),
  };
}

/** Returns the question as before its failure, since an outage is not its fault. */
export function forgiven({ again, ...question }: WaitingQuestion): WaitingQuestion {
  return question;
}

/**
 * Returns the state with a question held back until it is known whether every other would fail like
 * it. After several of them the run pauses, and all of them are asked again, as `asked`.
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
