/**
 * Replays an algorithm over the outputs of earlier calls. Each output is found by the address of
 * its call, which depends on no order, prompt or model. Pure, and safe in the workflow sandbox.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import type { CallRecord } from '../steps/call-record.js';
import { replaceParts } from '../steps/text-ref.js';
import type { Call, FinishedCall, Perform } from './algorithm.js';

/** Number of characters from which a text is replaced by its hash before an address is made. */
const LONG = 64;
/** Hex digits of an address, of 64: enough that two calls of one step never share one by chance. */
const HEX_DIGITS = 32;

/**
 * Returns a function that returns the address of a call: the step's name and a hash of its
 * canonical input. Equal calls have the same address. The function caches the hashes of long texts.
 */
export function callAddresses(): (call: Pick<Call, 'step' | 'input'>) => string {
  const hashes = new Map<string, string>();
  const hashed = (text: string) => {
    const hash = hashes.get(text) ?? hashOf(text);
    hashes.set(text, hash);
    return hash;
  };
  return ({ step, input }) => {
    const short = replaceParts(input, (part) =>
      typeof part === 'string' && part.length >= LONG ? { sha256: hashed(part) } : undefined,
    );
    return `${step} ${hashOf(canonicalJson(short))}`;
  };
}

function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, HEX_DIGITS);
}

/** The address of a call, and its output. */
type Recorded = Pick<CallRecord, 'address' | 'output'>;

/**
 * Returns the `address` and the `output` of each finished call of an algorithm, in the given
 * order. The address identifies the call in a replay.
 */
export function recordsOf(calls: readonly FinishedCall[]): Recorded[] {
  const addressOf = callAddresses();
  return calls.map((done) => ({ address: addressOf(done), output: done.output }));
}

/** Changes to a replay. */
interface Changes {
  /** Returns another output for a call; undefined to keep the recorded one, if there is one. */
  replace?(call: Call, recorded: unknown): { output: unknown } | undefined;
  /** Carries out a call without a record. By default the replay fails. */
  otherwise?: Perform;
}

/**
 * Returns a function that carries out calls by returning the recorded output of the call with the
 * same address, and never of another call. If `replace` returns an output for a call, that is
 * taken instead.
 *
 * @throws Failure Incompatible, from the returned function, naming a call without a record, for
 * example because the algorithm or the shape of an input has changed. If `otherwise` is given,
 * that function carries out such a call instead.
 */
export function replayCalls(
  records: readonly Recorded[],
  { replace, otherwise }: Changes = {},
): Perform {
  const addressOf = callAddresses();
  // A call that failed has no output.
  const outputs = new Map(
    records.flatMap(({ address, output }) => (output === undefined ? [] : [[address, output]])),
  );
  return async (call, before) => {
    const address = addressOf(call);
    const other = replace?.(call, outputs.get(address));
    if (other) return other.output;
    if (outputs.has(address)) return outputs.get(address);
    if (otherwise) return otherwise(call, before);
    const which = call.label === '' ? call.step : `${call.step} (${call.label})`;
    throw new Failure(
      'Incompatible',
      `The records of the question have no call of ${which} with this input: they are of another version of its method.`,
    );
  };
}
