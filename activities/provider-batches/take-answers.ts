/** Takes what came of a batch: every response into the cache, then to those who wait for it. */

import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { eachOf } from '../../core/each-of.js';
import { Failure, type FailureType } from '../../core/failure.js';
import { addEstimated, withEstimated } from '../../core/usage.js';
import {
  type BatchAnswer,
  type BatchStatus,
  type Refused,
  withRefused,
} from '../../llm/batch-endpoint.js';
import { returnedCompletion, servesRun } from '../../llm/cache-entry.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import type { StepOutput } from '../../steps/call.js';
import type { ModelStep } from '../../steps/define.js';
import { generateDocument } from '../../steps/genread.js';
import { stepNamed } from '../../steps/table.js';
import type { PlanRef, TakeInput, Taken } from '../../workflows/activities/provider-batches.js';
import { draftOutput } from '../jobs/index.js';
import { applicationFailure, comesBack } from '../runtime/application-failure.js';
import type { Batching, Ports } from '../runtime/ports.js';
import { setWords } from '../runtime/render-prompt.js';
import { tellingFaults } from '../runtime/step-faults.js';
import { type AnsweredCall, bounded, stepOutput } from '../runtime/step-output.js';
import { plannedOf } from './make-batch.js';
import type { PlannedBatch, PooledRequest, Waiter } from './pool.js';
import { refusalOf, ruling, untold } from './rule.js';
import { steadily } from './run-activity.js';

export type TakePorts = Pick<Ports, 'prompts' | 'responses' | 'steps' | 'texts' | 'waiting'> & {
  batching: Batching;
};

/** Responses that are kept and told at a time. */
const AT_ONCE = 16;

/** How often an output file is downloaded again whose end cannot be read. */
const DOWNLOADS = 2;

/**
 * Goes on where a killed attempt has stopped: a request that has its answer is no longer in the
 * pool, and its line is skipped.
 */
export function takeAnswers(input: TakeInput, ports: TakePorts): Promise<Taken> {
  const { status } = input;
  return steadily(async (signal, before, carry) => {
    const planned = await plannedOf(input, ports.batching);
    return settled(input, planned, ports, async (taking) => {
      const cuts = typeof before === 'number' ? before : 0;
      if (status.state === 'failed') await taking.refuse(status);
      else await taking.read(input, cuts, signal, carry);
    });
  });
}

export function giveBack(
  input: PlanRef & { type: string; message: string },
  ports: TakePorts,
): Promise<void> {
  return steadily(async () => {
    const planned = await ports.batching.pool.plans.get(input.pool, input.number);
    const failure = new Failure(input.type as FailureType, input.message, { retryable: false });
    await settled(input, planned ?? NONE, ports, (taking) => taking.fail(failure));
  });
}

const NONE = { mark: '', ids: [], without: [] };

type TakenBatch = Pick<PlannedBatch, 'mark' | 'ids' | 'without'>;

/** Settles the requests of a plan, then drops it. */
async function settled(
  { pool, number }: PlanRef,
  planned: TakenBatch,
  ports: TakePorts,
  settle: (taking: Taking) => Promise<void>,
): Promise<Taken> {
  const waiters = await ports.batching.pool.waiterNamesById(pool);
  const taking = new Taking(pool, planned, waiters, ports);
  await settle(taking);
  await ports.batching.pool.dropPlan(pool, number);
  return taking.taken;
}

interface NamedWaiter extends Waiter {
  name: string;
}

class Taking {
  readonly taken: Taken = { answered: 0, failed: 0, again: 0, refused: [], tooMuch: false };
  /** Of the batch, and not told of yet. */
  private readonly open: Set<string>;

  constructor(
    private readonly pool: string,
    private readonly planned: TakenBatch,
    /** Names by the ids of their requests. Who comes later finds the response in the cache. */
    private readonly waiters: ReadonlyMap<string, readonly string[]>,
    private readonly ports: TakePorts,
  ) {
    this.open = new Set(planned.ids);
  }

