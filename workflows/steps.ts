/** Gives a method its steps, with the bookkeeping that no method repeats. */
import { proxyActivities } from '@temporalio/workflow';
import type { ModelActivities, QuestionActivities } from '../activities/index.js';
import type { Prepared } from '../activities/prepare.js';
import type { RetrieveInput, Source } from '../activities/retrieve.js';
import type { StepCall, StepOutput } from '../activities/step.js';
import type { CompleteInput } from '../methods/input.js';
import type { PassageRef } from '../methods/vocabulary.js';
import { labels } from './labels.js';
import type { Ledger } from './ledger.js';

/** The steps as a method sees them: an input, a typed result. */
export type Steps = {
  [S in keyof ModelActivities]: (
    input: Parameters<ModelActivities[S]>[0],
  ) => Promise<Awaited<ReturnType<ModelActivities[S]>>['value']>;
} & { retrieve(input: RetrieveInput): Promise<PassageRef[]> };

/** The model activities as the bookkeeping sees them: which step it is makes no difference to it. */
type AnyModelActivities = Record<
  keyof ModelActivities,
  (input: unknown, call: StepCall) => Promise<StepOutput<unknown>>
>;

/** How long after a worker's death its calls go to another one. */
const HEARTBEAT_TIMEOUT = '10s';

/**
 * Failures of the provider are retried until the activity itself gives up, and it says when (see
 * providerCall). These intervals are for what it cannot speak for: a worker that died or hangs.
 */
const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * The steps of one question.
 *
 * Each carries its model, prompt set, retry bounds and UI summary; an unreadable output is asked
 * again up to `limits.reasks` times, after which its fallback stands in and the result is flagged.
 */
export function createSteps(
  input: CompleteInput<unknown>,
  prepared: Prepared,
  modelQueue: string,
  ledger: Ledger,
): Steps {
  const { limits, retrieval } = input;
  // A call has its own timeout; this one is for a worker that hangs.
  const startToCloseTimeout = (limits.callTimeoutSeconds + 30) * 1000;
  const common = {
    startToCloseTimeout,
    heartbeatTimeout: HEARTBEAT_TIMEOUT,
    retry: RETRY,
  } as const;
  const { retrieve } = proxyActivities<QuestionActivities>(common);
  const model = proxyActivities<AnyModelActivities>({
    ...common,
    taskQueue: modelQueue,
  });
  const bounds = {
    timeoutSeconds: limits.callTimeoutSeconds,
    attempts: limits.attempts,
    refusals: limits.refusals,
  };
  const source: Source = prepared.supplied
    ? { supplied: prepared.supplied }
    : { corpus: retrieval.corpus };

  async function search(query: RetrieveInput): Promise<PassageRef[]> {
    return ledger.track('retrieve', labels.retrieve(query), async (row) => {
      const found = await retrieve.executeWithOptions({ summary: row.label }, [
        query,
        source,
        bounds,
      ]);
      ledger.searched(found.length);
      return found;
    });
  }

  async function ask(step: keyof ModelActivities, asked: never): Promise<unknown> {
    const label = (labels[step] as (input: never) => string)(asked);
    return ledger.track(step, label, async (row) => {
      for (let attempt = 0; ; attempt++) {
        row.reasks = attempt;
        const call: StepCall = {
          model: input.models[step] ?? input.models.default ?? prepared.defaultModel,
          prompts: input.prompts,
          corpus: prepared.supplied ? null : retrieval.corpus,
          attempt,
          cache: input.cache,
          seed: input.seed,
          ...bounds,
        };
        const summary = attempt === 0 ? label : `${label} (asked again, ${attempt})`;
        const output = await model[step].executeWithOptions({ summary }, [asked, call]);
        const last = output.readable || attempt >= limits.reasks;
        ledger.called(row, output, last);
        if (last) return output.value;
      }
    });
  }

  return new Proxy({} as Steps, {
    get: (_, step: keyof Steps) =>
      step === 'retrieve' ? search : (asked: never) => ask(step, asked),
  });
}
