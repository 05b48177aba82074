/**
 * A run on a cluster of Temporal, while the model fails, processes are killed and workers rolled.
 *
 * CLUSTER_QUESTIONS is how many questions there are; where it is set, they are asked in peace as well,
 * and what a question takes is told.
 */
import { expect, type TestContext, test } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import type { RunHandle } from '../../client/run.js';
import { openSearch } from '../../retrieval/open-search.js';
import { type Inventor, inventors, OPTIONS, undisturbed } from '../chaos/answers.js';
import type { Disturbed } from '../chaos/disturbances.js';
import { type FaultModel, startFaultModel } from '../chaos/fault-model.js';
import { sortRepeats } from '../chaos/repeats.js';
import type { RecordedRequest } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';
import { type Fleet, startFleet } from './fleet.js';
import { type Charge, mostIn } from './rates.js';
import { answered } from './run.js';
import { findInstalled, type Site, startSite } from './site.js';
import { bytesOf, cpuSeconds, perQuestion } from './sizes.js';

const QUESTIONS = Number(process.env.CLUSTER_QUESTIONS ?? 150);
const MINUTES = 60_000;
const WORKERS = 3;
const CALM = 'calm';
const STORMY = 'stormy';

/** Less than three workers make without a limit. */
const REQUESTS_PER_MINUTE = 1500;
/** Whose tokens are the limit of tokens. */
const CALLS_PER_MINUTE = 1200;
/** At most a window's part of a limit goes out in it, a second's worth more, and a tenth for jitter. */
const WINDOW_MS = 15_000;
const MOST_OF_LIMIT = ((WINDOW_MS + 1_000) / MINUTES) * 1.1;
/** Until every worker has found a limit of tokens that was set. */
const FOUND_MS = 4_000;

test(
  'a cluster loses no question, changes no answer and holds every limit',
  async (context) => {
    const installed = await findInstalled((text) => console.warn(text));
    if (typeof installed === 'string') {
      expect(process.env.CI, installed).toBeUndefined();
      return context.skip(installed);
    }
    const site = await startSite(installed, { deployments: [CALM, STORMY] });
    context.onTestFinished(() => site.end());
    const dataset = inventors(QUESTIONS);

    const search = await openSearch({ corpora: '', elasticsearch: { url: site.search.url } });
    context.onTestFinished(() => search.close());
    const expected = await undisturbed('sure', dataset, search.corpora);
    if (process.env.CLUSTER_QUESTIONS) {
      const before = await bytesOf(site);
      const calm = await run(context, site, { deployment: CALM, dataset });
      await context.annotate(
        `undisturbed: ${QUESTIONS} questions in ${calm.seconds} s; ` +
          `bytes a question: ${perQuestion(before, await bytesOf(site), QUESTIONS)}; ` +
          `milliseconds of a core a question: ${calm.cpu}. ${measuredOn()}`,
      );
      expect(calm.answers).toEqual(expected);
      expect(calm.model.repeated()).toEqual([]);
    }

    const log: Disturbed[] = [];
    let tokensPerMinute = 0;
    const stormy = await run(context, site, {
      ...{ deployment: STORMY, dataset, requestsPerMinute: REQUESTS_PER_MINUTE },
      async disturb(scene) {
        tokensPerMinute = await storm({ ...scene, site }, log);
      },
    });
    const { requests } = stormy.model.server;
    const repeats = sortRepeats(stormy.model.repeated(), log);
    const limited = log.find(({ name }) => name === LIMIT_TOKENS) ?? { from: 0, to: 0 };
    const requestsUsed = mostIn(
      charges(requests, () => 1).filter(({ at }) => at < limited.from),
      WINDOW_MS,
    );
    const tokensUsed = mostIn(
      charges(stormy.model.answered(), tokensOf).filter(({ at }) => at > limited.to + FOUND_MS),
      WINDOW_MS,
    );
    await context.annotate(
      `disturbed: ${stormy.seconds} s, ${requests.length} requests, faults: ${JSON.stringify(stormy.model.faults)}; ` +
        `repeated: ${repeats.inFlightAtKill.length} in flight at a kill, ${repeats.unexplained.length} others; ` +
        `most in ${WINDOW_MS / 1000} s, as shares of its part of the limit: ` +
        `requests ${share(requestsUsed, REQUESTS_PER_MINUTE)}, tokens ${share(tokensUsed, tokensPerMinute)}; ` +
        log.map(({ name, from, to }) => `${name} ${((to - from) / 1000).toFixed(1)} s`).join(', '),
    );

    expect(stormy.answers).toEqual(expected);
    expect(repeats.unexplained).toEqual([]);
    expect(requestsUsed).toBeGreaterThan(0);
    expect(requestsUsed).toBeLessThan(REQUESTS_PER_MINUTE * MOST_OF_LIMIT);
    expect(tokensUsed).toBeGreaterThan(0);
    expect(tokensUsed).toBeLessThan(tokensPerMinute * MOST_OF_LIMIT);
  },
  60 * MINUTES,
);

