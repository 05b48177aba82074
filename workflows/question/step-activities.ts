/**
 * The steps of a question as Temporal activities: the settings that a call is sent with, its task
 * queue, timeouts and retries. Jobs make their calls with the same options.
 */
import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import { CALL_HEARTBEAT_SECONDS, omitDefaults } from '../../core/call-defaults.js';
import type { BatchTransport, QuestionTransport } from '../../core/provider-batches.js';
import { modelFor, outputFor, promptsFor } from '../../core/step-models.js';
import type { TenantShare } from '../../core/tenants.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall } from '../../steps/call.js';
import type { OutputRow, TimedRow } from '../../steps/output-row.js';
import type { CallBounds } from '../activities/calls.js';
import type {
  EmbeddingActivities,
  Prepared,
  PreparedInput,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import { callPriority } from '../queue/priorities.js';

/**
 * The settings with which all calls of a question are made: those of its model calls, its text, its
 * passages, and its budget.
 */
export interface QuestionSettings {
  input: Pick<
    PreparedInput<unknown>,
    | 'budgetPerQuestionUsd'
    | 'cache'
    | 'extraBody'
    | 'limits'
    | 'models'
    | 'outputs'
    | 'prompts'
    | 'question'
    | 'retrieval'
    | 'seed'
    | 'tier'
  >;
  defaultModel: string;
  /** Settings for model calls by batch; undefined if they are not made by batch. */
  transport?: QuestionTransport | undefined;
  /** Id of the run; undefined outside a run. */
  run?: string | undefined;
  /** The tenant on whose behalf the question is asked; undefined if there is none. */
  tenant?: TenantShare | undefined;
  /** Most additional samples that may replace unreadable stored responses. @default 0 */
  resample?: number | undefined;
}

type Limits = QuestionSettings['input']['limits'];

/**
 * The functions by which a question's calls are made, one for each kind of call. In a workflow
 * each is an activity; other interpreters provide their own.
 */
export interface StepActivities
  extends SearchActivities,
    EmbeddingActivities,
    Pick<QuestionActivities, 'findDemonstrationSet'> {
  /** Runs a model step by one call. */
  ask(step: string, input: unknown, sent: SentCall): Promise<OutputRow<unknown>>;
  /** Runs the activity of an action; the address of its call is the idempotency key. */
  act(
    step: string,
    input: unknown,
    address: string,
    bounds: CallBounds,
  ): Promise<TimedRow<unknown>>;
}

/**
 * Returns the settings that every call of a step has, such as its model, prompts, tier and limits;
 * values equal to the defaults are left out.
 */
export function fixedCallSettings(
  step: string,
  { input, defaultModel, transport, run, tenant, resample = 0 }: QuestionSettings,
): SentCall {
  const { limits, cache, seed } = input;
  const tier = tierOf(step, input.tier);
  const prompts = promptsFor(step, input.prompts);
  const form = outputFor(step, input.outputs);
  return {
    ...modelFor(step, input, defaultModel),
    ...omitDefaults({ prompts, resample, cache, seed, tier, form }),
    ...callBounds(limits, { tier, tenant }),
    ...(transport && { batch: transport }),
    ...(run !== undefined && { run }),
  };
}

/**
 * Returns the timeout in seconds, the retry limits and the tenant of a call, as its activity gets
 * them; values equal to the defaults are left out.
 */
export function callBounds(
  { callTimeoutSeconds, attempts, refusals, outageSeconds }: Limits,
  { tier = 'standard', tenant }: { tier?: Tier; tenant?: TenantShare | undefined } = {},
): CallBounds {
  const timeoutSeconds = timeoutAt(tier, callTimeoutSeconds);
  const bounds = omitDefaults({ timeoutSeconds, attempts, refusals, outageSeconds });
  return { ...bounds, ...(tenant && { tenant: tenant.name }) };
}

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

  function paid(shown: ShownOptions) {
    const options = { ...shown, ...paidOptions(modelQueue, { tenant, callsEach, isFirst }) };
    isFirst = false;
    return options;
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

/**
 * Returns the activity options of a call that costs money: `taskQueue`, and `priority`, its
 * priority among the calls of all questions; left out if it is that of the workflow.
 */
export function paidOptions(taskQueue: string, place: Parameters<typeof callPriority>[1]) {
  const priority = callPriority(workflowInfo().priority ?? {}, place);
  // A priority that is left out is inherited from the workflow.
  return Object.keys(priority).length > 0 ? { taskQueue, priority } : { taskQueue };
}

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