  /** Goes through the files, then through those that no line has told of. */
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
      await eachOf(endpoint.download(file, signal), AT_ONCE, async (line) => {
        const answer = checked(endpoint.read(line, model));
        isCut = answer === undefined;
        // A line is skipped that is not of this batch, or comes twice.
        if (!answer || !this.open.delete(answer.id)) return;
        const { without } = this.planned;
        await this.settle(answer, (request) => endpoint.read(line, model, { request, without }));
      });
      if (!isCut || cuts >= DOWNLOADS) continue;
      carry(cuts + 1);
      throw new Failure('MalformedResponse', 'The end of an output file cannot be read.');
    }
    await eachOf([...this.open], AT_ONCE, (id) => this.settle(untold(id, status)));
  }

  /** The batch was refused before anything was asked. */
  async refuse(status: BatchStatus): Promise<void> {
    const { tooMuch, answerTo } = refusalOf(status);
    this.taken.tooMuch = tooMuch;
    await eachOf(this.planned.ids.entries(), AT_ONCE, ([at, id]) =>
      this.settle(answerTo(id, at + 1)),
    );
  }

  async fail(failure: Failure): Promise<void> {
    await eachOf(this.planned.ids, AT_ONCE, (id) => this.settle({ id, failure }));
  }

  /** @param withRequest Reads the answer once more, with what was asked at hand. */
  private async settle(
    first: BatchAnswer,
    withRequest?: (request: CompletionRequest) => BatchAnswer | undefined,
  ): Promise<void> {
    const { id } = first;
    const pooled = await this.ports.batching.pool.requests.get(this.pool, id);
    // An attempt that was killed later has settled it.
    if (!pooled) return;
    const answer = ('failure' in first && withRequest?.(pooled.request)) || first;
    if ('refused' in answer && answer.refused !== undefined) this.refused(answer.refused);
    const waiters = await this.waitersOf(id);
    const attempts = waiters.map(({ call }) => call.attempts ?? CALL_DEFAULTS.attempts);
    const ruled = ruling(answer, pooled.troubles, Math.max(1, ...attempts));
    const spent = addEstimated(
      pooled.spent,
      'failure' in answer ? answer.failure.spent : undefined,
    );
    switch (ruled.kind) {
      case 'answered': {
        this.taken.answered++;
        const completion = this.tellingUnsupported(pooled, ruled.completion);
        await this.keep(pooled, completion);
        return this.forWaiters(id, waiters, (one) => this.tell(pooled, one, completion));
      }
      case 'failed':
        this.taken.failed++;
        return this.forWaiters(id, waiters, (one) =>
          this.ports.waiting.fail(
            one,
            applicationFailure(ruled.failure, pays(one, pooled) ? { estimated: spent } : undefined),
          ),
        );
      case 'again':
        this.taken.again++;
        if (ruled.counts) await this.count({ ...pooled, spent });
    }
  }

  /** Returns a completion that names what the line of its request left out. */
  private tellingUnsupported({ request }: PooledRequest, completion: Completion): Completion {
    const { without } = this.planned;
    const unsupported = this.ports.batching.endpoint.unsupported(request, without);
    return unsupported.length === 0 ? completion : { ...completion, unsupported };
  }

  /** Returns those that still wait for a request. */
  private async waitersOf(id: string): Promise<NamedWaiter[]> {
    const { pool } = this.ports.batching;
    const found = (this.waiters.get(id) ?? []).map(async (name) => {
      const waiter = await pool.waiters.get(this.pool, name);
      return waiter ? [{ ...waiter, name }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  private refused(one: Refused): void {
    this.taken.refused = withRefused(this.taken.refused, [one]);
  }

  /** One more failed attempt; once for this batch, however often it is taken. */
  private async count(pooled: PooledRequest): Promise<void> {
    const { mark: countedIn } = this.planned;
    if (pooled.countedIn === countedIn) return;
    const counted = { ...pooled, troubles: pooled.troubles + 1, countedIn };
    await this.ports.batching.pool.requests.set(this.pool, pooled.id, counted);
  }

  private async keep({ key, origin, run, spent }: PooledRequest, completion: Completion) {
    const at = new Date().toISOString();
    const entry = { completion: bounded(completion), origin, run, at, estimated: spent };
    const { responses } = this.ports;
    // An entry there serves nobody who waits here; or a killed attempt has written it.
    const claimant = { origin, run, serves: () => false };
    const { text } = await responses.find(key, claimant);
    await responses.store(key, entry, text, claimant);
  }

  /** Completes one that waits, with an unreadable answer as well: its workflow decides about it. */
  private async tell(
    pooled: PooledRequest,
    waiter: NamedWaiter,
    completion: Completion,
  ): Promise<void> {
    const { waiting } = this.ports;
    if (!servesRun(completion, pooled.run, waiter.call.run ?? waiter.workflowId)) {
      const message =
        'How the answer to an equal call ended is not known: this one asks for its own.';
      return waiting.fail(waiter, comesBack('AwaitsBatch', message, 1));
    }
    const isPayer = pays(waiter, pooled);
    const kept = { key: pooled.key, cached: !isPayer };
    const output = await finishStep(waiter, bounded(completion), kept, this.ports);
    const usage = withEstimated(output.usage, isPayer ? pooled.spent : undefined);
    await waiting.complete(waiter, { ...output, usage });
  }

  /** The next look finds a waiter that comes before its request is dropped. */
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

/** Tells whether a waiter is the activity that asked first, to which the costs belong. */
function pays(waiter: Waiter, pooled: PooledRequest): boolean {
  return waiter.origin === pooled.origin;
}

/** Makes an answer whose completion is malformed a failure of its request alone. */
function checked(answer: BatchAnswer | undefined): BatchAnswer | undefined {
  if (!answer || !('completion' in answer)) return answer;
  try {
    return { ...answer, completion: returnedCompletion('BatchEndpoint.read', answer.completion) };
  } catch (failure) {
    return { id: answer.id, failure: failure as Failure };
  }
}

/** As the activity itself would have read it. */
async function finishStep(
  { step: name, input, call, prompt }: Waiter,
  completion: Completion,
  { key, cached }: Pick<AnsweredCall, 'key' | 'cached'>,
  { prompts, steps, texts }: Pick<Ports, 'prompts' | 'steps' | 'texts'>,
): Promise<StepOutput<unknown>> {
  const words = await setWords(call.prompts ?? CALL_DEFAULTS.prompts, prompts);
  const answered = { words, form: call.form, prompt, key, cached };
  if (name === 'draftDocument') {
    const output = stepOutput(generateDocument, input as never, completion, answered);
    return draftOutput(output, texts);
  }
  const step = stepNamed(name, steps) as ModelStep<unknown, unknown>;
  return stepOutput(tellingFaults(name, step), input, completion, answered);
}
