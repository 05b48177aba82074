/** The calls of a question that is forked: taken from the records of another run, or asked. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { FailureType } from '../../core/failure.js';
import type { CallRecord } from '../../steps/call-record.js';
import type { Prepared } from '../activities/question.js';
import type { Call } from '../algorithm.js';
import { addresses } from '../replaying.js';
import type { Ledger } from './ledger.js';

const OTHER_PROMPTS: FailureType = 'RunMismatch';

/**
 * Takes what the records have and asks the rest: the step that is forked at always, and behind it
 * what has another address.
 *
 * @param ask Carries out a call.
 * @param perfectOf Returns what the oracle of its step gives for a call; undefined where it does not
 *   decide it.
 * @throws Failure RunMismatch for a call to be asked whose prompt is not as the other run asked it.
 */
export function forked(
  { run, at, address, output, perfect, changed, taken }: NonNullable<Prepared<unknown>['fork']>,
  ask: (call: Call) => Promise<unknown>,
  ledger: Pick<Ledger, 'take'>,
  perfectOf: (call: Call) => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const addressOf = addresses();
  const records = new Map(taken.map((record) => [record.address, record]));
  return async (call) => {
    const found = addressOf(call);
    const isMeant = call.step === at && (address === undefined || address === found);
    // What its oracle does not decide is as it was.
    const isAnew = isMeant && !perfect;
    const told = isMeant && perfect ? await perfectOf(call) : isMeant ? output : undefined;
    const record = isAnew || told !== undefined ? said(told) : records.get(found);
    if (record?.output !== undefined) {
      ledger.take(call, record);
      return record.output;
    }
    // A question without records is asked whole, with the prompts of the fork.
    if (taken.length > 0 && !isAnew && changed.includes(call.step)) {
      throw ApplicationFailure.nonRetryable(
        `${call.step} has to be asked, and its prompts are not as ${run} was asked with. Put them back as they were then, and start the fork once more with --accept-change.`,
        OTHER_PROMPTS,
      );
    }
    return ask(call);
  };
}

/** What somebody says that a call gives counts nothing. */
function said(output: unknown): Pick<CallRecord, 'events' | 'output'> {
  return { output, events: [] };
}
