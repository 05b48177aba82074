/** `durable-rag store` and `store prune`: shows the contents of the store, and deletes old entries. */

import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { hashInRef } from '../evaluation/dataset/snapshots.js';
import { count } from '../evaluation/runs/number-text.js';
import { readableBytes } from '../files/disk.js';
import { PASSAGE_KEY_PREFIX, passageKey } from '../retrieval/supplied-passages.js';
import { type Inventory, inventory, type PrunedCounts, prune } from '../stores/inventory.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { shownUrl } from '../stores/store-failure.js';
import { parseStoreUrl } from '../stores/store-url.js';
import { readConfig } from '../workers/config.js';
import {
  CACHE_NAMESPACES,
  DATASETS_NAMESPACE,
  KEPT_NAMESPACES,
  type Namespace,
  openNamespace,
  PASSAGES_NAMESPACE,
} from '../workers/store-namespaces.js';
import { closing } from './closing.js';
import type { CliContext } from './context.js';
import type { CommandOutput } from './print-output.js';
import { withRuns } from './run/with-runs.js';
import { noneIfUnreachable, serverSession } from './session.js';
import { withDatasets } from './stored-dataset.js';

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Returns an age in milliseconds: a number above 0 followed by m, h, d or w (minutes, hours, days,
 * weeks), such as 30d or 12h.
 *
 * @throws Failure BadInput for any other text.
 */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new Failure(
    'BadInput',
    `--older-than: ${JSON.stringify(text)} is not an age: use a number followed by m, h, d or w, such as 30d.`,
  );
}

/**
 * Returns the output of `store`: its place, and for each part the number of entries, their total
 * size in bytes, and the times of the earliest and the latest write (in JSON milliseconds since
 * 1970; null without entries).
 */
export async function showStore(context: CliContext): Promise<CommandOutput> {
  const parts: Record<string, Inventory> = {};
  for (const name of [...CACHE_NAMESPACES, ...KEPT_NAMESPACES]) {
    parts[name] = await withPart(name, context, inventory);
  }
  const { deployment } = readConfig(context.env);
  const value = { place: placeOf(context), deployment: deployment ?? null, parts };
  const of = deployment === undefined ? '' : `, deployment ${deployment}`;
  return { value, text: [`Store ${value.place}${of}`, ...describe(parts)].join('\n') };
}

/**
 * Deletes what is older than `olderThan`: entries of the caches, unnamed data sets that no run or
 * schedule uses, and passages of questions that belong to no stored run. Without a Temporal
 * server, which knows the schedules, no data set is deleted. Returns the output of the command:
 * `pruned`, the numbers of deleted entries and bytes by part, and `datasets`, the number of
 * deleted data sets (null without a server).
 *
 * @param flags `olderThan` is an age such as 30d or 12h, as in `parseAge`; with `dryRun` entries
 * are counted and not deleted.
 * @throws Failure BadInput if the age is not valid.
 */
export async function pruneStore(
  { olderThan, dryRun = false }: { olderThan: string; dryRun?: boolean | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  const before = Date.now() - parseAge(olderThan);
  const pruned: Record<string, PrunedCounts> = {};
  for (const name of CACHE_NAMESPACES) {
    pruned[name] = await withPart(name, context, (store) => prune(store, before, dryRun));
  }
  const isKept = await passagesOfRuns(context);
  pruned[PASSAGES_NAMESPACE] = await withPart(PASSAGES_NAMESPACE, context, (store) =>
    prune(store, before, dryRun, isKept),
  );
  const datasets = await pruneDatasets(before, dryRun, context);
  const verb = dryRun ? 'would delete' : 'deleted';
  const lines = Object.entries(pruned).map(
    ([name, { entries, bytes }]) =>
      `${name.padEnd(15)}${verb} ${count(entries)} entries, ${readableBytes(bytes)}`,
  );
  if (datasets !== null)
    lines.push(`${DATASETS_NAMESPACE.padEnd(15)}${verb} ${count(datasets)} data sets`);
  const isAny = datasets || Object.values(pruned).some(({ entries }) => entries > 0);
  return {
    value: { olderThan, dryRun, pruned, datasets },
    text: lines.join('\n'),
    next: dryRun && isAny ? command('store', 'prune', '--older-than', olderThan) : undefined,
  };
}

/**
 * Returns a function that tells whether a stored run needs the passages under a key, for reports,
 * retries and forks.
 */
async function passagesOfRuns(context: CliContext): Promise<(key: string) => boolean> {
  const used = new Set<string>();
  await withRuns(context, async (runs) => {
    for (const { run } of await runs.list()) {
      for await (const { question } of runs.questions(run)) {
        for (const { id } of question.stored ?? []) used.add(passageKey(id));
      }
    }
  });
  return (key) => used.has(key) || !key.startsWith(PASSAGE_KEY_PREFIX);
}

/**
 * Returns the number of data sets that were deleted; null if their use cannot be determined without
 * a server.
 */
async function pruneDatasets(
  before: number,
  dryRun: boolean,
  context: CliContext,
): Promise<number | null> {
  const session = await serverSession(context).catch(noneIfUnreachable);
  if (!session) {
    context.reporter.warn(
      'No data set is deleted: no Temporal server answers to tell which data sets the schedules use.',
    );
    return null;
  }
  const given = await session.client.datasetsInUse().finally(() => session.close());
  const kept = await withRuns(context, (runs) => runs.list());
  const used = new Set([
    ...[...given].map((ref) => hashInRef(ref)),
    ...kept.map(({ dataset }) => dataset.sha256),
  ]);
  return withDatasets(context, (datasets) => datasets.prune(before, used, dryRun));
}

/** Calls `work` with one part of the store, and returns its result. */
function withPart<T>(
  name: Namespace,
  context: CliContext,
  work: (store: KeyValueStore) => Promise<T>,
): Promise<T> {
  return closing(openNamespace(readConfig(context.env), name, context.config?.store), work);
}

/** Returns the place of the store, without user name and password. */
function placeOf({ env, config }: CliContext): string {
  if (config?.store) return 'of the configuration file';
  const place = parseStoreUrl(readConfig(env).storeUrl);
  return place.kind === 'folder' ? place.path : shownUrl(place.url);
}

/** Returns a table with a line for each part. */
function describe(parts: Readonly<Record<string, Inventory>>): string[] {
  return Object.entries(parts).map(([name, { entries, bytes, oldest, newest }]) => {
    const size = `${count(entries).padStart(9)} entries  ${readableBytes(bytes).padStart(8)}`;
    const age = oldest === null || newest === null ? '' : `  ${day(oldest)} to ${day(newest)}`;
    return `${name.padEnd(15)}${size}${age}`;
  });
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
