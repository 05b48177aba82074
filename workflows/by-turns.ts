/**
 * The loop of methods that search, or use other tools, as they think. The workers store the text so
 * far in pieces, and a turn is given the key of the last piece, so that its input does not grow.
 * Safe in the workflow sandbox.
 */
import type { TranscriptAddition, Turn, TurnAction, TurnPlace } from '../steps/turns.js';
import type { Question } from './algorithm.js';

/**
 * The outcome of an action in a turn: what is added to the transcript (`added`), the transcript's
 * key if a step of the action has added to it (`soFar`), and the action's entry in the chain
 * (`record`).
 */
export interface Acted<T> {
  /** Additions to the transcript before the next turn. */
  added?: TranscriptAddition[];
  /** The key of the transcript, if a step of the action has added to it after the turn. */
  soFar?: string | null;
  /** The entry of the action in the chain. */
  record: T;
}

/**
 * The options of `byTurns`: how a turn is asked for, how its action is carried out, and the
 * greatest number of turns.
 */
export interface ByTurnsOptions<T> {
  /** Name of the step that asks for a turn, for flags. */
  step: string;
  /** Maximum number of turns. */
  turns: number;
  /** Whether the action of the last turn is carried out. @default false: it may only answer */
  actsLast?: boolean;
  /** Additions to the prompt before the first turn. @default none */
  begin?: TranscriptAddition[];
  /** Asks for the next turn, by a step that `turnStep` has made. */
  think(place: TurnPlace): Promise<Turn>;
  /**
   * Carries out the action of a turn; null for a turn that could not be read, which counts as a
   * turn too. The turns end if it returns undefined.
   *
   * @param next Place of the next turn, before the additions of this action.
   */
  act(action: TurnAction | null, next: TurnPlace, turn: Turn): Promise<Acted<T> | undefined>;
}

/** A turn that was taken: its thought, its action, and the record of the action's outcome. */
export interface TakenTurn<T> {
  thought: string;
  action: TurnAction | null;
  /** Null if nothing was carried out. */
  record: T | null;
}

/**
 * The reason why the turns ended: an answer ('answer'), `act` returned undefined ('ended'), or the
 * greatest number of turns was reached ('turns').
 */
export type TurnsEnd = 'answer' | 'ended' | 'turns';

/** The text that a report shows for each way in which turns end. */
export const TURNS_ENDED: Record<TurnsEnd, string> = {
  answer: 'came to an answer',
  ended: 'ended without an answer',
  turns: 'as many turns as may be',
};

/**
 * The result of `byTurns`: all turns in order, the reason why they ended, the answer, and the
 * place in the transcript of one more turn. Without a final answer, `answer` is the last one that
 * a turn named in passing; null if none did.
 */
export interface ByTurns<T> {
  turns: TakenTurn<T>[];
  ended: TurnsEnd;
  /** The answer, or else the last one that a turn named in passing; null if there is none. */
  answer: string | null;
  /** Place of one more turn. */
  next: TurnPlace;
}

/**
 * Takes turns of a thought and an action until one answers, `act` returns undefined, or the most
 * turns are taken. Returns `turns`, the reason why they `ended`, the `answer` (null if there is
 * none) and the place of one more turn (`next`).
 *
 * @example
 * const { answer } = await byTurns(asked, {
 *   step: 'plan',
 *   turns: 8,
 *   think: (place) => ask(plan, { question, ...place }),
 *   async act(action) {
 *     if (action === null) return { added: [{ notice: 'unread' }], record: null };
 *     const found = (await step.retrieve({ query: action.argument, count: 5 })).map(({ id }) => id);
 *     return { added: [{ found }], record: found };
 *   },
 * });
 */
export async function byTurns<T>(
  { flag }: Pick<Question<unknown>, 'flag'>,
  { step, turns: most, actsLast = false, begin = [], think, act }: ByTurnsOptions<T>,
): Promise<ByTurns<T>> {
  const turns: TakenTurn<T>[] = [];
  const placeOf = (turn: number, text: Pick<TurnPlace, 'added' | 'soFar'>): TurnPlace => {
    return { ...text, turn, ...(turn === most && { last: true }) };
  };
  let place = placeOf(1, { soFar: null, added: begin });
  let answerInPassing: string | null = null;
  const end = (ended: TurnsEnd, answer = answerInPassing): ByTurns<T> => {
    return { turns, ended, answer, next: place };
  };

  for (;;) {
    const turn = await think(place);
    const { thought, action } = turn;
    if (turn.wroteOn) flag('wroteOn', step, `turn ${place.turn}`);
    answerInPassing = turn.answerInPassing ?? answerInPassing;
    const isLast = place.turn === most;
    place = placeOf(place.turn + 1, afterTurn(turn, place));

    if (action?.name === 'answer') {
      turns.push({ thought, action, record: null });
      return end('answer', action.argument);
    }
    const acted = isLast && !actsLast ? undefined : await act(action, place, turn);
    turns.push({ thought, action, record: acted?.record ?? null });
    const { soFar, added = [] } = acted ?? {};
    if (soFar !== undefined) place = { ...place, soFar, added: [] };
    place = { ...place, added: [...place.added, ...added] };
    if (isLast) return end('turns');
    if (!acted) return end('ended');
  }
}

/** Returns the key of the transcript after a turn, and what is to be added to it. */
function afterTurn({ soFar, written = '' }: Turn, before: TurnPlace) {
  if (soFar !== undefined) return { soFar, added: [] };
  // The workers have not stored an output that somebody put in place of the turn's.
  return { soFar: before.soFar, added: [...before.added, { written }] };
}
