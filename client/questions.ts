/** Starts, joins and asks questions. */
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import { badInput } from '../core/options/problems.js';
import { methodNamed } from '../core/registry.js';
import type { MethodResult } from '../core/result.js';
import { sha256Of } from '../core/sha256.js';
import type { ChainOf, MethodsWith } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { INTERACTIVE } from '../workflows/queue/priorities.js';
import { attributesAtStart, type KeywordPair } from '../workflows/search-attributes.js';
import { summaryLine } from '../workflows/summary-line.js';
import { GRPC } from './grpc-code.js';
import { descriptionOf } from './job.js';
import type { CustomMethods, OptionsFor } from './method-types.js';
import { type QuestionHandle, questionHandle } from './question-handle.js';
import { retryWhileAway } from './server-away.js';

/** Options for starting a question. */
export interface StartOptions {
  /**
   * Id of the workflow. @default derived from run, method and the whole input, so that equal questions
   * are joined
   */
  workflowId?: string;
  /**
   * Whether an answered question with this id is asked again. The response cache still serves every
   * unchanged call. @default false: the stored answer is returned
   */
  again?: boolean;
  /**
   * Tenant on whose behalf the question is asked; equivalent to `labels.tenant` of the input. The workers
   * give each tenant a share of rate-limited calls, and a daily budget. Equal questions of two tenants
   * are separate questions.
   */
  tenant?: string;
  /**
   * Temporal priority of the question and its calls; missing fields keep their defaults. A joined question
   * keeps its own.
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
    return questionHandle(handle, there.type, () => questionAsked(client, workflowId));
  }

  return {
    /**
     * Starts a question, or joins one of the same id that is running or answered.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    start: start as Asking<'handle', MethodsWith<Own>>,
    /**
     * Starts a question of a method that the compiler does not know, because the name is only known at
     * run time or was passed to the client without code.
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
 * Returns an input with the tenant in its labels. @throws Failure BadInput if it names another
 * tenant.
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

/** Returns the question in the input of a workflow, from its history. */
async function questionAsked(
  { workflowService, options: { namespace, loadedDataConverter } }: Client,
  workflowId: string,
): Promise<string> {
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const [started] = history?.events ?? [];
  const { payloads } = started?.workflowExecutionStartedEventAttributes?.input ?? {};
  const input: unknown = await decodeFromPayloadsAtIndex(loadedDataConverter, 0, payloads, {
    type: 'workflow',
    namespace,
    workflowId,
  });
  return String(Object(input).question ?? '');
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
 * Returns a function that starts workflows with search attributes, or without them once the server
 * has refused them.
 */
function givingAttributes() {
  let areKnown = true;
  return async <T>(
    attributes: KeywordPair[],
    start: (attributes: KeywordPair[]) => Promise<T>,
  ): Promise<T> => {
    if (!areKnown) return start([]);
    try {
      return await start(attributes);
    } catch (error) {
      if (!refusesAttributes(error)) throw error;
      areKnown = false;
      return start([]);
    }
  };
}

/** Tells by its message whether the server lacks these search attributes. */
function refusesAttributes(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause) || cause.code !== GRPC.invalidArgument) return false;
  return /search attribute/i.test(cause.details);
}
