/** Outputs that a perfect model would give, by the oracles of steps. Pure. */
import { exactMatch } from '../core/normalize-answer.js';
import type { Passage } from '../core/vocabulary.js';
import type { Gold, ModelSteps } from './define.js';
import { stepNamed } from './table.js';

/** A recorded call of a step: the step's name, the input, and the output unless it failed. */
export interface CallWithInput {
  step: string;
  input: unknown;
  /** Recorded output; undefined if the call failed. */
  output?: unknown;
}

/**
 * Returns the output of the step's oracle for a call, that of a model without error; the recorded
 * output if it differs from that only in wording. Undefined if the step has no oracle, or if the
 * oracle cannot decide.
 *
 * @param texts Texts of passages by id, and of transcripts by their keys.
 * @param own Custom steps by name.
 */
export function perfectOutput(
  call: CallWithInput,
  { answers, answerGroups }: Omit<Gold, 'passages'>,
  texts: ReadonlyMap<string, string>,
  own?: ModelSteps,
): unknown {
  const passages = passagesShown(call, texts, own);
  const { oracle } = stepNamed(call.step, own) ?? {};
  const perfect = oracle?.(call.input as object, { answers, answerGroups, passages });
  return isAsGood(call.output, perfect, answers) ? call.output : perfect;
}

/**
 * Returns whether a recorded output differs from that of the step's oracle by more than wording;
 * false if the step has no oracle, or if it cannot decide. A failed call counts as imperfect if
 * the oracle can decide.
 */
export function isImperfect(
  call: CallWithInput,
  gold: Omit<Gold, 'passages'>,
  texts: ReadonlyMap<string, string>,
  own?: ModelSteps,
): boolean {
  const perfect = perfectOutput(call, gold, texts, own);
  return perfect !== undefined && perfect !== call.output;
}

/**
 * Returns whether an output equals the perfect one except for wording: texts that exact match
 * treats as equal, or two accepted answers. An empty text in the perfect output equals any text.
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
 * Returns the passages that a call showed the model, with an empty text for those not in `texts`.
 * If the step has a transcript, the text before the call follows as a last passage, if it is in
 * `texts`.
 */
export function passagesShown(
  { step, input }: CallWithInput,
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

/**
 * Returns the key of the transcript as it was before a call; null at its beginning, or if the step
 * uses no transcript.
 */
export function transcriptKeyOf({ step, input }: CallWithInput, steps?: ModelSteps): string | null {
  return stepNamed(step, steps)?.transcript?.of(input as object) ?? null;
}

/**
 * Returns the ids, in order, of the passages that a call showed the model with their text from the
 * store. Passages that it showed with another text, such as a summary, are left out.
 */
export function shownPassageIds({ step, input }: CallWithInput, steps?: ModelSteps): string[] {
  const shown = stepNamed(step, steps)?.passages?.(input as object) ?? [];
  return shown.filter((one) => typeof one === 'string');
}
