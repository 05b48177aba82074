/**
 * A question from the records of its calls: what came of it, and what it would have come to if steps
 * had read perfectly. No call is made.
 */
import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import type { CallRecord } from '../steps/call-record.js';
import type { ModelSteps } from '../steps/define.js';
import { perfectOutput } from '../steps/perfect.js';
import { type Done, type Question, run } from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { Ledger } from '../workflows/question/ledger.js';
import { recorded, replaying } from '../workflows/replaying.js';
import { BLANKS, planning } from './planning.js';

export interface Replayed {
  /** As the question's workflow gave it; its id is left empty. */
  result: MethodResult;
  /** With their inputs, which records do not hold. */
  calls: Done[];
}

/**
 * Answers a question from the records of its calls: answer, chain, flags and usage follow.
 *
 * @param asked Question and options, as the run asked them.
 * @throws Failure Incompatible naming the call that the records do not have, as where the method has
 *   changed since; BadInput for a method that declares no algorithm.
 */
export async function replay(
  method: OwnMethod<unknown>,
  asked: Pick<MethodInput<object>, 'options' | 'question'>,
  records: readonly CallRecord[],
): Promise<Replayed> {
  const { question, options } = parseInput(method, asked, true);
  const ledger = new Ledger(method.name, question);
  for (const record of records) ledger.replay(record);
  const interpreter = { perform: replaying(records), flag: ledger.flag };
  const { conclusion, calls } = await run(algorithmOf(method), { question, options }, interpreter);
  return { result: ledger.result('', conclusion), calls };
}

/** @throws Failure BadInput for a method that declares none. */
export function algorithmOf({ name, algorithm }: OwnMethod<unknown>) {
  if (algorithm) return algorithm;
  throw new Failure('BadInput', `The method "${name}" declares no algorithm.`);
}

/** A question that was answered, with all that its calls were given and gave. */
export interface Answered extends Pick<Question<unknown>, 'question' | 'options'> {
  method: OwnMethod<unknown>;
  calls: readonly Done[];
  /** The accepted answers. */
  answers: readonly string[];
  /** Those that mean one of several things to say; see `Gold`. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  /** Texts of the passages that its steps were shown, by id. */
  texts: ReadonlyMap<string, string>;
  /** Steps of somebody's own. */
  steps?: ModelSteps | undefined;
}

/** How it ends then; or how many calls at most would be needed to tell. */
export type Perfected = { conclusion: Conclusion<unknown> } | { calls: number };

/** Answers a question with perfect outputs of these steps. */
export async function perfected(
  { method, question, options, ...answered }: Answered,
  perfect: ReadonlySet<string>,
): Promise<Perfected> {
  let calls = 0;
  const ahead = planning({ passages: BLANKS, available: Infinity, steps: answered.steps });
  const perform = replaying(recorded(answered.calls), {
    replace(call) {
      const output = perfect.has(call.step)
        ? perfectOutput(call, answered, answered.texts, answered.steps)
        : undefined;
      return output === undefined ? undefined : { output };
    },
    otherwise(call) {
      calls++;
      return ahead.perform(call);
    },
  });
  const interpreter = { perform, flag: () => {} };
  try {
    const { conclusion } = await run(algorithmOf(method), { question, options }, interpreter);
    return calls > 0 ? { calls } : { conclusion };
  } catch (error) {
    // A method may refuse what was planned for a call that nothing is known of.
    if (calls > 0) return { calls };
    throw error;
  }
}
