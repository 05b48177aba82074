/** Finds the step to blame for a wrong answer, without any call. */
import { hasAnswer } from '../core/normalize-answer.js';
import { extendsTranscript } from '../steps/define.js';
import { isImperfect, textsShown } from '../steps/perfect.js';
import { stepNamed } from '../steps/table.js';
import type { Answered } from './replay.js';

/**
 * Place where a right answer was lost:
 * - notRead: nothing that a step was shown or wrote contains it;
 * - misread: an output of the step is not perfect; its perfect outputs alone make the answer right;
 * - misreadToo: they do so together with perfect outputs of the steps before it that erred;
 * - dropped: the step was shown it but writes texts without it, such as candidates or summaries,
 * and no later output contains it;
 * - needsCalls: only calls that were never made could tell;
 * - open: none of these.
 */
export type Lost =
  | { at: 'notRead' }
  | { at: 'needsCalls' }
  | { at: 'open' }
  | { at: 'misread' | 'misreadToo' | 'dropped'; step: string };

/**
 * Finds where a wrongly answered question lost its answer. The first case that applies counts, in
 * the order of `Lost`; within a case, the first step in the order of the calls.
 *
 * @param isRightWith Tells whether perfect outputs of these steps make the answer right; undefined
 * if that needs calls.
 */
export async function blame(
  answered: Answered,
  isRightWith: (perfect: ReadonlySet<string>) => Promise<boolean | undefined>,
): Promise<Lost> {
  const { calls, answers, texts, steps, question, written } = answered;
  const holds = (value: unknown) =>
    textsIn(value).some((text) => hasAnswer(written?.get(text) ?? text, answers));
  const asked = calls
    .filter(({ step }) => stepNamed(step, steps) !== undefined)
    .map((call) => ({
      step: call.step,
      isShown:
        textsShown(call, texts, steps).some(({ text }) => hasAnswer(text, answers)) ||
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
