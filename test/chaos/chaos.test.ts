/**
 * Batches while the model fails, and everything around them is killed, suspended, filled or edited.
 *
 * CHAOS_QUESTIONS is how many questions there are in all; from 300 on everything lasts as long as it
 * would in production, and the corpus is searched in an Elasticsearch. CHAOS_ROUNDS is how often
 * everything goes wrong: then for as long as there are questions, unless it is said.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import type { RunHandle } from '../../client/run.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { modelQueue, TASK_QUEUE } from '../../workflows/queue/task-queues.js';
import type { TestServer } from '../stores/servers.js';
import type { TakeWrites } from '../stores/take-writes.js';
import { type ElasticsearchNode, startElasticsearchNode } from '../support/elasticsearch-node.js';
import { comparable } from './comparable.js';
import { type Disturbed, type Durations, disturb, disturbancesOf } from './disturbances.js';
import { FAULTS } from './fault-model.js';
import { sortRepeats } from './repeats.js';
import { inventors, PROMPTS, type Stage, startStage } from './stage.js';
import { removeStore } from './store-removed.js';
import { STORE_SERVERS } from './store-servers.js';
import { killUnlimited, queuesOfCalls } from './unlimited.js';

const QUESTIONS = Number(process.env.CHAOS_QUESTIONS ?? 40);
const IS_LONG = QUESTIONS >= 300;
const MINUTES = 60_000;

/** Short ones wait for most of their time; long ones share a search engine, which they kill. */
const SIDE_BY_SIDE = { timeout: 90 * MINUTES, concurrent: !IS_LONG };

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

/** A question of SuRe with two candidates makes seven calls, one of HyDE two: half of each. */
const CALLS = (QUESTIONS / 2) * (7 + 2);
/** So that the batches last for as long as there is something left to go wrong. */
const REQUESTS_PER_MINUTE = IS_LONG ? Math.max(120, CALLS / 16) : CALLS / 4;

/** Runs on a folder, with nothing going wrong. */
let undisturbed: Awaited<ReturnType<typeof askRuns>>;
let search: ElasticsearchNode | undefined;
const stages: Stage[] = [];
beforeAll(async () => {
  if (IS_LONG) search = await startElasticsearchNode();
  undisturbed = await askRuns(undefined);
}, 30 * MINUTES);
afterAll(async () => {
  await Promise.all(stages.map((stage) => stage.end()));
  await search?.remove();
});

test.for(Object.entries(STORE_SERVERS))(
  'with %s loses no question, changes no answer and repeats no call it has the answer of',
  SIDE_BY_SIDE,
  async ([, { start, takeWrites }], context) => {
    const store = await start();
    if (typeof store === 'string') {
      expect(process.env.CI, store).toBeUndefined();
      return context.skip(store);
    }
    context.onTestFinished(() => store.remove());
    const { answers, log, faults, names, queues, requests, repeated } = await askRuns({
      store,
      takeWrites,
    });
    const { inFlightAtKill, whileSuspended, unexplained } = sortRepeats(repeated, log);
    await context.annotate(
      `${log.length} disturbances (${counted(log)}), ${requests} requests; repeated: ${inFlightAtKill.length} in flight at a kill, ${whileSuspended.length} while suspended, ${unexplained.length} others; faults: ${JSON.stringify(faults)}. ${measuredOn()}`,
    );

    expect(answers).toHaveLength(QUESTIONS);
    expect(answers).toEqual(undisturbed.answers);
    expect(unexplained).toEqual([]);
    expect(undisturbed.repeated).toEqual([]);
    // Everything that can go wrong did.
    expect([...new Set(log.map(({ name }) => name))].sort()).toEqual(names);
    expect(Object.keys(faults).sort()).toEqual(Object.keys(FAULTS).sort());
    // Calls were on both queues: with a limit of requests and without.
    const both = [TASK_QUEUE, modelQueue(TASK_QUEUE)];
    expect(queues).toEqual(IS_LONG ? [modelQueue(TASK_QUEUE)] : both);
    // What was edited was seen, and said.
    expect(saidTo('prompt edited', log)).toContain('prompts.validate.txt');
  },
);

test(
  'with a folder that is removed loses no question, and counts what is paid again',
  SIDE_BY_SIDE,
  async (context) => {
    const { answers, answered, failed, paid, removed, repeated } = await askRuns('removed');
    await context.annotate(
      `removed with ${removed?.from} requests begun, ${removed?.to} when the workers were killed; ${answered} answered, ${paid} counted, ${repeated.length} repeated. ${measuredOn()}`,
    );
    // Once it is gone nothing more is asked than what was under way.
    expect(removed?.after).toBe(removed?.to);
    expect(answers).toEqual(undisturbed.answers);
    expect(failed).toBe(0);
    expect(paid).toBe(answered);
  },
);

