/**
 * Two runs at a time while the model fails, and everything around them is killed, suspended, filled or
 * edited.
 *
 * CHAOS_QUESTIONS is how many questions there are in all; from 300 on everything lasts as long as it
 * would in production, over each server that can be a store, and the corpus is searched in an
 * Elasticsearch. CHAOS_ROUNDS is how often everything goes wrong: then for as long as there are
 * questions, unless it is said.
 */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import type { RunHandle } from '../../client/run.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { STORE_SERVERS } from '../stores/store-servers.js';
import { startElasticsearchNode } from '../support/elasticsearch-node.js';
import { isHere } from '../support/is-here.js';
import { answersOf, inventors, OPTIONS, undisturbed } from './answers.js';
import { type Disturbed, type Durations, disturb, disturbancesOf } from './disturbances.js';
import { FAULTS } from './fault-model.js';
import { sortRepeats } from './repeats.js';
import { PROMPTS, startStage } from './stage.js';

const QUESTIONS = Number(process.env.CHAOS_QUESTIONS ?? 40);
const IS_LONG = QUESTIONS >= 300;
const MINUTES = 60_000;

const DURATIONS: Durations = IS_LONG
  ? {
      suspended: 20_000,
      serverDown: 10_000,
      storeReadOnly: 60_000,
      diskFull: 60_000,
      providerDown: 180_000,
      edited: 30_000,
    }
  : {
      suspended: 7_000,
      serverDown: 2_000,
      storeReadOnly: 4_000,
      diskFull: 4_000,
      providerDown: 6_000,
      edited: 4_000,
    };
const BETWEEN_MS = IS_LONG ? 5_000 : 1_500;
/** Of everything that can go wrong; a short run ends in peace. */
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? (IS_LONG ? Number.POSITIVE_INFINITY : 1));

/** A question of SuRe with two candidates makes seven calls, one of Search-o1 three: half of each. */
const CALLS = (QUESTIONS / 2) * (7 + 3);
/** So that the runs last for as long as there is something left to go wrong. */
const REQUESTS_PER_MINUTE = IS_LONG ? Math.max(120, CALLS / 16) : CALLS / 4;

// How each server fails and comes back as a store is tested in test/stores; one is enough to see a
// worker live through it.
const servers = STORE_SERVERS.slice(0, IS_LONG ? undefined : 1);

test.for(servers.filter(({ found, get }) => isHere(found, get)))(
  'with $name loses no question, changes no answer and repeats no call it has the answer of',
  { timeout: 90 * MINUTES },
  async ({ found = '', start, takeWrites }, context) => {
    const store = await start(found);
    context.onTestFinished(() => store.remove());
    const search = IS_LONG ? await startElasticsearchNode() : undefined;
    context.onTestFinished(() => search?.remove());
    const stage = await startStage({ store, search });
    context.onTestFinished(() => stage.end());
    const { client, disk, home, model } = stage;
    if (!disk) expect(process.env.CI, 'no disk can be mounted that is filled').toBeUndefined();
    const elasticsearch = search && { url: search.url };
    const engine = await openSearch({ corpora: join(home, 'corpora'), elasticsearch });
    context.onTestFinished(() => engine.close());
    await ensureSampleCorpus(engine);

    const dataset = inventors(QUESTIONS / 2);
    const spec = {
      dataset,
      prompts: PROMPTS,
      options: OPTIONS,
      corpus: 'sample',
      limits: { callTimeoutSeconds: 10, attempts: 50 },
      // Few, so that there are questions left to begin whatever goes wrong.
      concurrency: IS_LONG ? 20 : 6,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      probeSeconds: IS_LONG ? 15 : 2,
    };
    const sure = await client.startRun({ ...spec, run: 'sure', method: 'sure' });
    const turns = await client.startRun({ ...spec, run: 'searchO1', method: 'searchO1' });
    // A store that takes no writes refuses a run that is only beginning, which costs nothing.
    await Promise.all([sure, turns].map(hasBegun));
    let over = false;
    const ended = Promise.all([sure, turns].map((handle) => handle.result())).finally(() => {
      over = true;
    });
    // It is awaited once the last thing that went wrong is over.
    ended.catch(() => undefined);
    const disturbances = disturbancesOf({ stage, run: sure, takeWrites }, DURATIONS, IS_LONG);
    const log = await disturb(disturbances, ROUNDS, BETWEEN_MS, () => over);
    // Nothing is left to go wrong: the limit, which held the runs back for that, has done its work.
    // It is one of the queue, which either of them keeps.
    const free = (handle: RunHandle) => handle.set({ requestsPerMinute: null });
    if (!IS_LONG) await Promise.all([sure, turns].map(free));
    await ended;

    const { inFlightAtKill, whileSuspended, unexplained } = sortRepeats(model.repeated(), log);
    await context.annotate(
      `${log.length} disturbances (${counted(log)}), ${model.server.requests.length} requests; repeated: ${inFlightAtKill.length} in flight at a kill, ${whileSuspended.length} while suspended, ${unexplained.length} others; faults: ${JSON.stringify(model.faults)}. ${measuredOn()}`,
    );
    const runs = fileRuns(join(home, 'runs'));
    for (const method of ['sure', 'searchO1'] as const) {
      const answers = await answersOf(runs, method);
      expect(answers).toEqual(await undisturbed(method, dataset, engine.corpora));
    }
    expect(unexplained).toEqual([]);
    // Everything that can go wrong did.
    const names = (all: readonly { name: string }[]) => [...new Set(all.map(({ name }) => name))];
    expect(names(log).sort()).toEqual(names(disturbances).sort());
    expect(Object.keys(model.faults).sort()).toEqual(Object.keys(FAULTS).sort());
    // What was edited was seen, and said.
    const edited = log.filter(({ name }) => name === 'prompt edited').map(({ said }) => said);
    expect(edited.join('\n')).toContain('prompts.validate.txt');
  },
);

/** "kill store 3, kill Temporal 6". */
function counted(log: readonly Disturbed[]): string {
  const names = log.map(({ name }) => name);
  const times = (one: string) => names.filter((name) => name === one).length;
  return [...new Set(names)].map((name) => `${name} ${times(name)}`).join(', ');
}

async function hasBegun(handle: RunHandle): Promise<void> {
  const begun = async () => expect((await handle.progress()).state).not.toBe('opening');
  await vi.waitFor(begun, { timeout: 10 * MINUTES, interval: 500 });
}
