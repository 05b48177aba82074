/** The workflow that makes batches of waiting requests and follows each to its end. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchingActivities, GatheredBatch } from '../activities/provider-batches.js';
import { continueOnCurrent, isOutdated, movingFrom, type VersionMove } from '../version.js';
import {
  afterBatch,
  type BatchesProgress,
  type CollectorState,
  freeTokens,
  newCollector,
  type OpenBatch,
  pauseAfter,
} from './collector.js';

/** Retry policy for failures that may pass, for as long as the provider may be away. */
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' } as const;
const { gatherBatch, takeAnswers, giveBack } = proxyActivities<BatchingActivities>({
  startToCloseTimeout: '24h',
  heartbeatTimeout: '20s',
  retry: { ...retry, maximumInterval: '30s' },
});
const { uploadBatch, createBatch, lookAtBatch } = proxyActivities<BatchingActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '20s',
  retry,
});

/** Time without requests after which the collector ends; the next request starts it again. */
const IDLE_SECONDS = 600;

/**
 * Maximum number of events of a history. A batch takes about thirty, and each check of it about
 * eight.
 */
const EVENTS_PER_HISTORY = 2000;

/** Result of `gatherNext` if something changed that the next attempt must know. */
const CHANGED = 'changed' as const;

const batchesQuery = defineQuery<BatchesProgress>('progress');

/**
 * The workflow that makes batches for one endpoint and model. It waits for each batch to be
 * planned, and follows all batches at the same time: it uploads the file, creates the batch, checks
 * it with growing pauses, and delivers the answers. Waits of hours are timers. Its state is small;
 * requests and plans are in the store.
 *
 * @returns The final progress, once the pool has stayed empty.
 */
export async function collectBatches(
  { pool, model }: { pool: string; model: string },
  before?: CollectorState | null,
  eventsPerHistory = EVENTS_PER_HISTORY,
  moved: VersionMove = {},
): Promise<BatchesProgress> {
  let state = before ?? newCollector();
  /** Running activities, which the next history must not start again. */
  let busy = 0;
  let isLast = false;
  let fault: unknown;
  const following = new CancellationScope();
  const progress = (): BatchesProgress => ({ pool, model, ...state });
  setHandler(batchesQuery, progress, { description: 'The batches under way.' });

  for (const batch of state.open) follow(batch);
  for (;;) {
    const gathered = await gatherNext();
    if (fault) throw fault;
    if (isLong()) return goOnInNewHistory();
    if (gathered === CHANGED) continue;
    if (gathered) begin(gathered);
    else if (state.open.length === 0) return progress();
  }

  /**
   * Waits for the next batch, or until an ended batch changes the state for the next one. If the
   * activity makes a plan after it was cancelled, the next call of it finds the plan.
   */
  async function gatherNext(): Promise<GatheredBatch | null | typeof CHANGED> {
    const { next, without, ended: before } = state;
    const mostTokens = freeTokens(state);
    const known = state.open.map(({ number }) => number);
    const scope = new CancellationScope();
    try {
      return await scope.run(() => {
        const input = { pool, next, known, mostTokens, without, idleSeconds: IDLE_SECONDS };
        const changed = condition(() => fault !== undefined || state.ended !== before);
        return Promise.race([gatherBatch(input), changed.then((): typeof CHANGED => CHANGED)]);
      });
    } finally {
      scope.cancel();
    }
  }

  function isLong(): boolean {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return historyLength >= eventsPerHistory || continueAsNewSuggested || isOutdated(moved);
  }

  function begin(gathered: GatheredBatch): void {
    const next = Math.max(state.next, gathered.number + 1);
    const batch: OpenBatch = { ...gathered, since: Date.now() };
    state = { ...state, next, open: [...state.open, batch] };
    follow(batch);
  }

  function follow(batch: OpenBatch): void {
    following
      .run(() => toItsEnd(batch))
      .catch((error: unknown) => {
        if (!isCancellation(error)) fault ??= error;
      });
    setCurrentDetails(describe(progress()));
  }

  async function toItsEnd(batch: OpenBatch): Promise<void> {
    const { number } = batch;
    try {
      const id = batch.id ?? (await make(batch));
      let status = await step(() => lookAtBatch(id));
      while (status.state === 'open') {
        await sleep(pauseAfter(batch, Date.now()));
        status = await step(() => lookAtBatch(id));
      }
      const input = { pool, number, model, status };
      ended(batch, await step(() => takeAnswers(input)));
    } catch (error) {
      const failure = providersFailure(error);
      if (!failure) throw error;
      await step(() => giveBack({ pool, number, ...failure }));
      ended(batch, { answered: 0, refused: [], tooMuch: false });
    }
  }

  async function make(batch: OpenBatch): Promise<string> {
    const plan = { pool, number: batch.number };
    const later = state.notBefore - Date.now();
    if (later > 0) await sleep(later);
    const file = batch.file ?? (await step(() => uploadBatch(plan)));
    change(batch, { file });
    const { id } = await step(() => createBatch({ ...plan, file }));
    change(batch, { id, madeAt: Date.now() });
    return id;
  }

  /** Runs an activity to its end before a new history begins; starts none once this is the last. */
  async function step<T>(run: () => Promise<T>): Promise<T> {
    await condition(() => !isLast);
    busy++;
    try {
      return await CancellationScope.nonCancellable(run);
    } finally {
      busy--;
    }
  }

  function change(batch: OpenBatch, to: Partial<OpenBatch>): void {
    Object.assign(batch, to);
    setCurrentDetails(describe(progress()));
  }

  function ended(batch: OpenBatch, taken: Parameters<typeof afterBatch>[2]): void {
    state = afterBatch(state, batch, taken, Date.now());
    setCurrentDetails(describe(progress()));
  }

  async function goOnInNewHistory(): Promise<never> {
    isLast = true;
    await condition(() => busy === 0);
    following.cancel();
    const next = movingFrom(moved);
    const given = { pool, model };
    return continueOnCurrent<typeof collectBatches>(given, state, eventsPerHistory, next);
  }
}

/** Returns why the provider refuses a batch; undefined if the error is not the provider's. */
function providersFailure(error: unknown): { type: string; message: string } | undefined {
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure) || !cause.type) return undefined;
  return { type: cause.type, message: cause.message };
}

/** Returns one line for the Temporal UI. */
function describe({ model, open, ended, requests }: BatchesProgress): string {
  const underWay = open.map((batch) => `${batch.requests} in ${batch.id ?? 'the next'}`).join(', ');
  return `${model}: ${underWay || 'none under way'}; ${ended} batches of ${requests} requests ended`;
}
