/**
 * Delivers the answers of a batch: stores each response in the cache, then completes the activities
 * that wait for it.
 */

import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { forEachLimited } from '../../core/each-of.js';
import { Failure, type FailureType } from '../../core/failure.js';
import { addEstimated, withEstimated } from '../../core/usage.js';
import {
  type BatchAnswer,
  type BatchStatus,
  mergeRefused,
  type RefusedPart,
} from '../../llm/batch-endpoint.js';
import { mayServeRun, parsedCompletion } from '../../llm/cache-entry.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { withoutThinking } from '../../llm/thinking.js';
import type { StepOutput } from '../../steps/call.js';
import type { ModelStep } from '../../steps/define.js';
import { outputRow } from '../../steps/output-row.js';
import { stepNamed } from '../../steps/table.js';
import type {
  DeliveryCounts,
  PlanRef,
  TakeInput,
} from '../../workflows/activities/provider-batches.js';
import { phrasesOfSet } from '../runtime/model-request.js';
import type { Batching, Ports } from '../runtime/ports.js';
import { applicationFailure, postponement } from '../runtime/retry-policy.js';
import { withNamedFaults } from '../runtime/step-faults.js';
import {
  type AnsweredCall,
  limitedCompletion,
  stepOutput,
  withTranscriptKey,
} from '../runtime/step-output.js';
import { plannedOf } from './make-batch.js';
import type { PlannedBatch, PooledRequest, Waiter } from './pool.js';
import { withHeartbeats } from './run-activity.js';
import { answerWithoutLine, refusedBatch, requestOutcome } from './when-due.js';

type TakePorts = FinishPorts &
  Pick<Ports, 'responses' | 'tenants' | 'waiting'> & { batching: Batching };

/** Maximum number of answers handled at the same time. */
const AT_ONCE = 16;

/** Repeated downloads of an output file whose end cannot be read. */
const DOWNLOADS = 2;

/**
 * Delivers the answers of a batch that has ended to the waiting activities, and deletes its plan.
 * Returns the numbers of requests that were `answered`, have `failed` or are sent `again`, the
 * parameters that the model `refused`, and as `tooMuch` whether the batch was refused because too
 * many tokens were under way. A repeated attempt continues where a killed one stopped: the line of
 * an answered request is skipped.
 *
 * @throws ApplicationFailure Unexpected if the store has lost the plan; MalformedResponse, at most
 * twice in a row, if the end of an output file cannot be read.
 */
export function takeAnswers(input: TakeInput, ports: TakePorts): Promise<DeliveryCounts> {
  const { status } = input;
  return withHeartbeats(async (signal, before, carry) => {
    const planned = await plannedOf(input, ports.batching);
    return deliverPlan(input, planned, ports, async (taking) => {
      const cuts = typeof before === 'number' ? before : 0;
      if (status.state === 'failed') await taking.refuse(status);
      else await taking.read(input, cuts, signal, carry);
    });
  });
}

/**
 * Fails all activities that wait for a planned batch that could not be created, with the given
 * failure, and deletes its plan.
 */
export function giveBack(
  input: PlanRef & { type: string; message: string },
  ports: TakePorts,
): Promise<void> {
  return withHeartbeats(async () => {
    const planned = await ports.batching.pool.plans.get(input.pool, input.number);
    const failure = new Failure(input.type as FailureType, input.message, { retryable: false });
    await deliverPlan(input, planned ?? NONE, ports, (taking) => taking.fail(failure));
  });
}

const NONE = { mark: '', ids: [], without: [] };

type TakenBatch = Pick<PlannedBatch, 'mark' | 'ids' | 'without'>;

/** Delivers the answers to the requests of a plan, then deletes it. */
async function deliverPlan(
  { pool, number }: PlanRef,
  planned: TakenBatch,
  ports: TakePorts,
  deliver: (taking: Taking) => Promise<void>,
): Promise<DeliveryCounts> {
  const waiters = await ports.batching.pool.waiterNamesById(pool);
  const taking = new Taking(pool, planned, waiters, ports);
  await deliver(taking);
  await ports.batching.pool.dropPlan(pool, number);
  return taking.taken;
}

/** A waiter with its name in the pool. */
interface NamedWaiter extends Waiter {
  name: string;
}

/** The delivery of one batch. */
class Taking {
  readonly taken: DeliveryCounts = {
    answered: 0,
    failed: 0,
    again: 0,
    refused: [],
    tooMuch: false,
  };
  /** Request ids of the batch that have no answer yet. */
  private readonly open: Set<string>;

