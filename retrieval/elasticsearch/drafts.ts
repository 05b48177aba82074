/** Indices under construction: one builder at a time; the work of a dead one is continued. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { isAlive } from '../../core/is-alive.js';
import { BuildInProgress } from '../build-lock.js';
import { INDEX_FORMAT } from '../manifest.js';
import type { ElasticsearchConnection } from './connection.js';
import {
  type Analysis,
  createIndex,
  type Draft,
  deleteIndex,
  findIndices,
  indexName,
  writeDraft,
} from './indices.js';

/** A live builder touches its draft every 5 s; untouched for a minute it is taken for dead. */
const TOUCH_MS = 5_000;
const STALE_MS = 60_000;

/** What two builds must share so that one can continue the other. */
export type DraftPlan = Pick<Draft, 'name' | 'embedding'> & { tokenizer: Analysis };

/**
 * Continues an interrupted build of the same plan, or starts a new one; removes the remains of
 * other dead builds.
 *
 * @throws BuildInProgress if a live builder is working on it.
 */
export async function claimDraft(
  connection: ElasticsearchConnection,
  plan: DraftPlan,
  signal: AbortSignal,
): Promise<Draft> {
  const left = await findDrafts(connection, plan.name, signal);
  refuseLive(left, plan.name);
  const fitting = left
    .filter(({ passages }) => passages > 0)
    .filter((draft) => isDeepStrictEqual(draft.tokenizer, plan.tokenizer))
    .filter((draft) => isDeepStrictEqual(draft.embedding, plan.embedding))
    .sort((a, b) => b.passages - a.passages)[0];
  for (const draft of left) {
    if (draft !== fitting) await deleteIndex(connection, indexName(draft));
  }
  if (fitting === undefined) return newDraft(connection, plan, signal);
  const ours = { ...fitting, ...builder() };
  await writeDraft(connection, ours, signal);
  return ours;
}

/** Starts a build from nothing. @throws BuildInProgress when another started a moment before. */
export async function newDraft(
  connection: ElasticsearchConnection,
  { name, tokenizer, embedding }: DraftPlan,
  signal: AbortSignal,
): Promise<Draft> {
  const draft: Draft = {
    state: 'building',
    format: INDEX_FORMAT,
    name,
    build: randomUUID(),
    tokenizer: { ...tokenizer },
    ...(embedding ? { embedding } : {}),
    ...builder(),
    passages: 0,
    fingerprint: '',
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

/** Keeps a draft alive, and records its progress. */
export function keepDraft(connection: ElasticsearchConnection, draft: Draft) {
  const { passages, fingerprint } = draft;
  let writing: Promise<void> = Promise.resolve();
  const write = (touchedAt: number) => {
    const { passages, fingerprint } = keeper;
    // A failed write is repeated with the next.
    writing = writing
      .then(() => writeDraft(connection, { ...draft, passages, fingerprint, touchedAt }))
      .catch(() => {});
    return writing;
  };
  const timer = setInterval(() => void write(Date.now()), TOUCH_MS);
  const keeper = {
    /** All passages up to here are written, with their fingerprint. */
    passages,
    fingerprint,
    /** Writes a last checkpoint; another build may continue from it at once. */
    async release(): Promise<void> {
      clearInterval(timer);
      await write(0);
    },
    /** Stops; nothing is written after it. */
    async settle(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
  return keeper;
}

async function findDrafts(
  connection: ElasticsearchConnection,
  name: string,
  signal: AbortSignal,
): Promise<Draft[]> {
  const indices = await findIndices(connection, `${name}-*`, signal);
  return indices.flatMap(({ record }) =>
    record?.state === 'building' && record.name === name ? [record] : [],
  );
}

function refuseLive(drafts: readonly Draft[], name: string): void {
  const live = drafts.find(
    ({ touchedAt, builder: by }) => Date.now() - touchedAt < STALE_MS && isAlive(by),
  );
  if (live === undefined) return;
  const { pid, host } = live.builder;
  throw new BuildInProgress(name, ` by process ${pid}${host === hostname() ? '' : ` on ${host}`}`);
}

function builder(): Pick<Draft, 'builder' | 'touchedAt'> {
  return { builder: { pid: process.pid, host: hostname() }, touchedAt: Date.now() };
}
