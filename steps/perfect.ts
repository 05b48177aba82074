import type { Passage } from '../core/vocabulary.js';
import type { Gold, ModelSteps } from './define.js';
import { stepNamed } from './table.js';

/** A call of a step. */
interface Called {
  step: string;
  input: unknown;
}

/**
 * Returns what the oracle of a step gives for a call; undefined where it has none, or does not
 * decide it.
 *
 * @param texts Of the passages that the call shows, by id.
 */
export function perfectOutput(
  call: Called,
  { answers, answerGroups }: Omit<Gold, 'passages'>,
  texts: ReadonlyMap<string, string>,
  own?: ModelSteps,
): unknown {
  const passages = shownIn(call, texts, own);
  const { oracle } = stepNamed(call.step, own) ?? {};
  return oracle?.(call.input as object, { answers, answerGroups, passages });
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