interface Scene {
  handle: RunHandle;
  fleet: Fleet;
  model: FaultModel;
}

interface RunOptions {
  deployment: string;
  dataset: Inventor[];
  requestsPerMinute?: number;
  /** Lets things go wrong while the run goes; without it, nothing does. */
  disturb?: (scene: Scene) => Promise<void>;
}

interface Ended {
  answers: unknown[];
  model: FaultModel;
  seconds: number;
  /** Milliseconds of a core a question, by part. */
  cpu: string;
}

/** Runs SuRe on workers of a deployment of its own. */
async function run(
  { onTestFinished }: TestContext,
  site: Site,
  { deployment, dataset, requestsPerMinute, disturb }: RunOptions,
): Promise<Ended> {
  const model = await startFaultModel(disturb !== undefined);
  onTestFinished(() => model.server.close());
  const { baseUrl } = model.server;
  const fleet = await startFleet({ site, deployment, model: baseUrl, workers: WORKERS });
  onTestFinished(() => fleet.end());
  const handle = await fleet.client.startRun({
    ...{ run: deployment, method: 'sure', dataset, options: OPTIONS, concurrency: 40 },
    corpus: 'sample',
    // A model that hangs is given up soon, but not one that waits for a worker on a busy machine.
    ...(disturb && { limits: { callTimeoutSeconds: 20, attempts: 50 } }),
    ...(requestsPerMinute && { requestsPerMinute }),
  });
  const [from, cpuBefore] = [Date.now(), await cpuSeconds()];
  const ended = handle.result();
  // It is awaited once the last thing that went wrong is over.
  ended.catch(() => undefined);
  await disturb?.({ handle, fleet, model });
  await ended;
  const seconds = Math.round((Date.now() - from) / 1000);
  const cpu = perQuestion(cpuBefore, await cpuSeconds(), QUESTIONS / 1000);
  const answers = await fleet.answers(deployment);
  await fleet.end();
  return { answers, model, seconds, cpu };
}

const LIMIT_TOKENS = 'limit of tokens in place of requests';

/**
 * What goes wrong, and the share of the questions that are answered when it does.
 *
 * @returns The limit of tokens a minute that the run has in the end.
 */
async function storm(
  { handle, fleet, model, site }: Scene & { site: Site },
  log: Disturbed[],
): Promise<number> {
  let tokensPerMinute = 0;
  const kill = (share: number, name: string) => ({
    ...{ share, name: `kill ${name}` },
    run: () => site.temporal.kill(name),
  });
  const events = [
    { share: 0.1, name: 'kill worker', run: fleet.killOne },
    kill(0.2, 'history 1'),
    kill(0.3, 'matching 1'),
    {
      ...{ share: 0.4, name: LIMIT_TOKENS },
      run: () => {
        const taken = model.answered().map(tokensOf);
        tokensPerMinute = Math.round((sum(taken) / taken.length) * CALLS_PER_MINUTE);
        return handle.set({ requestsPerMinute: null, tokensPerMinute });
      },
    },
    kill(0.45, 'frontend 1'),
    {
      ...{ share: 0.5, name: 'roll' },
      run: async () => expect(await fleet.roll()).toEqual(Array(WORKERS).fill(0)),
    },
  ];
  for (const { share, name, run } of events) {
    await answered(fleet.client, handle.run, share * QUESTIONS);
    const from = Date.now();
    await run();
    log.push({ name, from, to: Date.now() });
  }
  return tokensPerMinute;
}

function charges(
  requests: readonly RecordedRequest[],
  amount: (request: RecordedRequest) => number,
): Charge[] {
  return requests.map((request) => ({ at: request.startedAt, amount: amount(request) }));
}

/** Of the prompt, as the model counts them. */
function tokensOf({ body }: RecordedRequest): number {
  return Math.ceil(promptOf(body).length / 4);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, number) => before + number, 0);
}

function share(used: number, perMinute: number): string {
  return (used / ((perMinute * WINDOW_MS) / MINUTES)).toFixed(3);
}
