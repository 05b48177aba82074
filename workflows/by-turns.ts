/**
 * The loop of methods that search, or use other tools, as they think. What stands so far is in the
 * store of the workers, and travels as the key of its last piece: a turn's input does not grow.
 * Safe in the workflow sandbox.
 */
import type { TranscriptAddition, Turn, TurnAction, TurnPlace } from '../steps/turns.js';
import type { Question } from './algorithm.js';

/** What carrying an action out came to. */
export interface Acted<T> {
  /** What is put behind the turn before the next one. */
  added?: TranscriptAddition[];
  /** The key of the text so far, if a step of the action has put something behind the turn itself. */
  soFar?: string | null;
  /** What the method tells of it. */
  told: T;
}

/** How turns are taken. */
export interface Turns<T> {
  /** The name of the step that asks for a turn, for flags. */
  step: string;
  /** Turns at most. */
  turns: number;
  /** Whether what the last turn asks for is carried out as well. @default false: it may only answer */
  actsLast?: boolean;
  /** What stands behind the prompt before the first turn. @default nothing */
  begin?: TranscriptAddition[];
  /** Asks for the next turn: a step that `turnStep` has made. */
  think(place: TurnPlace): Promise<Turn>;
  /**
   * Carries out what a turn asks for; null where that could not be read, which takes a turn as well.
   * Undefined ends the turns.
   *
   * @param next Where the next turn stands, without what comes of the action.
   */
  act(action: TurnAction | null, next: TurnPlace, turn: Turn): Promise<Acted<T> | undefined>;
}

/** A turn with what came of it. */
export interface TakenTurn<T> {
  thought: string;
  action: TurnAction | null;
  /** Null if nothing was carried out. */
  told: T | null;
}

/** How the turns ended: by an answer, by a turn after which nothing follows, or at the most turns. */
export type TurnsEnd = 'answer' | 'ended' | 'turns';

/** How turns ended, in words. */
export const TURNS_ENDED: Record<TurnsEnd, string> = {
  answer: 'came to an answer',
  ended: 'ended without an answer',
  turns: 'as many turns as may be',
};

/** What the turns came to. */
export interface ByTurns<T> {
  turns: TakenTurn<T>[];
  ended: TurnsEnd;
  /** The answer; that of an earlier turn in passing if the last one gave none; null without any. */
  answer: string | null;
  /** Position of one more turn. */
  next: TurnPlace;
}

/**
 * Takes turns until one answers.
 *
 * @example
 * const { answer } = await byTurns(asked, {
 *   step: 'plan',
 *   turns: 8,
 *   think: (place) => ask(plan, { question, ...place }),
 *   async act(action) {
 *     if (action === null) return { added: [{ notice: 'unread' }], told: null };
 *     const found = (await step.retrieve({ query: action.argument, count: 5 })).map(({ id }) => id);
 *     return { added: [{ found }], told: found };
 *   },
 * });
 */
export async function byTurns<T>(
  { flag }: Pick<Question<unknown>, 'flag'>,
  { step, turns: most, actsLast = false, begin = [], think, act }: Turns<T>,
): Promise<ByTurns<T>> {
  const turns: TakenTurn<T>[] = [];
  let passing: string | null = null;
  const placeOf = (turn: number, at: Pick<TurnPlace, 'added' | 'soFar'>): TurnPlace => {
    return { ...at, turn, ...(turn === most && { last: true }) };
  };
  let place = placeOf(1, { soFar: null, added: begin });
  const end = (ended: TurnsEnd, answer = passing): ByTurns<T> => {
    return { turns, ended, answer, next: place };
  };
  for (;;) {
    const turn = await think(place);
    const { thought, action } = turn;
    if (turn.wroteOn) flag('wroteOn', step, `turn ${place.turn}`);
    passing = turn.answerInPassing ?? passing;
    const { turn: number, last } = place;
    // What no worker has kept goes on as a text.
    const stands =
      turn.soFar === undefined
        ? { soFar: place.soFar, added: [...place.added, { written: turn.written ?? '' }] }
        : { soFar: turn.soFar, added: [] };
    place = placeOf(number + 1, stands);
    const isAnswer = action?.name === 'answer';
    const isDone = isAnswer || (last && !actsLast);
    const acted = isDone ? undefined : await act(action, place, turn);
    turns.push({ thought, action, told: acted?.told ?? null });
    if (isAnswer) return end('answer', action.argument);
    if (acted?.soFar !== undefined) place = { ...place, soFar: acted.soFar, added: [] };
    if (acted?.added) place = { ...place, added: [...place.added, ...acted.added] };
    if (number === most) return end('turns');
    if (!acted) return end('ended');
  }
}
