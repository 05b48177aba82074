/** Takes what came of a batch: every response into the cache, then to those who wait for it. */

import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { eachOf } from '../../core/each-of.js';
import { Failure, type FailureType } from '../../core/failure.js';
import type { BatchAnswer, BatchStatus } from '../../llm/batch-endpoint.js';
import { returnedCompletion } from '../../llm/cache-entry.js';
import type { Completion } from '../../llm/language-model.js';
import type { StepOutput } from '../../steps/call.js';
import type { ModelStep } from '../../steps/define.js';
import { generateDocument } from '../../steps/genread.js';
import { stepNamed } from '../../steps/table.js';
import type { PlanRef, TakeInput, Taken } from '../../workflows/activities/provider-batches.js';
import { draftOutput } from '../jobs/index.js';
import type { Batching, Ports } from '../runtime/ports.js';
import { unknownWords } from '../runtime/render-prompt.js';
import { tellingFaults } from '../runtime/step-faults.js';
import { type AnsweredCall, bounded, stepOutput } from '../runtime/step-output.js';
import { plannedOf } from './make-batch.js';
import type { NamedWaiter, PooledRequest, Waiter } from './pool.js';
import { refusalOf, ruling } from './rule.js';
import { applicationFailure, steadily } from './run-activity.js';

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
  return steadily(async (signal, before, carry) => {
    const planned = await plannedOf(input, ports.batching);
    const waiters = await ports.batching.pool.waiterNamesById(input.pool);
    const taking = new Taking(input, planned, waiters, ports);
    if (input.status.state === 'failed') await taking.refuse(input.status);
    else await taking.read(typeof before === 'number' ? before : 0, signal, carry);
    await ports.batching.pool.dropPlan(input.pool, input.number);
    return taking.taken;
  });
}

export function giveBack(
  input: PlanRef & { type: string; message: string },
  ports: TakePorts,
): Promise<void> {
  return steadily(async () => {
    const planned = await ports.batching.pool.planned(input.pool, input.number);
    const failure = new Failure(input.type as FailureType, input.message, { retryable: false });
    const status = { id: '', output: null, errors: null, problems: [] };
    const counts = { total: 0, completed: 0, failed: 0 };
    const nothing: BatchStatus = { ...status, counts, state: 'failed' };
    const waiters = await ports.batching.pool.waiterNamesById(input.pool);
    const about = { ...input, model: '', status: nothing };
    const taking = new Taking(about, planned ?? NONE, waiters, ports);
    await taking.fail(failure);
    await ports.batching.pool.dropPlan(input.pool, input.number);
  });
}

const NONE = { mark: '', ids: [] };

class Taking {
  readonly taken: Taken = { answered: 0, failed: 0, again: 0, refused: [], tooMuch: false };
  /** Of the batch, and not told of yet. */
  private readonly open: Set<string>;

  constructor(
    private readonly input: TakeInput,
    private readonly planned: { mark: string; ids: string[] },
    /** Names by the ids of their requests. Who comes later finds the response in the cache. */
    private readonly waiters: ReadonlyMap<string, readonly string[]>,
    private readonly ports: TakePorts,
  ) {
    this.open = new Set(planned.ids);
  }

  /** Goes through the files, then through those that no line has told of. */
  async read(cuts: number, signal: AbortSignal, carry: (cuts: number) => void): Promise<void> {
    for (const file of [this.input.status.output, this.input.status.errors]) {
      if (file === null) continue;
      let isCut = false;
      await eachOf(this.ports.batching.endpoint.download(file, signal), AT_ONCE, async (line) => {
        const answer = checked(this.ports.batching.endpoint.read(line, this.input.model));
        isCut = answer === undefined;
        // A line is skipped that is not of this batch, or comes twice.
        if (answer && this.open.delete(answer.id)) await this.settle(answer.id, answer);
      });
      if (!isCut || cuts >= DOWNLOADS) continue;
      carry(cuts + 1);
      throw new Failure('MalformedResponse', 'The end of an output file cannot be read.');
    }
    await eachOf([...this.open], AT_ONCE, (id) => this.settle(id, undefined));
  }

