/**
 * Computes a question again from the records of its calls, whose outputs are returned in the order in
 * which the calls began. Detects calls that differ from the records or come in an impossible order.
 * Makes no call.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import type { CallRecord } from '../steps/call-record.js';
import { type Call, type Perform, runAlgorithm } from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { Ledger } from '../workflows/question/ledger.js';
import { callAddresses } from '../workflows/replaying.js';
import { algorithmOf } from './replay.js';

/** The result of computing a question again. */
type Recomputed =
  /**
   * The result that its workflow returned, with an empty id. A failed question has its stored
   * failure.
   */
  { result: MethodResult } | OtherCall;

/**
 * The first call of a recomputed question that differs from its record: the record's position, the
 * step, and the recorded and the new call as text.
 */
export interface OtherCall {
  /** Position of the record, from 0. */
  at: number;
  step: string;
  /** The recorded call; undefined if there is none. */
  kept: string | undefined;
  /** The call that the method makes; undefined if it makes none. */
  asked: string | undefined;
}

interface WaitingCall {
  call: Call;
  give(output: unknown): void;
  fail(): void;
}

/**
 * Computes a question again from the records of its calls, and returns `{ result }`, for a failed
 * question with its stored failure. If a call differs from its record, returns an object about the
 * first such call instead: its position from 0 (`at`), `step`, the recorded call (`kept`) and the
 * new one (`asked`). Makes no call.
 *
 * @param asked Question and options of the run.
 * @param kept Stored result, for the failure of a failed question.
 * @throws Failure BadInput for a method that declares no algorithm; errors of the algorithm's own
 * code.
 */
export async function recompute(
  method: OwnMethod<unknown>,
  asked: Pick<MethodInput<object>, 'options' | 'question'>,
  records: readonly CallRecord[],
  kept: Pick<MethodResult, 'failure' | 'outcome'>,
): Promise<Recomputed> {
  const { question, options } = parseInput(method, asked, true);
  const ledger = new Ledger(method.name, question);
  for (const record of records) ledger.replay(record);
  const { perform, waiting } = waitingCalls();
  let ended: { conclusion: Conclusion<unknown> } | { error: unknown } | undefined;
  void runAlgorithm(
    algorithmOf(method),
    { question, options },
    { perform, flag: ledger.flag },
  ).then(
    ({ conclusion }) => {
      ended = { conclusion };
    },
    (error: unknown) => {
      ended = { error };
    },
  );
  const left = [...records.entries()];
  const repeated = repeatedIn(records.map(({ address }) => address));
  while (left.length > 0) {
    await turn();
    const [next] = left.splice(nextRecord(left, repeated, waiting), 1);
    if (!next) break;
    const [at, record] = next;
    const call = waiting.take(record);
    if (!call) return { at, step: record.step, kept: named(record), asked: waiting.first() };
    if (named(record) !== named(call.call)) {
      return { at, step: record.step, kept: named(record), asked: named(call.call) };
    }
    if (record.output === undefined) call.fail();
    else call.give(record.output);
  }
  await turn();
  if (ended && 'conclusion' in ended) return { result: ledger.result('', ended.conclusion) };
  const { outcome, failure } = kept;
  if (outcome === 'failed' && failure) return { result: ledger.result('', { failure }) };
  const first = waiting.first();
  if (first === undefined && ended) throw ended.error;
  return { at: records.length, step: waiting.step() ?? '', kept: undefined, asked: first };
}

/**
 * Returns the index of the record whose output is returned next. That is the first one, unless its
 * call does not wait: records do not tell which of several equal calls ended first, so the output of
 * an equal call may have to come before it.
 */
function nextRecord(
  left: readonly [at: number, record: CallRecord][],
  repeated: ReadonlySet<string>,
  waiting: Pick<WaitingCalls, 'has'>,
): number {
  if (left[0] && waiting.has(left[0][1].address)) return 0;
  const early = left.findIndex(([, { address }]) => waiting.has(address) && repeated.has(address));
  return Math.max(0, early);
}

function repeatedIn(items: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(items.filter((item) => seen.size === seen.add(item).size));
}

/** Calls that wait for their outputs. */
interface WaitingCalls {
  has(address: string): boolean;
  /**
   * Removes and returns a waiting call with the record's address, preferably one with its label;
   * undefined if none waits.
   */
  take(record: CallRecord): WaitingCall | undefined;
  /** Returns the name of the call that has waited longest. */
  first(): string | undefined;
  step(): string | undefined;
}

/** Returns a `perform` whose calls wait for their outputs, and the list of waiting calls. */
function waitingCalls(): { perform: Perform; waiting: WaitingCalls } {
  const addressOf = callAddresses();
  const calls: { address: string; asked: WaitingCall }[] = [];
  const perform: Perform = (call) =>
    new Promise((give, reject) => {
      const fail = () => reject(new Failure('Unexpected', 'The call failed.'));
      calls.push({ address: addressOf(call), asked: { call, give, fail } });
    });
  return {
    perform,
    waiting: {
      has: (address) => calls.some((one) => one.address === address),
      take(record) {
        const equal = calls.filter((one) => one.address === record.address);
        const taken = equal.find(({ asked }) => named(asked.call) === named(record)) ?? equal[0];
        if (taken) calls.splice(calls.indexOf(taken), 1);
        return taken?.asked;
      },
      first: () => (calls[0] ? named(calls[0].asked.call) : undefined),
      step: () => calls[0]?.asked.call.step,
    },
  };
}

/** @example named({ step: 'summarize', label: 'Bell' }) // 'summarize (Bell)' */
function named({ step, label }: Pick<Call, 'label' | 'step'>): string {
  return label === '' ? step : `${step} (${label})`;
}
