import { exactMatch } from '../core/normalize-answer.js';
import type { Passage } from '../core/vocabulary.js';
import type { Gold, ModelSteps } from './define.js';
import { stepNamed } from './table.js';

/** A call of a step. */
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
 * @param texts Texts of the passages that the call shows, by id.
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

/** Returns the passages that a call showed the model; the text of one that is unknown is empty. */
export function shownIn(
  { step, input }: Called,
  texts: ReadonlyMap<string, string>,
  steps?: ModelSteps,
): Passage[] {
  const shown = stepNamed(step, steps)?.passages?.(input as object) ?? [];
  return shown.map((one) =>
    typeof one === 'string' ? { id: one, title: '', text: texts.get(one) ?? '' } : one,
  );
}

/** Returns the ids of the passages whose texts a call showed the model. */
export function shownIds({ step, input }: Called, steps?: ModelSteps): string[] {
  const shown = stepNamed(step, steps)?.passages?.(input as object) ?? [];
  return shown.filter((one) => typeof one === 'string');
}
