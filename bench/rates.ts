/**
 * Measures how well a provider's limit is kept and used, with and without the same limit on our
 * side; with --shares, how runs and tenants share it; or with --account, what counting calls costs.
 */
import { Client } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../client/create-client.js';
import { queueRates } from '../client/queue-rates.js';
import { modelQueue, TASK_QUEUE } from '../workflows/queue/task-queues.js';
import { figuresTable } from './figures-table.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { measureAccount } from './rates/account.js';
import type { ProviderRequest, ProviderState } from './rates/provider.js';
import { measureShares } from './rates/shares.js';
import { questions } from './speed/corpus.js';
import { type Remote, startRemote } from './speed/remote.js';
import { workerEnv } from './speed/worker-env.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/rates.js [--partitions N | --shares yes | --account yes]
  --partitions  of each task queue (1, as the local stack has; a server by itself has 4)
  --shares      measures how runs and tenants share a limit, and nothing else
  --account     measures what the account of calls by tenant costs, and nothing else`;

/** Requests a minute of the provider. */
const LIMIT = 300;
/** Asked with the limit on our side, and without. */
const QUESTIONS = { paced: 1000, unpaced: 200 };
const SEED = 5;
/** Questions under way at a time. */
const WINDOW = 100;
/** Of one call; the provider lets one in fifty hang. */
const CALL_TIMEOUT_SECONDS = 2;

interface Figures extends ProviderState {
  asked: number;
  /** Questions that failed. */
  failed: number;
}

interface Stage {
  client: DurableRagClient;
  provider: Remote<ProviderRequest, ProviderState>;
  limitOurs(requestsPerMinute: number | null): Promise<void>;
}

async function measure(
  { client, provider, limitOurs }: Stage,
  asked: string[],
  ourLimit: number | null,
): Promise<Figures> {
  await limitOurs(ourLimit);
  await provider.ask({ limit: LIMIT });
  const waiting = [...asked];
  let failed = 0;
  async function askOnes() {
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      const { outcome } = await client.ask('base', {
        question,
        // From what the model knows: nothing but the call itself.
        options: { passages: 0 },
        limits: { callTimeoutSeconds: CALL_TIMEOUT_SECONDS, refusals: 10_000 },
      });
      if (outcome === 'failed') failed++;
    }
  }
  await Promise.all(Array.from({ length: WINDOW }, askOnes));
  return { asked: asked.length, failed, ...(await provider.ask({})) };
}

function onStage<T>(partitions: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  const dynamicConfig = {
    'matching.numTaskqueueReadPartitions': `${partitions}`,
    'matching.numTaskqueueWritePartitions': `${partitions}`,
  };
  return onTemporal(async ({ folder, temporal, connection, takeDown }) => {
    const provider = await startRemote<ProviderRequest, ProviderState>('../rates/provider.js');
    takeDown(() => provider.stop());
    const { baseUrl } = await provider.ask({});
    const env = workerEnv({ folder, temporal }, baseUrl, 'mock-1');
    const worker = await startRemote('worker.js', env);
    takeDown(() => worker.stop());
    const rates = queueRates(new Client({ connection }));
    return work({
      client: await createClient({ connection, namespace: 'default', taskQueue: TASK_QUEUE }),
      provider,
      limitOurs: (perMinute) => rates.set(modelQueue(TASK_QUEUE), perMinute),
    });
  }, dynamicConfig);
}

/** The table of both, in Markdown. */
function table({ paced, unpaced }: Record<'paced' | 'unpaced', Figures>): string {
  const row = (name: string, goal: string, of: (figures: Figures) => string | number) => [
    name,
    `${of(paced)}`,
    goal,
    `${of(unpaced)}`,
  ];
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return figuresTable([
    ['', 'limit set on our side', 'goal', 'not set'],
    row('questions', '', ({ asked }) => asked),
    row('questions that failed', '0', ({ failed }) => failed),
    row('share of calls refused', '< 1 %', ({ refused, taken }) =>
      percent(refused / (refused + taken)),
    ),
    row('share of the limit used', '>= 97 %', ({ taken, lastedMs }) =>
      percent(taken / ((LIMIT * lastedMs) / 60_000)),
    ),
    row('seconds', '', ({ lastedMs }) => (lastedMs / 1000).toFixed(0)),
  ]);
}

const { flags, number } = benchFlags(USAGE, {
  partitions: '1',
  shares: undefined,
  account: undefined,
});
if (flags.shares !== undefined) {
  console.log(`${measuredOn()}\n\n${await measureShares()}`);
  process.exit();
}
if (flags.account !== undefined) {
  console.log(`${measuredOn()}\n\n${await measureAccount()}`);
  process.exit();
}
const partitions = number(flags.partitions);
const more = questions(SEED);
const take = (count: number) => Array.from({ length: count }, () => more.next().value);
const figures = await onStage(partitions, async (stage) => ({
  paced: await measure(stage, take(QUESTIONS.paced), LIMIT),
  unpaced: await measure(stage, take(QUESTIONS.unpaced), null),
}));
console.log(`${measuredOn(`partitions of a task queue: ${partitions}`)}\n\n${table(figures)}`);
