/** Makes the calls of a forked question: reuses the records of another run, or asks. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { FailureType } from '../../core/failure.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { Prepared } from '../activities/question.js';
import type { Call, FinishedCall } from '../algorithm.js';
import { callAddresses } from '../replaying.js';
import type { Ledger } from './ledger.js';

const OTHER_PROMPTS: FailureType = 'RunMismatch';

/**
 * Returns a function that makes the calls of a forked question. It returns the recorded output of
 * an equal call of the other run, and makes a call without a record anew. The forked step (only
 * its call at `address`, if that is given) has the given output or is called anew; with `perfect`
 * it has the perfect output, or the recorded one if the oracle does not decide the call.
 *
 * @param ask Makes a call.
 * @param perfectOf Returns the output that the step would give without error, given the recorded
 * output; undefined if the step's oracle does not decide the call.
 * @throws Failure RunMismatch, from the returned function, for a call to be made, other than of
 * the forked step, whose prompt differs from the other run's; not if the other run has no records
 * of the question.
 */
export function performFork(
  { run, at, address, output, perfect, changed, taken }: NonNullable<Prepared<unknown>['fork']>,
  ask: (call: Call) => Promise<unknown>,
  ledger: Pick<Ledger, 'addReused'>,
  perfectOf: (call: FinishedCall) => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const addressOf = callAddresses();
  const records = new Map(taken.map((record) => [record.address, record]));
  return async (call) => {
    const found = addressOf(call);
    const isMeant = call.step === at && (address === undefined || address === found);
    // A call that its oracle does not decide keeps its recorded output.
    const isAnew = isMeant && !perfect;
    const recorded = records.get(found);
    const byOracle = () => perfectOf({ ...call, output: recorded?.output });
    const given = !isMeant ? undefined : perfect ? await byOracle() : output;
    const record = isAnew || given !== undefined ? recordGiven(given) : recorded;
    if (record?.output !== undefined) {
      ledger.addReused(call, record);
      return record.output;
    }
    // A question without records is asked as a whole, with the prompts of the fork.
    if (taken.length > 0 && !isAnew && changed.includes(call.step)) {
      throw ApplicationFailure.nonRetryable(
        `${call.step} has to be asked, and its prompts differ from those of ${run}. Restore the prompts of that run, and start the fork again with --accept-change.`,
        OTHER_PROMPTS,
      );
    }
    return ask(call);
  };
}

/** Returns the record of a given output, which counts no usage. */
function recordGiven(output: unknown): Pick<CallRecord, 'events' | 'output'> {
  return { output, events: [] };
}