  constructor(
    private readonly pool: string,
    private readonly planned: TakenBatch,
    /**
     * Waiter names by the id of their request. A waiter that comes later finds the response in the
     * cache.
     */
    private readonly waiters: ReadonlyMap<string, readonly string[]>,
    private readonly ports: TakePorts,
  ) {
    this.open = new Set(planned.ids);
  }

  /** Delivers every line of the files, then a failure for each request without a line. */
  async read(
    { status, model }: Pick<TakeInput, 'model' | 'status'>,
    cuts: number,
    signal: AbortSignal,
    carry: (cuts: number) => void,
  ): Promise<void> {
    const { endpoint } = this.ports.batching;
    for (const file of [status.output, status.errors]) {
      if (file === null) continue;
      let isCut = false;
      await forEachLimited(endpoint.download(file, signal), AT_ONCE, async (line) => {
        const answer = checked(endpoint.read(line, model));
        isCut = answer === undefined;
        // Lines of other batches and repeated lines are skipped.
        if (!answer || !this.open.delete(answer.id)) return;
        const { without } = this.planned;
        await this.deliver(answer, (request) => endpoint.read(line, model, { request, without }));
      });
      if (!isCut || cuts >= DOWNLOADS) continue;
      carry(cuts + 1);
      throw new Failure('MalformedResponse', 'The end of an output file cannot be read.');
    }
    await forEachLimited([...this.open], AT_ONCE, (id) =>
      this.deliver(answerWithoutLine(id, status)),
    );
  }

  /**
   * Fails the requests of a batch that was refused as a whole, or leaves them for the next batch.
   */
  async refuse(status: BatchStatus): Promise<void> {
    const { tooMuch, answerTo } = refusedBatch(status);
    this.taken.tooMuch = tooMuch;
    await forEachLimited(this.planned.ids.entries(), AT_ONCE, ([at, id]) =>
      this.deliver(answerTo(id, at + 1)),
    );
  }

  /** Delivers one failure to all requests of the batch. */
  async fail(failure: Failure): Promise<void> {
    await forEachLimited(this.planned.ids, AT_ONCE, (id) => this.deliver({ id, failure }));
  }

  /**
   * Gives an answer to all who wait for its request.
   *
   * @param withRequest Reads the answer again, given the request.
   */
  private async deliver(
    first: BatchAnswer,
    withRequest?: (request: CompletionRequest) => BatchAnswer | undefined,
  ): Promise<void> {
    const { id } = first;
    const pooled = await this.ports.batching.pool.requests.get(this.pool, id);
    // An attempt that was killed later has already delivered it.
    if (!pooled) return;
    const answered = ('failure' in first && withRequest?.(pooled.request)) || first;
    const answer =
      'completion' in answered && !pooled.request.keepsThinking
        ? { ...answered, completion: withoutThinking(answered.completion) }
        : answered;
    if ('refused' in answer && answer.refused !== undefined) this.refused(answer.refused);
    const waiters = await this.waitersOf(id);
    const attempts = waiters.map(({ call }) => call.attempts ?? CALL_DEFAULTS.attempts);
    const ruled = requestOutcome(answer, pooled.troubles, Math.max(1, ...attempts));
    const spent = addEstimated(
      pooled.spent,
      'failure' in answer ? answer.failure.spent : undefined,
    );
    switch (ruled.kind) {
      case 'answered': {
        this.taken.answered++;
        const completion = this.withUnsupportedOf(pooled, ruled.completion);
        await this.keep(pooled, completion);
        return this.forWaiters(id, waiters, (one) => this.complete(pooled, one, completion));
      }
      case 'failed':
        this.taken.failed++;
        return this.forWaiters(id, waiters, async (one) => {
          const lost = pays(one, pooled) ? spent : undefined;
          await this.ports.tenants.countLost(one.call.tenant, lost);
          const detail = lost && { estimated: lost };
          await this.ports.waiting.fail(one, applicationFailure(ruled.failure, detail));
        });
      case 'again':
        this.taken.again++;
        if (ruled.counts) await this.count({ ...pooled, spent });
    }
  }

  /** Returns the completion with the parameters that the request's line left out. */
  private withUnsupportedOf({ request }: PooledRequest, completion: Completion): Completion {
    const { without } = this.planned;
    const unsupported = this.ports.batching.endpoint.unsupported(request, without);
    return unsupported.length === 0 ? completion : { ...completion, unsupported };
  }

