import { exactMatch } from '../core/normalize-answer.js';
import type { Passage } from '../core/vocabulary.js';
import type { Gold, ModelSteps } from './define.js';
import { stepNamed } from './table.js';

/** A recorded call of a step. */
export interface Called {
  step: string;
  input: unknown;
  /** Output in the records; undefined if there is none. */
  output?: unknown;
}

/**
 * Returns what the oracle of a step gives for a call: the recorded output itself if it is as good.
 * Undefined if the step has no oracle, or if the oracle does not decide the call.
 *
 * @param texts Texts of what the call shows: of passages by id, of a text that grows by turns by
 * the key of its last piece.
 */
export function perfectOutput(
  call: Called,
  { answers, answerGroups }: Omit<Gold, 'passages'>,
  texts: ReadonlyMap<string, string>,
  own?: ModelSteps,
): unknown {
  const passages = shownIn(call, texts, own);
  const { oracle } = stepNamed(call.step, own) ?? {};
  const perfect = oracle?.(call.input as object, { answers, answerGroups, passages });
  return isAsGood(call.output, perfect, answers) ? call.output : perfect;
}

/** Tells whether the oracle of a step gives another output for a call than the recorded one. */
export function isImperfect(
  call: Called,
  gold: Omit<Gold, 'passages'>,
  texts: ReadonlyMap<string, string>,
  own?: ModelSteps,
): boolean {
  const perfect = perfectOutput(call, gold, texts, own);
  return perfect !== undefined && perfect !== call.output;
}

/**
 * Tells whether an output is the perfect one but for wording: texts that exact match takes for
 * equal, or two accepted answers. An empty text of the perfect output stands for any text.
 */
function isAsGood(output: unknown, perfect: unknown, answers: readonly string[]): boolean {
  if (typeof output === 'string' && typeof perfect === 'string') {
    if (perfect === '') return true;
    const equals = exactMatch(perfect, answers) === 1 ? [perfect, ...answers] : [perfect];
    return exactMatch(output, equals) === 1;
  }
  if (!isObject(output) || !isObject(perfect)) return output === perfect;
  const keys = Object.keys(perfect);
  return (
    keys.length === Object.keys(output).length &&
    keys.every((key) => isAsGood(output[key], perfect[key], answers))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Returns what a call showed the model: passages, of which an unknown one has an empty text, and
 * what stood there before it, if that is known.
 */
export function shownIn(
  { step, input }: Called,
  texts: ReadonlyMap<string, string>,
  steps?: ModelSteps,
): Passage[] {
  const asked = stepNamed(step, steps);
  const shown = asked?.passages?.(input as object) ?? [];
  const soFar = asked?.transcript?.of(input as object) ?? '';
  const before = texts.get(soFar);
  return [
    ...shown.map((one) =>
      typeof one === 'string' ? { id: one, title: '', text: texts.get(one) ?? '' } : one,
    ),
    ...(before === undefined ? [] : [{ id: soFar, title: '', text: before }]),
  ];
}

/** Returns the key of the text that stood there before a call; null if there is none. */
export function soFarOf({ step, input }: Called, steps?: ModelSteps): string | null {
  return stepNamed(step, steps)?.transcript?.of(input as object) ?? null;
}

/** Returns the ids of the passages whose texts a call showed the model. */
export function shownIds({ step, input }: Called, steps?: ModelSteps): string[] {
  const shown = stepNamed(step, steps)?.passages?.(input as object) ?? [];
  return shown.filter((one) => typeof one === 'string');
}
