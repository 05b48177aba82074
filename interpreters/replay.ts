/** A question from the records of its calls: what came of it, without any call. */

import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { MethodResult } from '../core/result.js';
import type { CallRecord } from '../steps/call-record.js';
import { type Done, run } from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { Ledger } from '../workflows/question/ledger.js';
import { replaying } from '../workflows/replaying.js';

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
