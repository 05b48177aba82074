import type { RecordRef } from '../../core/run/run.js';
import type { Call } from '../algorithm.js';
import { perfectOutput } from '../run/activities.js';
import { localFirst, locally } from './local-first.js';

/** Returns the output of its oracle; undefined where there is none, or it does not decide the call. */
export async function perfectOf(
  { step, input }: Call,
  record: RecordRef | undefined,
): Promise<unknown> {
  if (!record) return undefined;
  const { output } = await localFirst(
    () => locally.perfectOutput(record, step, input),
    () => perfectOutput(record, step, input),
  );
  return output;
}
