/** Measures how well a provider's limit is kept and used, with and without the same limit on our side. */
import { Client } from '@temporalio/client';
import { createClient, type DurableRagClient } from '../client/create-client.js';
import { queueRates } from '../client/queue-rates.js';
import { modelQueue, TASK_QUEUE } from '../workflows/queue/task-queues.js';
import { benchFlags } from './flags.js';
import type { ProviderRequest, ProviderState } from './rates/provider.js';
import { type Figures, table } from './rates/report.js';
import { questions } from './speed/corpus.js';
import { type Remote, startRemote } from './speed/remote.js';
import { workerEnv } from './speed/worker-env.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/rates.js [--questions N] [--unpaced N] [--limit N] [--partitions N]
  --questions  how many are asked with the limit on our side (1000)
  --unpaced    how many are asked without (200)
  --limit      requests a minute of the provider (300)
  --partitions of each task queue (1, as the local stack has; a server by itself has 4)`;

const SEED = 5;
/** Questions under way at a time. */
const WINDOW = 100;
/** Of one call; the provider lets one in fifty hang. */
const CALL_TIMEOUT_SECONDS = 2;

interface Stage {
  client: DurableRagClient;
  provider: Remote<ProviderRequest, ProviderState>;
  limitOurs(requestsPerMinute: number | null): Promise<void>;
}

async function measure(
  { client, provider, limitOurs }: Stage,
  asked: string[],
  limit: number,
  paced: boolean,
): Promise<Figures> {
  await limitOurs(paced ? limit : null);
  await provider.ask({ limit });
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
  return { asked: asked.length, failed, limit, ...(await provider.ask({})) };
}

function onStage<T>(partitions: string, work: (stage: Stage) => Promise<T>): Promise<T> {
  const dynamicConfig = {
    'matching.numTaskqueueReadPartitions': partitions,
    'matching.numTaskqueueWritePartitions': partitions,
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

const { flags, number } = benchFlags(USAGE, {
  questions: '1000',
  unpaced: '200',
  limit: '300',
  partitions: '1',
});
const [limit, partitions] = [number(flags.limit), number(flags.partitions)];
const more = questions(SEED);
const take = (count: string) => Array.from({ length: number(count) }, () => more.next().value);
const figures = await onStage(`${partitions}`, async (stage) => ({
  paced: await measure(stage, take(flags.questions), limit, true),
  unpaced: await measure(stage, take(flags.unpaced), limit, false),
}));
console.log(table(figures, flags.partitions));
