/** What goes wrong around a run on a cluster, and how much of its limits is used meanwhile. */
import { expect, type TestContext } from 'vitest';
import type { RunHandle } from '../../client/run.js';
import { type Inventor, OPTIONS } from '../chaos/answers.js';
import type { Disturbed } from '../chaos/disturbances.js';
import { type FaultModel, startFaultModel } from '../chaos/fault-model.js';
import type { RecordedRequest } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';
import { type Fleet, startFleet } from './fleet.js';
import { mostIn } from './rates.js';
import { answered } from './run.js';
import type { Site } from './site.js';
import { cpuSeconds, perQuestion } from './sizes.js';

const WORKERS = 2;
const MINUTE_MS = 60_000;

/** Of tokens: so many calls a minute take them. */
const CALLS_PER_MINUTE = 640;
/** At most a window's part of a limit goes out in it, a second's worth more, and a tenth for jitter. */
const WINDOW_MS = 15_000;
const MOST_OF_PART = ((WINDOW_MS + 1_000) / WINDOW_MS) * 1.1;
/** Until every worker has found a limit of tokens that was set. */
const FOUND_MS = 4_000;

export interface Scene {
  handle: RunHandle;
  fleet: Fleet;
  model: FaultModel;
}

export interface RunOptions {
  deployment: string;
  dataset: readonly Inventor[];
  requestsPerMinute?: number;
  /** Lets things go wrong while the run goes; without it, nothing does. */
  disturb?: (scene: Scene) => Promise<Stormed>;
}

export interface Stormed {
  log: Disturbed[];
  /** The limit that the run has in the end. */
  tokensPerMinute: number;
}

/** Runs SuRe on workers of a deployment of its own. */
export async function runOn(
  { onTestFinished }: TestContext,
  site: Site,
  { deployment, dataset, requestsPerMinute, disturb }: RunOptions,
) {
  const model = await startFaultModel(disturb !== undefined);
  onTestFinished(() => model.server.close());
  const { baseUrl } = model.server;
  const fleet = await startFleet({ site, deployment, model: baseUrl, workers: WORKERS });
  onTestFinished(() => fleet.end());
  const handle = await fleet.client.startRun({
    run: deployment,
    method: 'sure',
    dataset: [...dataset],
    options: OPTIONS,
    corpus: 'sample',
    concurrency: 40,
    // A model that hangs is given up soon, but not one that waits for a worker on a busy machine.
    ...(disturb && { limits: { callTimeoutSeconds: 20, attempts: 50 } }),
    ...(requestsPerMinute && { requestsPerMinute }),
  });
  const [from, cpuBefore] = [Date.now(), await cpuSeconds()];
  const ended = handle.result();
  // It is awaited once the last thing that went wrong is over.
  ended.catch(() => undefined);
  const stormed = await disturb?.({ handle, fleet, model });
  await ended;
  const seconds = Math.round((Date.now() - from) / 1000);
  /** Milliseconds of a core a question, by part. */
  const cpu = perQuestion(cpuBefore, await cpuSeconds(), dataset.length / 1000);
  const answers = await fleet.answers(deployment);
  await fleet.end();
  return { answers, model, seconds, cpu, stormed };
}

const LIMIT_TOKENS = 'limit of tokens in place of requests';

/** What goes wrong, and the share of the questions that are answered when it does. */
export async function storm({
  handle,
  fleet,
  model,
  site,
  questions,
}: Scene & { site: Site; questions: number }): Promise<Stormed> {
  const log: Disturbed[] = [];
  let tokensPerMinute = 0;
  const kill = (share: number, name: string) => ({
    share,
    name: `kill ${name}`,
    run: () => site.temporal.kill(name),
  });
  const events = [
    { share: 0.1, name: 'kill worker', run: fleet.killOne },
    kill(0.2, 'history 1'),
    kill(0.3, 'matching 1'),
    {
      share: 0.4,
      name: LIMIT_TOKENS,
      run: () => {
        const taken = model.answered().map(tokensOf);
        const each = taken.reduce((sum, tokens) => sum + tokens, 0) / taken.length;
        tokensPerMinute = Math.round(each * CALLS_PER_MINUTE);
        return handle.set({ requestsPerMinute: null, tokensPerMinute });
      },
    },
    kill(0.45, 'frontend 1'),
    {
      share: 0.5,
      name: 'roll',
      run: async () => expect(await fleet.roll()).toEqual(Array(WORKERS).fill(0)),
    },
  ];
  for (const { share, name, run } of events) {
    await answered(fleet.client, handle.run, share * questions);
    const from = Date.now();
    await run();
    log.push({ name, from, to: Date.now() });
  }
  return { log, tokensPerMinute };
}

/** The most that went out in a window, as shares of the window's part of each limit. */
export function usedOfLimits(
  model: FaultModel,
  { log, tokensPerMinute }: Stormed,
  requestsPerMinute: number,
) {
  const limited = log.find(({ name }) => name === LIMIT_TOKENS) ?? { from: 0, to: 0 };
  const share = (
    requests: readonly RecordedRequest[],
    amount: (request: RecordedRequest) => number,
    perMinute: number,
  ) => {
    const charges = requests.map((one) => ({ at: one.startedAt, amount: amount(one) }));
    return Number((mostIn(charges, WINDOW_MS) / ((perMinute * WINDOW_MS) / MINUTE_MS)).toFixed(3));
  };
  const before = model.server.requests.filter(({ startedAt }) => startedAt < limited.from);
  const after = model.answered().filter(({ startedAt }) => startedAt > limited.to + FOUND_MS);
  return {
    requests: share(before, () => 1, requestsPerMinute),
    tokens: share(after, tokensOf, tokensPerMinute),
    /** Each may be. */
    most: MOST_OF_PART,
  };
}

/** Of the prompt, as the model counts them. */
function tokensOf({ body }: RecordedRequest): number {
  return Math.ceil(promptOf(body).length / 4);
}
