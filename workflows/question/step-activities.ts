/**
 * The steps of a question as Temporal activities, with their task queues, timeouts and retries. Jobs
 * make their calls with the same options.
 */
import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import { CALL_HEARTBEAT_SECONDS } from '../../core/call-defaults.js';
import type { CompleteInput } from '../../core/options/input.js';
import type { BatchTransport } from '../../core/provider-batches.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall } from '../../steps/call.js';
import type { OutputRow, TimedRow } from '../../steps/output-row.js';
import type { CallBounds } from '../activities/calls.js';
import type {
  EmbeddingActivities,
  Prepared,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import { callPriority } from '../queue/priorities.js';
import type { QuestionSettings, StepActivities } from './question-calls.js';

/** The activity of any model step. */
type ModelActivity = (input: unknown, sent: SentCall) => Promise<OutputRow<unknown>>;

/** The activity of an action. */
type ActionActivity = (
  input: unknown,
  address: string,
  bounds: CallBounds,
) => Promise<TimedRow<unknown>>;

/** Activity option: a cancelled call is awaited until it has reported its possible cost. */
const AWAITED = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

interface DurableSettings
  extends Pick<QuestionSettings, 'tenant' | 'transport'>,
    Pick<Prepared<unknown>, 'searchesLocally' | 'searchQueue'> {
  input: Pick<QuestionSettings['input'], 'limits' | 'tier'>;
  /** Task queue of the calls that cost money. */
  modelQueue: string;
  /** Estimated number of calls of a question, see `RunContext`. */
  callsEach?: number | undefined;
  /** Whether the question has been asked before, so that no call counts as its first. */
  isBegun?: boolean;
}

/**
 * Returns a function that provides the activities of a question's steps as Temporal activities,
 * with their task queues, timeouts and priorities from the question's settings. Its argument is a
 * summary of the call for the Temporal UI, which may be empty.
 */
export function durableActivities({
  input: { limits, tier },
  tenant,
  transport,
  searchesLocally,
  searchQueue,
  modelQueue,
  callsEach,
  isBegun = false,
}: DurableSettings): (summary: string) => StepActivities {
  const common = callOptions(limits);
  const searchedAt = searchQueue === undefined ? {} : { taskQueue: searchQueue };
  let isFirst = !isBegun;

  /** Returns the options of a paid call, with its priority among the calls of all questions. */
  function paid(shown: ShownOptions) {
    const priority = callPriority(workflowInfo().priority ?? {}, { tenant, callsEach, isFirst });
    isFirst = false;
    const isOwn = Object.keys(priority).length > 0;
    // A priority that is left out is inherited from the workflow.
    return { ...shown, taskQueue: modelQueue, ...(isOwn && { priority }) };
  }

  return (summary) => {
    const shown: ShownOptions = summary === '' ? common : { ...common, summary };
    const searches = proxyActivities<SearchActivities>({ ...shown, ...searchedAt });
    const { findDemonstrationSet } = proxyActivities<QuestionActivities>(shown);
    const embeddings = () => proxyActivities<EmbeddingActivities>({ ...paid(shown), ...AWAITED });
    return {
      ask(step, ...args) {
        const waiting = waitingOptions(limits, tierOf(step, tier), transport);
        // A cancelled call that waits for a batch is removed from the pool, and reported from there.
        const options = { ...paid(shown), ...(!transport && AWAITED), ...waiting };
        return (proxyActivities(options)[step] as ModelActivity)(...args);
      },
      act(step, ...args) {
        const actions = proxyActivities({ ...shown, ...AWAITED });
        return (actions[step] as ActionActivity)(...args);
      },
      retrieve(...args) {
        const usual = () => searches.retrieve(...args);
        return searchesLocally
          ? localFirst(() => locally(summary).retrieve(...args), usual)
          : usual();
      },
      scoreByTfIdf: searches.scoreByTfIdf,
      findDemonstrationSet,
      embedTexts: (...args) => embeddings().embedTexts(...args),
      rankBySimilarity: (...args) => embeddings().rankBySimilarity(...args),
      rankByCrossEncoder: (...args) => embeddings().rankByCrossEncoder(...args),
    };
  };
}

type Limits = CompleteInput<unknown>['limits'];
type ShownOptions = ReturnType<typeof callOptions> & { summary?: string };

/**
 * Retry policy for attempts that report no failure: a worker that died or hangs. Other failures
 * carry their own delay, or are not retryable (see `providerCall`).
 */
const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * Returns the activity options of every activity that makes a call: its timeouts in milliseconds,
 * and its retry policy.
 */
export function callOptions({ callTimeoutSeconds }: Limits) {
  return {
    startToCloseTimeout: startToClose(callTimeoutSeconds),
    heartbeatTimeout: CALL_HEARTBEAT_SECONDS * 1000,
    retry: RETRY,
  } as const;
}

/**
 * Returns the longer `startToCloseTimeout`, in milliseconds, of a call by batch or at the flex
 * tier; an empty object for other calls.
 */
export function waitingOptions(
  { callTimeoutSeconds }: Limits,
  tier: Tier,
  transport: BatchTransport | undefined,
) {
  const seconds = timeoutAt(tier, callTimeoutSeconds);
  if (!transport) {
    return tier === 'standard' ? {} : { startToCloseTimeout: startToClose(seconds) };
  }
  // The activity that puts the call into the pool sets a longer heartbeat timeout then.
  return { startToCloseTimeout: startToClose(transport.patienceSeconds + seconds) };
}

/** Returns the timeout of an activity in milliseconds: half a minute more than its call has. */
function startToClose(seconds: number): number {
  return (seconds + 30) * 1000;
}

type LocalActivities = Pick<QuestionActivities, 'perfectOutput' | 'recordAnswer' | 'retrieve'>;

/**
 * Returns activities that run locally: the workflow's own worker runs each within the workflow
 * task, once and for at most ten seconds.
 *
 * @param summary Line for the Temporal UI.
 */
export function locally(summary: string): LocalActivities {
  return proxyLocalActivities<LocalActivities>({
    startToCloseTimeout: '10s',
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/**
 * Returns the result of a local activity. If it fails for any reason but a cancellation, returns
 * that of `usual`, the same activity with retries and on any worker.
 */
export async function localFirst<T>(local: () => Promise<T>, usual: () => Promise<T>): Promise<T> {
  try {
    return await uncancelled(local);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return usual();
  }
}

/**
 * Starts a local activity and returns its result. A cancellation ends the wait but not the
 * activity, since the SDK fails the task of a workflow that cancels a local activity whose result
 * came with the same task.
 *
 * @param local Starts the activity.
 * @throws CancelledFailure as soon as the surrounding scope is cancelled.
 */
export function uncancelled<T>(local: () => Promise<T>): Promise<T> {
  const { cancelRequested } = CancellationScope.current();
  return Promise.race([CancellationScope.nonCancellable(local), cancelRequested]);
}
