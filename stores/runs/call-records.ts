/** The stored calls of an answer, compressed because they are most of its size. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { Failure } from '../../core/failure.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { nonModelSteps } from '../../steps/table.js';
import type { RunAnswer, RunQuestion } from './run-store.js';

/** Brotli quality: above it, time grows and the size hardly shrinks. */
const QUALITY = 5;

/** Maximum number of bytes after decompression; the calls of a question never take more. */
const MOST_BYTES = 64 * 2 ** 20;

/** Returns call records compressed by Brotli, in base64. */
export function packCalls(calls: readonly CallRecord[]): string {
  const json = Buffer.from(JSON.stringify(calls));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  return brotliCompressSync(json, { params }).toString('base64');
}

/**
 * Returns the recorded calls of a stored answer, searches and actions included; undefined if none
 * were stored.
 *
 * @throws Failure Damaged if `calls` was not made by `packCalls`.
 */
export function callsOf({ id, calls }: { id: string; calls?: string }): CallRecord[] | undefined {
  if (calls === undefined) return undefined;
  try {
    const bytes = brotliDecompressSync(Buffer.from(calls, 'base64'), {
      maxOutputLength: MOST_BYTES,
    });
    const unpacked: unknown = JSON.parse(bytes.toString());
    if (Array.isArray(unpacked) && unpacked.every(isCallRecord)) return unpacked;
    throw new Error('This is not a list of calls.');
  } catch (cause) {
    const what = `The stored calls of the question ${JSON.stringify(id)} are damaged. Ask the question again to store new ones.`;
    throw new Failure('Damaged', what, { cause });
  }
}

const SEARCH = 'retrieve' satisfies keyof typeof nonModelSteps;

/**
 * Returns an array of the distinct ids of the passages to which a question and its answer refer:
 * those supplied with the question, those that its recorded searches found, and the evidence.
 */
export function passageIdsOf(
  { stored = [] }: RunQuestion,
  answer: RunAnswer | undefined,
): string[] {
  const records = (answer && callsOf(answer)) ?? [];
  const found = records.flatMap(({ step, output }) =>
    step === SEARCH && Array.isArray(output) ? (output as PassageRef[]) : [],
  );
  const ids = [...stored, ...found].map(({ id }) => id);
  return [...new Set([...ids, ...(answer?.result?.evidence ?? [])])];
}

function isCallRecord(value: unknown): value is CallRecord {
  const { address, step, label, events } = Object(value) as Partial<CallRecord>;
  return [address, step, label].every((text) => typeof text === 'string') && Array.isArray(events);
}
