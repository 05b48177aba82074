/** The workflow that keeps the limits of a task queue and lifts each when its run ends. */
import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineUpdate,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { RateActivities } from '../activities/rates.js';
import { followsVersions, keptMemo } from '../version.js';
import { ifCancelled } from '../workflow-failure.js';
import {
  type LimitRequest,
  type LimitsInForce,
  limitedRates,
  limitsInForce,
  noLimits,
  ownersOf,
  RATES,
  type Rate,
  type RequestedLimits,
  withoutOwners,
  withRequest,
} from './limits.js';

const { applyRates, awaitRunsEnded, readRates } = proxyActivities<RateActivities>({
  startToCloseTimeout: '7h',
  heartbeatTimeout: '10s',
});

/** Pause between attempts to lift a limit whose run has ended, in milliseconds. */
const AGAIN_MS = 30_000;

/** Asks for limits, and returns those in force afterwards. */
const askUpdate = defineUpdate<LimitsInForce, [LimitRequest]>('ask');

/**
 * The workflow that keeps the rate limits of a task queue: requests and tokens per minute. The
 * first request for a limit, by a run or for the queue itself, starts it, and it stays open until
 * no limit is asked for.
 *
 * The limit that was asked for last is in force. When the run that asked for it has ended, in any
 * way, the previous one is in force again; one for the queue itself stays until it is withdrawn.
 * The memo shows the limits in force, so that reading them needs no worker.
 */
export async function queueLimits(before: RequestedLimits = noLimits): Promise<void> {
  let asked = before;
  let isAsked = before !== noLimits;
  /** Grows with each change. */
  let version = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs work one after the other, so that the last change asked for is also applied last. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  /**
   * Applies the changed limits. Limits that no run has asked for stay, even if they were set
   * elsewhere.
   */
  async function change(to: RequestedLimits, rates: readonly Rate[]): Promise<void> {
    const limits = limitsInForce(to);
    const changed = rates.map((rate) => [rate, limits[rate]?.perMinute ?? null]);
    await applyRates(Object.fromEntries(changed));
    asked = to;
    version++;
    upsertMemo({ limits });
  }

  setHandler(askUpdate, (asking) =>
    inTurn(async () => {
      isAsked = true;
      const to = withRequest(await withServerLimit(asked, asking), asking, Date.now());
      await change(
        to,
        RATES.filter((rate) => asking.rates[rate] !== undefined),
      );
      return limitsInForce(asked);
    }),
  );

  await condition(() => isAsked);
  for (;;) {
    if (isEmpty(asked) || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      if (isEmpty(asked)) return;
      // The first request has come into force by now and is no reason for a new history.
      if (!workflowInfo().continueAsNewSuggested) continue;
      return makeContinueAsNewFunc<typeof queueLimits>(keptMemo())(asked);
    }
    const ended = await endedOwners();
    if (ended.length > 0) await lift(ended);
  }

  /** Lifts the limits of ended runs. Retries without limit, since no caller waits for it. */
  async function lift(owners: readonly string[]): Promise<void> {
    try {
      await inTurn(() => change(withoutOwners(asked, owners), limitedRates(asked, owners)));
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      await sleep(AGAIN_MS);
    }
  }

  /** Returns the runs that have ended; none if the limits changed in the meantime. */
  async function endedOwners(): Promise<string[]> {
    const seen = version;
    const changed = () => version !== seen;
    const owners = ownersOf(asked);
    if (owners.length === 0) {
      await condition(changed);
      return [];
    }
    const looking = new CancellationScope();
    const ended = looking.run(() => awaitRunsEnded(owners)).catch(ifCancelled([]));
    await Promise.race([ended, condition(changed)]);
    looking.cancel();
    return ended;
  }
}

// It outlives the versions of the workers that ask, and must not hold any of them back.
setWorkflowOptions(followsVersions, queueLimits);

/** Adds the limit that is set on the server itself. It belongs to the queue, and stays. */
async function withServerLimit(
  asked: RequestedLimits,
  { rates }: LimitRequest,
): Promise<RequestedLimits> {
  if (asked.requestsPerMinute.length > 0 || typeof rates.requestsPerMinute !== 'number') {
    return asked;
  }
  const { requestsPerMinute } = await readRates();
  if (requestsPerMinute === null) return asked;
  const queue = { owner: null, rates: { requestsPerMinute } };
  return withRequest(asked, queue, Date.now());
}

function isEmpty(asked: RequestedLimits): boolean {
  return RATES.every((rate) => asked[rate].length === 0);
}
