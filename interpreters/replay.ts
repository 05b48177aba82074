/**
 * Replays a question from the records of its calls: its result, and the result that perfect outputs
 * of some steps would have led to. Makes no call.
 */
import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import type { CallRecord } from '../steps/call-record.js';
import type { ModelSteps } from '../steps/define.js';
import { perfectOutput } from '../steps/perfect.js';
import { type FinishedCall, type Question, runAlgorithm } from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { Ledger } from '../workflows/question/ledger.js';
import { recordsOf, replayCalls } from '../workflows/replaying.js';
import { BLANK_PASSAGES, planInterpreter } from './planning.js';

interface Replayed {
  /** The result that the question's workflow returned, with an empty id. */
  result: MethodResult;
  /** The calls with their inputs, which records do not contain. */
  calls: FinishedCall[];
}

/**
 * Returns the result of a question (`result`, with an empty id) and its calls with their inputs
 * and outputs (`calls`), from the records of its calls.
 *
 * @param asked Question and options of the run.
 * @throws Failure Incompatible naming a call without a record, for example because the method has
 * changed; BadInput for a method that declares no algorithm.
 */
export async function replay(
  method: OwnMethod<unknown>,
  asked: Pick<MethodInput<object>, 'options' | 'question'>,
  records: readonly CallRecord[],
): Promise<Replayed> {
  const { question, options } = parseInput(method, asked, true);
  const ledger = new Ledger(method.name, question);
  for (const record of records) ledger.replay(record);
  const interpreter = { perform: replayCalls(records), flag: ledger.flag };
  const { conclusion, calls } = await runAlgorithm(
    algorithmOf(method),
    { question, options },
    interpreter,
  );
  return { result: ledger.result('', conclusion), calls };
}

/**
 * Returns the algorithm of a method: the function that answers a question by calling steps.
 *
 * @throws Failure BadInput if the method declares none.
 */
export function algorithmOf({ name, algorithm }: OwnMethod<unknown>) {
  if (algorithm) return algorithm;
  throw new Failure('BadInput', `The method "${name}" declares no algorithm.`);
}

/**
 * An answered question, with the inputs and outputs of all its calls, and the texts in their
 * prompts.
 */
export interface ReplayedQuestion extends Pick<Question<unknown>, 'question' | 'options'> {
  method: OwnMethod<unknown>;
  calls: readonly FinishedCall[];
  /** The accepted answers. */
  answers: readonly string[];
  /** Accepted answers in groups of equal meaning; see `Gold`. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  /**
   * Texts that its steps were shown: passages by id, transcripts by the key of their last piece.
   */
  texts: ReadonlyMap<string, string>;
  /** Full texts that steps added to transcripts, by the key in their output. */
  written?: ReadonlyMap<string, string> | undefined;
  /** Custom steps. */
  steps?: ModelSteps | undefined;
}

/** The conclusion with perfect outputs, or the highest number of calls needed to reach it. */
type Perfected = { conclusion: Conclusion<unknown> } | { calls: number };

/**
 * Returns `{ conclusion }`, the conclusion that a question would have reached if every call of
 * some steps had a perfect output; a call whose perfect output is unknown keeps its own. If that
 * leads to calls without a record, returns `{ calls }`, the highest number of these calls,
 * instead. Makes no call.
 *
 * @param perfect Names of the steps.
 */
export async function answerWithPerfectSteps(
  { method, question, options, ...answered }: ReplayedQuestion,
  perfect: ReadonlySet<string>,
): Promise<Perfected> {
  let calls = 0;
  const ahead = planInterpreter({
    passages: BLANK_PASSAGES,
    available: Infinity,
    steps: answered.steps,
  });
  const perform = replayCalls(recordsOf(answered.calls), {
    replace(call, recorded) {
      const had = { ...call, output: recorded };
      const output = perfect.has(call.step)
        ? perfectOutput(had, answered, answered.texts, answered.steps)
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
    const { conclusion } = await runAlgorithm(
      algorithmOf(method),
      { question, options },
      interpreter,
    );
    return calls > 0 ? { calls } : { conclusion };
  } catch (error) {
    // A method may refuse the planned output of a call about which nothing is known.
    if (calls > 0) return { calls };
    throw error;
  }
}