  /** The batch was refused before anything was asked. */
  async refuse(status: BatchStatus): Promise<void> {
    const refusal = refusalOf(status);
    this.taken.tooMuch = refusal.kind === 'too-much';
    await eachOf(this.planned.ids.entries(), AT_ONCE, async ([at, id]) => {
      const failure =
        refusal.kind === 'lines'
          ? refusal.lines.get(at + 1)
          : refusal.kind === 'all'
            ? refusal.failure
            : undefined;
      await this.settle(id, failure ? { id, failure } : { id, unasked: 'refused' });
    });
  }

  async fail(failure: Failure): Promise<void> {
    await eachOf(this.planned.ids, AT_ONCE, (id) => this.settle(id, { id, failure }));
  }

  private async settle(id: string, answer: BatchAnswer | undefined): Promise<void> {
    const { pool, status } = this.input;
    const pooled = await this.ports.batching.pool.request(pool, id);
    // An attempt that was killed later has settled it.
    if (!pooled) return;
    if (answer && 'refused' in answer && answer.refused !== undefined) this.refused(answer.refused);
    const names = this.waiters.get(id) ?? [];
    const waiters = await this.ports.batching.pool.waiters(pool, names);
    const attempts = Math.max(
      1,
      ...waiters.map(({ call }) => call.attempts ?? CALL_DEFAULTS.attempts),
    );
    const ruled = ruling(answer, status, pooled.troubles, attempts);
    switch (ruled.kind) {
      case 'answered':
        this.taken.answered++;
        await this.keep(pooled, ruled.completion);
        return this.tell(pooled, waiters, ruled.completion);
      case 'failed':
        this.taken.failed++;
        return this.failOne(pooled, waiters, ruled.failure);
      case 'again':
        this.taken.again++;
        if (ruled.counts) await this.count(pooled);
    }
  }

  private refused(parameter: string): void {
    const { refused } = this.taken;
    if (!refused.includes(parameter)) refused.push(parameter);
  }

  /** One more failed attempt; once for this batch, however often it is taken. */
  private async count(pooled: PooledRequest): Promise<void> {
    const { mark } = this.planned;
    if (pooled.countedIn === mark) return;
    const troubles = pooled.troubles + 1;
    await this.ports.batching.pool.change(this.input.pool, {
      ...pooled,
      troubles,
      countedIn: mark,
    });
  }

  private async keep({ key, origin }: PooledRequest, completion: Completion) {
    const entry = { completion: bounded(completion), origin, at: new Date().toISOString() };
    const { responses } = this.ports;
    // An entry there serves nobody who waits here; or a killed attempt has written it.
    const claimant = { origin, serves: () => false };
    const { text } = await responses.find(key, claimant);
    await responses.store(key, entry, text, claimant);
  }

  /**
   * Completes those who wait, with an unreadable answer as well: each workflow decides what to do
   * with it.
   */
  private async tell(
    pooled: PooledRequest,
    waiters: readonly NamedWaiter[],
    completion: Completion,
  ): Promise<void> {
    await this.forWaiters(pooled, waiters, async (waiter) => {
      const cached = waiter.origin !== pooled.origin;
      const kept = { key: pooled.key, cached };
      const output = await finishStep(waiter, bounded(completion), kept, this.ports);
      await this.ports.waiting.complete(waiter, output);
    });
  }

  private async failOne(
    pooled: PooledRequest,
    waiters: readonly NamedWaiter[],
    failure: Failure,
  ): Promise<void> {
    await this.forWaiters(pooled, waiters, (waiter) =>
      this.ports.waiting.fail(waiter, applicationFailure(failure)),
    );
  }

  /** The next look finds a waiter that comes before its request is dropped. */
  private async forWaiters(
    { id }: PooledRequest,
    waiters: readonly NamedWaiter[],
    work: (waiter: NamedWaiter) => Promise<void>,
  ): Promise<void> {
    const { pool } = this.ports.batching;
    for (const waiter of waiters) {
      await work(waiter);
      await pool.dropWaiter(this.input.pool, waiter.name);
    }
    await pool.dropRequest(this.input.pool, id);
  }
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
  const unknown = await unknownWords(call.prompts ?? CALL_DEFAULTS.prompts, prompts);
  const answered = { unknown, form: call.form, prompt, key, cached };
  if (name === 'draftDocument') {
    const output = stepOutput(generateDocument, input as never, completion, answered);
    return draftOutput(output, texts);
  }
  const step = stepNamed(name, steps) as ModelStep<unknown, unknown>;
  return stepOutput(tellingFaults(name, step), input, completion, answered);
}
