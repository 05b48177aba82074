/**
 * Describes the resources that the runs of a task queue share: workers, rate limits and batches of
 * model calls.
 */
import type { DurableRagClient } from '../../client/create-client.js';
import type { Deployment } from '../../client/deployments.js';
import type { PoolProgress } from '../../client/list-pools.js';
import type { QueueLimit } from '../../client/queue-limits.js';
import type { RunInput } from '../../core/run/input.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { printable } from '../../report/views/printable.js';
import { expectedEnd } from '../../workflows/provider-batches/collector.js';
import type { Rate } from '../../workflows/queue/limits.js';
import { renderWaiting } from '../deploy/render-deployment.js';
import { renderStuckPools } from './render-stuck.js';

/**
 * The resources that a task queue's runs share: the rate limits, and lines about them and about
 * workers and batches.
 */
export interface SharedResources {
  limits: QueueLimit[];
  /** Lines for people about workers, limits and batches. */
  lines: string[];
}

/** The empty shared resources, as for a run that is not under way. */
export const noSharedResources: SharedResources = { limits: [], lines: [] };

/**
 * Returns the resources that all runs of a task queue share, or those that concern one run: none if
 * the run is not under way, and batches only if it uses them. Facts that the server does not report
 * are left out.
 *
 * @param client Undefined if no server answers; then nothing is shared.
 */
export async function sharedResources(
  client:
    | Pick<
        DurableRagClient,
        'limits' | 'listPools' | 'stuckPools' | 'describeDeployment' | 'describeRun'
      >
    | undefined,
  run?: string,
): Promise<SharedResources> {
  if (!client) return noSharedResources;
  const of = run === undefined ? undefined : await client.describeRun(run).catch(() => undefined);
  if (run !== undefined && of?.status !== 'RUNNING') return noSharedResources;
  const isBatched = run === undefined || of?.input?.transport !== undefined;
  const [limits, pools, stuck, deployment] = await Promise.all([
    client.limits().catch(() => []),
    isBatched ? client.listPools().catch(() => []) : [],
    isBatched ? client.stuckPools().catch(() => []) : [],
    client.describeDeployment().catch(() => undefined),
  ]);
  const lines = [
    deployment ? renderWaiting(run === undefined ? deployment : withoutLeft(deployment)) : [],
    renderLimits(limits),
    renderPools(
      pools.filter(({ model }) => mayAsk(of?.input, model)),
      Date.now(),
    ),
    renderStuckPools(stuck),
  ];
  return { limits, lines: lines.flat() };
}

/**
 * Returns the deployment without draining versions, since a run that waits for one reports that
 * itself.
 */
function withoutLeft(deployment: Deployment): Deployment {
  const versions = deployment.versions.filter(({ state }) => state !== 'draining');
  return { ...deployment, versions };
}

/** Returns whether a run may ask a model. A run that names no default model asks the workers'. */
function mayAsk(input: Pick<RunInput, 'models' | 'judge'> | undefined, model: string): boolean {
  const { models = {}, judge } = input ?? {};
  const nameOf = (one: string | { model?: string | undefined } | undefined) =>
    typeof one === 'object' ? one.model : one;
  const named = [...Object.values(models), judge].map(nameOf);
  return nameOf(models.default) === undefined || named.includes(model);
}

/**
 * Returns lines about batches: for each model a line about the calls that wait, then one for each
 * batch in progress.
 *
 * @param now Milliseconds since 1970.
 */
export function renderPools(pools: readonly PoolProgress[], now: number): string[] {
  return pools.flatMap((pool) => [
    `batches of ${printable(pool.model)}: ${waits(pool, now)}${over(pool)}`,
    ...pool.open.map((batch) => {
      const { id, requests, madeAt } = batch;
      const ends = expectedEnd(batch, pool.tookSeconds);
      const since = madeAt === undefined ? 'is being made' : `since ${span(now - madeAt)}`;
      return `  ${printable(id ?? 'the next')}: ${plural(requests, 'request')}, ${since}${expected(ends, now)}`;
    }),
  ]);
}

function waits({ waiting, waitingSince }: PoolProgress, now: number): string {
  if (waiting === null) return 'what waits is not known';
  if (waiting === 0 || waitingSince === null) return 'nothing waits';
  return `${plural(waiting, 'request')} wait for one, the first since ${span(now - waitingSince)}`;
}

function over({ ended, requests }: PoolProgress): string {
  return ended === 0
    ? ''
    : `; ${plural(requests, 'request')} in ${plural(ended, 'batch', 'batches')} are over`;
}

/** Returns when a batch is expected to end, as text; empty if unknown. */
function expected(ends: number | null, now: number): string {
  if (ends === null) return '';
  return ends <= now ? ', longer than most' : `, expected in ${span(ends - now)}`;
}

function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1.5) return `${Math.max(0, Math.round(ms / 1000))} s`;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

const COUNTED: Record<Rate, string> = { requestsPerMinute: 'calls', tokensPerMinute: 'tokens' };

/**
 * Returns the rate limits as a list of one line: "limits of the queue: at most 500 calls a minute
 * (asked by run nq, since ...)". Empty without any.
 */
export function renderLimits(limits: readonly QueueLimit[]): string[] {
  if (limits.length === 0) return [];
  const each = limits.map(({ rate, perMinute, run, since }) => {
    const owner = run === null ? 'set for the queue' : `asked by run ${printable(run)}`;
    const time = since === null ? 'on the server' : `since ${since.toLocaleString('sv-SE')}`;
    const most = perMinute.toLocaleString('en-US');
    return `at most ${most} ${COUNTED[rate]} a minute (${owner}, ${time})`;
  });
  return [`limits of the queue: ${each.join(', ')}`];
}
