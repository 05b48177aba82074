/**
 * Starts, joins and asks questions, and follows them by their handles.
 *
 * Longer than other files, since each function here says to its callers what it does and throws.
 */
import {
  ApplicationFailure,
  CancelledFailure,
  type Client,
  TerminatedFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import { badInput } from '../core/options/problems.js';
import type { MethodResult, QuestionFailure } from '../core/result.js';
import { sha256Of } from '../core/sha256.js';
import { NO_USAGE } from '../core/usage.js';
import type { ChainOf, MethodsWith } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import type { Progress } from '../workflows/question/progress.js';
import { INTERACTIVE } from '../workflows/queue/priorities.js';
import { attributesAtStart } from '../workflows/search-attributes.js';
import { summaryLine } from '../workflows/summary-line.js';
import {
  descriptionOf,
  givingAttributes,
  inputOf,
  queryProgress,
  usageUntilStopped,
} from './job.js';
import type { CustomMethods, OptionsFor } from './method-types.js';
import { awaitResult, retryWhileAway } from './server-away.js';

/**
 * Options for starting a question: its workflow id, whether it is asked again, its tenant and its
 * priority.
 */
export interface StartOptions {
  /**
   * Id of the workflow. @default derived from run, method and the whole input, so that equal
   * questions are joined
   */
  workflowId?: string;
  /**
   * Whether an answered question with this id is asked again. The response cache still serves every
   * unchanged call. @default false: the stored answer is returned
   */
  again?: boolean;
  /**
   * Tenant on whose behalf the question is asked; equivalent to `labels.tenant` of the input. The
   * workers give each tenant a share of rate-limited calls, and a daily budget. Equal questions of
   * two tenants are separate questions.
   */
  tenant?: string;
  /**
   * Temporal priority of the question and its calls; missing fields keep their defaults. A joined
   * question keeps its own.
   *
   * @default priorityKey 1, ahead of the questions of runs, which have 3; the tenant as fairnessKey
   */
  priority?: Priority;
}

/**
 * A function that asks a question, with names and options of methods that the compiler knows.
 *
 * @typeParam Of What it returns: the handle or the result.
 */
type Asking<Of extends 'handle' | 'result', Known> = <M extends keyof Known & string>(
  method: M,
  input: MethodInput<OptionsFor<M, Known>>,
  options?: StartOptions,
) => Promise<Asked<ChainOf<M, Known>>[Of]>;

interface Asked<C> {
  handle: QuestionHandle<C>;
  result: MethodResult<C>;
}

/**
 * Returns the client's functions for questions: `start`, `startNamed`, `getHandle` and `ask`.
 *
 * @param isEncrypted Whether payloads are encrypted, so that workflow ids must not contain words of
 * questions.
 */
export function questions<Own extends CustomMethods>(
  client: Client,
  taskQueue: string,
  registry: OwnMethods,
  isEncrypted: boolean,
) {
  const withAttributes = givingAttributes();

  async function start<C>(
    method: string,
    given: MethodInput<never>,
    { workflowId, again = false, priority, tenant }: StartOptions = {},
  ): Promise<QuestionHandle<C>> {
    const input = onBehalfOf(tenant, given);
    const { question, labels } = checked(method, input, registry);
    const fairnessKey = labels.tenant;
    const id =
      workflowId ??
      defaultId(method, { input, taskQueue }, isEncrypted ? '' : question, labels.run);
    try {
      await withAttributes(attributesAtStart(method, labels), (typedSearchAttributes) =>
        client.workflow.start(method, {
          workflowId: id,
          taskQueue,
          args: [input],
          staticSummary: summaryLine(question),
          priority: { priorityKey: INTERACTIVE, ...(fairnessKey && { fairnessKey }), ...priority },
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
          typedSearchAttributes,
        }),
      );
    } catch (error) {
      // The question was answered before, and the handle refers to that answer.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    return questionHandle(client.workflow.getHandle(id), method, () => question);
  }

  async function getHandle<C>(workflowId: string): Promise<QuestionHandle<C>> {
    const handle = client.workflow.getHandle(workflowId);
    const there = await retryWhileAway(() => descriptionOf(handle));
    if (!there) {
      throw new Failure(
        'BadInput',
        `Temporal has no question "${workflowId}" in its namespace ${client.options.namespace}: none was started there, or it ended longer ago than the namespace keeps workflows.`,
      );
    }
    if (!registry.has(there.type)) {
      throw new Failure(
        'BadInput',
        `"${workflowId}" is not a question of a method that this client knows: its workflow is ${there.type}. For a run use getRun, for a study getStudy. ${namedAs(there.type)}.`,
      );
    }
    return questionHandle(handle, there.type, async () => {
      const input = await inputOf(client, workflowId);
      return String(Object(input).question ?? '');
    });
  }

  return {
    /**
     * Starts a question, or joins one of the same id that is running or answered.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    start: start as Asking<'handle', MethodsWith<Own>>,
    /**
     * Starts a question of a method that the compiler does not know, because the name is only known
     * at run time or was passed to the client without code.
     *
     * @throws As `start`.
     */
    startNamed: start as <C = unknown>(
      method: string,
      input: MethodInput<Record<string, unknown>>,
      options?: StartOptions,
    ) => Promise<QuestionHandle<C>>,
    /**
     * Returns the handle of a question that was started before, by any client or run.
     *
     * @throws Failure BadInput if Temporal has no such question; Connection if the server is away
     * for a minute.
     */
    getHandle: getHandle as <C = unknown>(workflowId: string) => Promise<QuestionHandle<C>>,
    /** Starts a question and returns its result. @throws As `start`. */
    ask: (async <C>(method: string, input: MethodInput<never>, startOptions?: StartOptions) =>
      (await start<C>(method, input, startOptions)).result()) as Asking<'result', MethodsWith<Own>>,
  };
}

/**
 * Returns an input with the tenant in its labels.
 *
 * @throws Failure BadInput if it names another tenant.
 */
function onBehalfOf<I extends MethodInput<never>>(tenant: string | undefined, input: I): I {
  if (tenant === undefined) return input;
  const { labels } = input;
  if (labels?.tenant !== undefined && labels.tenant !== tenant) {
    throw badInput(
      'labels.tenant',
      `is ${labels.tenant}, but the tenant of the options is ${tenant}`,
    );
  }
  return { ...input, labels: { ...labels, tenant } };
}

/**
 * Returns the checked input of a question.
 *
 * @throws Failure BadInput naming the field that is wrong.
 */
function checked(name: string, input: unknown, registry: OwnMethods) {
  try {
    return parseInput(methodNamed(name, registry), input);
  } catch (error) {
    if (registry.has(name) || !(error instanceof Failure)) throw error;
    throw new Failure(error.type, `${error.message} (${namedAs(name)})`);
  }
}

/** Returns the advice to pass a custom method to the client. */
function namedAs(method: string): string {
  return `a custom method must be passed to the client: methods: ['${method}']`;
}

/**
 * Returns a workflow id that is equal for equal run, method and input, whatever the order of
 * fields. It contains the question's first words, for people who read lists of workflows.
 *
 * @param question Text whose words the id contains; empty for none.
 */
function defaultId(method: string, start: unknown, question: string, run = 'ask'): string {
  const words = question.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const hash = sha256Of(canonicalJson(start), 16);
  return [run, method, words.join('-').slice(0, 40), hash].filter((part) => part !== '').join('-');
}

/**
 * Handle of a question that was started or joined: waits for its result, queries its progress,
 * tells why the last worker could not run it, cancels it.
 *
 * @typeParam C The chain in its result.
 */
export type QuestionHandle<C> = ReturnType<typeof questionHandle<C>>;

/**
 * Returns a handle of a question, made from the handle of its workflow.
 *
 * @param method Name of the method.
 * @param questionOf Returns the text of the question; called only if its workflow left no result.
 */
export function questionHandle<C>(
  handle: WorkflowHandle,
  method: string,
  questionOf: () => string | Promise<string>,
) {
  const { workflowId } = handle;
  return {
    workflowId,
    /**
     * Waits for the end. A question that failed, was cancelled or was terminated also has a result,
     * with outcome "failed" and the reason in `failure`.
     *
     * @throws Only if the server cannot be reached or has no such question.
     */
    async result(): Promise<MethodResult<C>> {
      try {
        return await awaitResult<MethodResult<C>>(handle);
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
        const { cause } = error;
        const kept = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
        if (kept) return kept as MethodResult<C>;
        const question = await questionOf();
        return {
          workflowId,
          method,
          question,
          outcome: 'failed',
          failure: failureOf(error),
          answer: null,
          evidence: [],
          chain: null,
          retrievals: 0,
          steps: {},
          flags: [],
          usage: (await usageUntilStopped(handle)) ?? NO_USAGE,
        };
      }
    },
    /** Returns the current progress, which a worker computes. */
    progress: () => queryProgress<Progress>(handle),
    /**
     * Returns why the last worker could not run the question, such as a missing workflow; undefined
     * if it could, or if no worker has tried.
     */
    async refusal(): Promise<string | undefined> {
      const { events } = await handle.fetchHistory();
      const [last] = (events ?? [])
        .flatMap(
          ({
            workflowTaskFailedEventAttributes: failed,
            workflowTaskCompletedEventAttributes: done,
          }) => (failed || done ? [failed?.failure?.message ?? undefined] : []),
        )
        .slice(-1);
      return last;
    },
    /** Cancels the question; running calls are aborted within seconds. */
    async cancel(): Promise<void> {
      await handle.cancel();
    },
  };
}

function failureOf({ cause, message }: WorkflowFailedError): QuestionFailure {
  const step = null;
  if (cause instanceof CancelledFailure) {
    return { type: 'Cancelled', message: 'The question was cancelled.', step };
  }
  if (cause instanceof TerminatedFailure) {
    return { type: 'Terminated', message: 'The workflow was terminated.', step };
  }
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Unexpected') : 'Unexpected';
  return { type, message: cause?.message ?? message, step };
}