  /** Returns the waiters that still wait for a request. */
  private async waitersOf(id: string): Promise<NamedWaiter[]> {
    const { pool } = this.ports.batching;
    const found = (this.waiters.get(id) ?? []).map(async (name) => {
      const waiter = await pool.waiters.get(this.pool, name);
      return waiter ? [{ ...waiter, name }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  private refused(one: RefusedPart): void {
    this.taken.refused = mergeRefused(this.taken.refused, [one]);
  }

  /**
   * Counts a failed attempt of a request, once for this batch however often its answers are taken.
   */
  private async count(pooled: PooledRequest): Promise<void> {
    const { mark: countedIn } = this.planned;
    if (pooled.countedIn === countedIn) return;
    const counted = { ...pooled, troubles: pooled.troubles + 1, countedIn };
    await this.ports.batching.pool.requests.set(this.pool, pooled.id, counted);
  }

  private async keep({ key, origin, run, spent }: PooledRequest, completion: Completion) {
    const at = new Date().toISOString();
    const entry = { completion: limitedCompletion(completion), origin, run, at, estimated: spent };
    const { responses } = this.ports;
    // Any entry there serves none of these waiters, or was written by a killed attempt.
    const claimant = { origin, run, serves: () => false };
    const { text } = await responses.find(key, claimant);
    await responses.store(key, entry, text, claimant);
  }

  /** Completes a waiter, also with an unreadable answer: its workflow decides what to do. */
  private async complete(
    pooled: PooledRequest,
    waiter: NamedWaiter,
    completion: Completion,
  ): Promise<void> {
    const { waiting } = this.ports;
    if (!mayServeRun(completion, pooled.run, waiter.call.run ?? waiter.workflowId)) {
      const message =
        'It is not known how the answer to an equal call ended, so this call asks for its own.';
      return waiting.fail(waiter, postponement('AwaitsBatch', message, 1));
    }
    const isPayer = pays(waiter, pooled);
    const kept = { key: pooled.key, cached: !isPayer };
    const output = await finishStep(waiter, limitedCompletion(completion), kept, this.ports);
    const usage = withEstimated(output.usage, isPayer ? pooled.spent : undefined);
    await this.ports.tenants.count(waiter.call.tenant, usage);
    await waiting.complete(waiter, outputRow({ ...output, usage }, waiter.call.model));
  }

  /**
   * Runs `work` for each waiter, then deletes the request. The next watch finds waiters that were
   * added meanwhile.
   */
  private async forWaiters(
    id: string,
    waiters: readonly NamedWaiter[],
    work: (waiter: NamedWaiter) => Promise<void>,
  ): Promise<void> {
    const { pool } = this.ports.batching;
    for (const waiter of waiters) {
      await work(waiter);
      await pool.waiters.drop(this.pool, waiter.name);
    }
    await pool.requests.drop(this.pool, id);
  }
}

/** Returns whether the costs of a request belong to this waiter, the activity that asked first. */
function pays(waiter: Waiter, pooled: PooledRequest): boolean {
  return waiter.origin === pooled.origin;
}

/** Turns an answer with a malformed completion into a failure of that request alone. */
function checked(answer: BatchAnswer | undefined): BatchAnswer | undefined {
  if (!answer || !('completion' in answer)) return answer;
  try {
    const completion = parsedCompletion('BatchEndpoint.read', answer.completion);
    return { ...answer, completion };
  } catch (failure) {
    return { id: answer.id, failure: failure as Failure };
  }
}

type FinishPorts = Pick<Ports, 'prompts' | 'steps' | 'transcripts'>;

/** Returns the step's output, read as the activity itself would have read it. */
async function finishStep(
  { step: name, input, call, prompt, promptEnd }: Waiter,
  completion: Completion,
  { key, cached }: Pick<AnsweredCall, 'key' | 'cached'>,
  { prompts, steps, transcripts }: FinishPorts,
): Promise<StepOutput<unknown>> {
  const words = await phrasesOfSet(call.prompts ?? CALL_DEFAULTS.prompts, prompts);
  const answered = { words, form: call.form, prompt, key, cached };
  const step = stepNamed(name, steps) as ModelStep<unknown, unknown>;
  const output = stepOutput(withNamedFaults(name, step), input, completion, answered);
  return withTranscriptKey(output, promptEnd, transcripts);
}