interface Trouble {
  store: TestServer;
  takeWrites: TakeWrites;
}

/** Carries out a run of SuRe beside one of HyDE, with everything going wrong, one thing, or nothing. */
async function askRuns(given: Trouble | 'removed' | undefined) {
  const trouble = given === 'removed' ? undefined : given;
  const stage = await startStage({ faulty: trouble !== undefined, store: trouble?.store, search });
  stages.push(stage);
  if (!stage.disk) expect(process.env.CI, 'no disk can be mounted that is filled').toBeUndefined();
  const { client, home, model } = stage;
  const elasticsearch = search && { url: search.url };
  const engine = await openSearch({ corpora: join(home, 'corpora'), elasticsearch });
  await ensureSampleCorpus(engine);
  await engine.close();
  const dataset = inventors(QUESTIONS / 2);
  const spec = {
    ...{ dataset, prompts: PROMPTS, options: { passages: 2 }, corpus: 'sample' },
    limits: { callTimeoutSeconds: 10, attempts: 50 },
    // Few, so that there are questions left to begin whatever goes wrong.
    ...(given && { concurrency: IS_LONG ? 20 : 6 }),
    ...(trouble && IS_LONG && { requestsPerMinute: REQUESTS_PER_MINUTE }),
    probeSeconds: IS_LONG ? 15 : 2,
  };
  const sure = await client.startRun({ ...spec, run: 'sure', method: 'sure' });
  const hyde = await client.startRun({ ...spec, run: 'hyde', method: 'hyde' });
  // A store that takes no writes refuses a run that is only beginning, which costs nothing.
  await Promise.all([sure, hyde].map(hasBegun));
  let over = false;
  const ended = Promise.all([sure, hyde].map((handle) => handle.result())).finally(() => {
    over = true;
  });
  // It is awaited once the last thing that went wrong is over.
  ended.catch(() => undefined);
  const removed = given === 'removed' ? await removeStore(stage) : undefined;
  const scene = { stage, run: sure };
  const disturbances = trouble
    ? disturbancesOf({ ...scene, takeWrites: trouble.takeWrites }, DURATIONS)
    : [];
  // A short run begins without a limit: its first calls are begun by their questions' workers.
  const first = trouble && !IS_LONG ? [await killUnlimited(stage, sure, REQUESTS_PER_MINUTE)] : [];
  const log = [...first, ...(await disturb(disturbances, ROUNDS, BETWEEN_MS, () => over))];
  // Nothing is left to go wrong: the limit, which held the runs back for that, has done its work.
  if (first.length > 0) await sure.set({ requestsPerMinute: null });
  const progresses = await ended;
  const runs = fileRuns(join(home, 'runs'));
  const answers: unknown[] = [];
  const asked: string[] = [];
  for (const { run } of [sure, hyde]) {
    for await (const { question } of runs.questions(run)) {
      const answer = await runs.get(run, question.id);
      answers.push(comparable(answer));
      if (run === 'sure' && answer?.result) asked.push(answer.result.workflowId);
    }
  }
  const queues = await queuesOfCalls(stage.connection, asked, 'generateCandidates');
  const repeated = model.repeated();
  const names = [...new Set(disturbances.map(({ name }) => name))].sort();
  const requests = model.server.requests.length;
  const answered = model.answered().length;
  const failed = progresses.reduce((sum, { outcomes }) => sum + outcomes.failed, 0);
  const paid = progresses.reduce((sum, { usage }) => sum + usage.calls - usage.cachedCalls, 0);
  await stage.end();
  return {
    answered,
    failed,
    paid,
    removed,
    answers,
    log,
    names,
    queues,
    repeated,
    requests,
    faults: model.faults,
  };
}

/** "kill store 3, kill Temporal 6". */
function counted(log: readonly Disturbed[]): string {
  const names = log.map(({ name }) => name);
  const times = (one: string) => names.filter((name) => name === one).length;
  return [...new Set(names)].map((name) => `${name} ${times(name)}`).join(', ');
}

function saidTo(what: string, log: readonly Disturbed[]): string {
  return log.map(({ name, said }) => (name === what && said) || '').join('\n');
}

async function hasBegun(handle: RunHandle): Promise<void> {
  const begun = async () => expect((await handle.progress()).state).not.toBe('opening');
  await vi.waitFor(begun, { timeout: 10 * MINUTES, interval: 500 });
}
