/**
 * Indices under construction (drafts): allows one builder at a time, and deletes the drafts of dead
 * builders.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isAlive } from '../../core/is-alive.js';
import { BuildInProgress } from '../build-lock.js';
import { INDEX_FORMAT } from '../manifest.js';
import type { ElasticsearchConnection } from './connection.js';
import {
  type Analysis,
  createIndex,
  deleteIndex,
  findIndices,
  type IndexDraft,
  indexName,
  writeDraft,
} from './indices.js';

/**
 * Interval at which a live builder renews its draft, and age at which a draft counts as abandoned.
 */
const TOUCH_MS = 5_000;
const STALE_MS = 60_000;

/**
 * Deletes the drafts (unfinished Elasticsearch indexes) of dead builders of a corpus, creates an
 * empty index for a new build, and returns its record.
 *
 * @throws BuildInProgress if a live builder is at work, or another started at the same time and
 * takes precedence; Failure BadInput if the server lacks the analyzer or does not support such
 * vectors.
 */
export async function beginDraft(
  connection: ElasticsearchConnection,
  { name, tokenizer, embedding }: Pick<IndexDraft, 'name' | 'embedding'> & { tokenizer: Analysis },
  signal: AbortSignal,
): Promise<IndexDraft> {
  const left = await findDrafts(connection, name, signal);
  refuseLive(left, name);
  for (const draft of left) await deleteIndex(connection, indexName(draft));
  const draft: IndexDraft = {
    state: 'building',
    format: INDEX_FORMAT,
    name,
    build: randomUUID(),
    tokenizer: { ...tokenizer },
    ...(embedding ? { embedding } : {}),
    builder: { pid: process.pid, host: hostname() },
    touchedAt: Date.now(),
  };
  await createIndex(connection, draft, tokenizer, signal);
  // Two builders that started at once see each other here and agree who continues.
  const others = await findDrafts(connection, name, signal);
  try {
    refuseLive(
      others.filter(({ build }) => build < draft.build),
      name,
    );
  } catch (error) {
    await deleteIndex(connection, indexName(draft));
    throw error;
  }
  return draft;
}

/**
 * Renews a draft every five seconds, to show other builders that this one is alive. Returns a
 * function that ends this; nothing is written once its promise has resolved.
 */
export function keepAlive(
  connection: ElasticsearchConnection,
  draft: IndexDraft,
): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // A failed write is repeated with the next.
    writing = writing
      .then(() => writeDraft(connection, { ...draft, touchedAt: Date.now() }))
      .catch(() => {});
  }, TOUCH_MS);
  return async () => {
    clearInterval(timer);
    await writing;
  };
}

async function findDrafts(
  connection: ElasticsearchConnection,
  name: string,
  signal: AbortSignal,
): Promise<IndexDraft[]> {
  const indices = await findIndices(connection, `${name}-*`, signal);
  return indices.flatMap(({ record }) =>
    record?.state === 'building' && record.name === name ? [record] : [],
  );
}

function refuseLive(drafts: readonly IndexDraft[], name: string): void {
  const live = drafts.find(
    ({ touchedAt, builder: by }) => Date.now() - touchedAt < STALE_MS && isAlive(by),
  );
  if (live === undefined) return;
  const { pid, host } = live.builder;
  throw new BuildInProgress(name, ` by process ${pid}${host === hostname() ? '' : ` on ${host}`}`);
}
