/**
 * How a run by batch stays as it began, however many questions it has: histories, memory, and the
 * time that is our own. Asked for by HALF_PRICE_LARGE, which is how many questions there are.
 */
import { expect, test } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import { type ProcessUsage, usageOf } from './process-usage.js';
import { type HalfPriceStage, startHalfPriceStage } from './stage.js';

const QUESTIONS = Number(process.env.HALF_PRICE_LARGE ?? 0);
const HOURS = 3_600_000;
const LOOK_MS = 10_000;

const transport = { waitSeconds: 20, size: 5000, patienceSeconds: 6 * 3600 };

interface Moment {
  seconds: number;
  done: number;
  running: number;
  batches: number;
  workers: ProcessUsage;
  server: ProcessUsage;
}

test.runIf(QUESTIONS > 0)('a large run', { timeout: 4 * HOURS }, async (context) => {
  const stage = await startHalfPriceStage(QUESTIONS, (n) =>
    n === 1 ? { expires: 0.6 } : undefined,
  );
  context.onTestFinished(() => stage.end());
  const began = Date.now();
  const before = await cpuOf();
  const handle = await stage.client.startRun({
    ...{ run: 'large', method: 'sure', options: { passages: 2 }, dataset: stage.dataset },
    corpus: 'sample',
    transport,
  });
  const moments: Moment[] = [];
  let over = false;
  const ended = handle.result().finally(() => {
    over = true;
  });
  while (!over) {
    await Promise.race([stage.pause(LOOK_MS), ended]);
    const { done, running } = await handle.progress().catch(() => ({ done: 0, running: 0 }));
    const [workers, server] = await cpuOf();
    const seconds = Math.round((Date.now() - began) / 1000);
    const moment = {
      seconds,
      done,
      running,
      batches: stage.provider.batches.length,
      workers,
      server,
    };
    moments.push(moment);
    console.log(JSON.stringify(moment));
  }
  const { outcomes, usage } = await ended;
  const seconds = (Date.now() - began) / 1000;
  const waited = providerSeconds(stage);
  const [workers, server] = await cpuOf();
  const { batches, book } = stage.provider;
  const each = (ms: number) => Number((ms / QUESTIONS).toFixed(1));
  console.log(measuredOn());
  console.log(
    JSON.stringify(
      {
        questions: QUESTIONS,
        ...{ outcomes, calls: usage.calls, dollars: usage.costUsd },
        batches: batches.map(({ lines }) => lines.length),
        paid: book.paid.size,
        paidMost: Math.max(...book.paid.values()),
        ...{ seconds: Math.round(seconds), providerSeconds: Math.round(waited) },
        ownMsAQuestion: each((seconds - waited) * 1000),
        cpuMsAQuestion: {
          workers: each(workers.cpuMs - before[0].cpuMs),
          server: each(server.cpuMs - before[1].cpuMs),
        },
        workersMb: moments.map((moment) => moment.workers.rssMb),
        histories: {
          collector: await stage.collectorHistory(),
          run: await stage.longestHistory('evaluateRun'),
          shard: await stage.longestHistory('evaluateRunShard'),
          question: await stage.longestHistory('sure'),
        },
      },
      null,
      1,
    ),
  );
  expect(outcomes).toMatchObject({ answered: QUESTIONS, failed: 0 });
  expect(book.paid.size).toBe(QUESTIONS * 7);
  expect(Math.max(...book.paid.values())).toBe(1);
});

/** Of both workers, and of the Temporal server with the process that holds it. */
function cpuOf(): Promise<[ProcessUsage, ProcessUsage]> {
  return Promise.all([usageOf('durable-rag.js', 'worker'), usageOf('temporal')]);
}

/** How long at least one batch was at the provider. */
function providerSeconds({ provider }: HalfPriceStage): number {
  let until = 0;
  let sum = 0;
  for (const { createdAt } of provider.batches) {
    const end = createdAt + (provider.book.options.durationMs ?? 0);
    sum += Math.max(0, end - Math.max(createdAt, until));
    until = Math.max(until, end);
  }
  return sum / 1000;
}
