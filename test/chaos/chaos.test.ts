/**
 * Batches while the model fails, and everything around them is killed, suspended, filled or edited.
 *
 * CHAOS_QUESTIONS is how many questions there are in all; from a thousand on everything lasts as long as
 * it would in production.
 */
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import type { BatchHandle } from '../../client/batch.js';
import { fileRuns } from '../../results/file-runs.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { findPostgres, findRedis, startPostgres, startRedis } from '../stores/servers.js';
import { postgresTakesWrites, redisTakesWrites, type TakeWrites } from '../stores/take-writes.js';
import { comparable } from './comparable.js';
import { type Disturbed, type Durations, disturb, disturbancesOf } from './disturbances.js';
import { FAULTS } from './fault-model.js';
import { sortRepeats } from './repeats.js';
import { startStage, writeQuestions } from './stage.js';

const QUESTIONS = Number(process.env.CHAOS_QUESTIONS ?? 40);
const IS_LONG = QUESTIONS >= 1000;
const MINUTES = 60_000;

const DURATIONS: Durations = IS_LONG
  ? {
      suspended: 20_000,
      storeDown: 10_000,
      storeReadOnly: 60_000,
      diskFull: 60_000,
      providerDown: 180_000,
      edited: 30_000,
    }
  : {
      suspended: 7_000,
      storeDown: 2_000,
      storeReadOnly: 4_000,
      diskFull: 4_000,
      providerDown: 6_000,
      edited: 4_000,
    };
const BETWEEN_MS = IS_LONG ? 5_000 : 1_500;
/** Of everything that can go wrong; a short run ends in peace. */
const ROUNDS = IS_LONG ? Number.POSITIVE_INFINITY : 1;

/** A question of SuRe with two candidates makes seven calls, one of HyDE two: half of each. */
const CALLS = (QUESTIONS / 2) * (7 + 2);
/** So that the batches last for as long as there is something left to go wrong. */
const REQUESTS_PER_MINUTE = Math.ceil(CALLS / (IS_LONG ? 20 : 1.5) / 2);

const STORES: Record<string, [() => Promise<Store | string>, TakeWrites]> = {
  Redis: [
    async () => {
      const binary = findRedis();
      return binary
        ? startRedis(binary, 'secret')
        : 'needs redis-server (apt install redis-server)';
    },
    redisTakesWrites,
  ],
  PostgreSQL: [
    async () => {
      const bin = findPostgres();
      return bin ? startPostgres(bin, 'secret') : 'needs PostgreSQL (apt install postgresql)';
    },
    postgresTakesWrites,
  ],
};
type Store = Awaited<ReturnType<typeof startRedis>>;

test.for(Object.entries(STORES))(
  'with %s loses no question, changes no answer and repeats no call it has the answer of',
  { timeout: 90 * MINUTES },
  async ([, [start, takeWrites]], context) => {
    const store = await start();
    if (typeof store === 'string') {
      expect(process.env.CI, store).toBeUndefined();
      return context.skip(store);
    }
    context.onTestFinished(() => store.remove());
    const disturbed = await runBatches(context, { store, takeWrites });
    const undisturbed = await runBatches(context, undefined);
    const { log, faults, requests } = disturbed;
    const { inFlightAtKill, whileSuspended, unexplained } = sortRepeats(disturbed.repeated, log);
    await context.annotate(
      `${log.length} disturbances (${[...new Set(log.map(({ name }) => name))].join(', ')}), ${requests} requests; repeated: ${inFlightAtKill.length} in flight at a kill, ${whileSuspended.length} while suspended, ${unexplained.length} others; faults: ${JSON.stringify(faults)}`,
    );

    expect(disturbed.answers).toHaveLength(QUESTIONS);
    expect(disturbed.answers).toEqual(undisturbed.answers);
    expect(unexplained).toEqual([]);
    expect(undisturbed.repeated).toEqual([]);
    // Everything that can go wrong did.
    expect([...new Set(log.map(({ name }) => name))].sort()).toEqual(disturbed.names);
    expect(Object.keys(faults).sort()).toEqual(Object.keys(FAULTS).sort());
  },
);

interface Trouble {
  store: Store;
  takeWrites: TakeWrites;
}

/** Runs a batch of SuRe beside one of HyDE, with everything going wrong or nothing. */
async function runBatches({ onTestFinished }: TestContext, trouble: Trouble | undefined) {
  const stage = await startStage({ faulty: trouble !== undefined, store: trouble?.store });
  onTestFinished(() => stage.end());
  if (!stage.disk) expect(process.env.CI, 'no disk can be mounted that is filled').toBeUndefined();
  const { client, home, model } = stage;
  await ensureSampleCorpus(await openSearch({ corpora: join(home, 'corpora') }));
  const dataset = await writeQuestions(home, QUESTIONS / 2);
  const rate = trouble ? { requestsPerMinute: REQUESTS_PER_MINUTE } : {};
  const batch = { dataset, limits: { callTimeoutSeconds: 10, attempts: 50 }, ...rate };
  const handles = [
    await client.startBatch({ ...batch, run: 'sure', method: 'sure', options: { passages: 2 } }),
    await client.startBatch({ ...batch, run: 'hyde', method: 'hyde', options: { passages: 2 } }),
  ];
  // A store that takes no writes refuses a run that is only beginning, which costs nothing.
  await Promise.all(handles.map(hasBegun));
  let over = false;
  const ended = Promise.all(handles.map((handle) => handle.result())).finally(() => {
    over = true;
  });
  // It is awaited once the last thing that went wrong is over.
  ended.catch(() => undefined);
  const disturbances = trouble ? disturbancesOf(stage, trouble.takeWrites, DURATIONS) : [];
  const log: Disturbed[] = trouble
    ? await disturb(disturbances, ROUNDS, BETWEEN_MS, () => over)
    : [];
  await ended;
  const runs = fileRuns(join(home, 'runs'));
  const answers: unknown[] = [];
  for (const run of ['sure', 'hyde']) {
    for await (const { question } of runs.questions(run)) {
      answers.push(comparable(await runs.get(run, question.id)));
    }
  }
  const repeated = model.repeated();
  const names = [...new Set(disturbances.map(({ name }) => name))].sort();
  const requests = model.server.requests.length;
  await stage.end();
  return { answers, log, names, repeated, requests, faults: model.faults };
}

async function hasBegun(handle: BatchHandle): Promise<void> {
  const state = () => handle.progress().then((progress) => progress.state);
  await expect.poll(state, { timeout: MINUTES, interval: 500 }).not.toBe('opening');
}
