/** Finds the step that lost the right answer of a wrongly answered question, without any call. */
import { hasAnswer } from '../core/normalize-answer.js';
import { extendsTranscript } from '../steps/define.js';
import { isImperfect, passagesShown } from '../steps/perfect.js';
import { stepNamed } from '../steps/table.js';
import type { ReplayedQuestion } from './replay.js';

/**
 * The way in which a wrongly answered question lost its right answer, that is, any accepted answer,
 * as an object with one of these kinds in `at`, and for some kinds the name of a step in `step`:
 * - notRead: no text that a step was shown or wrote contains it;
 * - misread: perfect outputs of `step` alone would make the answer right;
 * - misreadToo: perfect outputs of `step` and of the erring steps before it would;
 * - dropped: `step` was shown it, but neither its own outputs nor those of later calls contain it;
 * - needsCalls: undecided, because perfect outputs lead to calls that were never made;
 * - open: none of these.
 */
export type AnswerLoss =
  | { at: 'notRead' }
  | { at: 'needsCalls' }
  | { at: 'open' }
  | { at: 'misread' | 'misreadToo' | 'dropped'; step: string };

/**
 * Returns how a wrongly answered question lost its right answer, as an object with the kind in
 * `at`, as `AnswerLoss` explains it: notRead if no step was shown or wrote the answer; otherwise
 * the first of misread, misreadToo and dropped that applies, with the name of the first such step
 * in the order of the calls in `step`; otherwise needsCalls or open, without a step.
 *
 * @param isRightWith Returns whether perfect outputs of the steps with these names make the answer
 * right; undefined if that leads to calls that were never made.
 */
export async function findAnswerLoss(
  answered: ReplayedQuestion,
  isRightWith: (perfect: ReadonlySet<string>) => Promise<boolean | undefined>,
): Promise<AnswerLoss> {
  const { calls, answers, texts, steps, question, written } = answered;
  const holds = (value: unknown) =>
    textsIn(value).some((text) => hasAnswer(written?.get(text) ?? text, answers));
  const asked = calls
    .filter(({ step }) => stepNamed(step, steps) !== undefined)
    .map((call) => ({
      step: call.step,
      isShown:
        passagesShown(call, texts, steps).some(({ text }) => hasAnswer(text, answers)) ||
        textsIn(call.input).some((text) => text !== question && hasAnswer(text, answers)),
      isWritten: holds(call.output),
      writes: textsIn(call.output).length > 0,
    }));
  if (!asked.some(({ isShown, isWritten }) => isShown || isWritten)) return { at: 'notRead' };

  const names = [...new Set(asked.map(({ step }) => step))];
  const judges = names.filter((name) =>
    calls.some((call) => call.step === name && isImperfect(call, answered, texts, steps)),
  );
  const alone = judges.map((step) => ({ at: 'misread' as const, step, perfect: [step] }));
  const together = judges.slice(1).map((step, i) => ({
    at: 'misreadToo' as const,
    step,
    perfect: judges.slice(0, i + 2),
  }));
  let isKnown = true;
  for (const { perfect, ...lost } of [...alone, ...together]) {
    const isRight = await isRightWith(new Set(perfect));
    if (isRight) return lost;
    isKnown &&= isRight !== undefined;
  }
  const writers = names.filter((name) => {
    const step = stepNamed(name, steps);
    return !step?.oracle || extendsTranscript(step);
  });
  const dropping = writers.find((name) => {
    const own = asked.filter(({ step }) => step === name);
    const since = asked.slice(asked.findIndex(({ step }) => step === name));
    return (
      own.some(({ isShown }) => isShown) &&
      own.some(({ writes }) => writes) &&
      !since.some(({ isWritten }) => isWritten)
    );
  });
  if (dropping !== undefined) return { at: 'dropped', step: dropping };
  return { at: isKnown ? 'open' : 'needsCalls' };
}

/** Returns all texts in a JSON value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
