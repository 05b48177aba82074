/**
 * How a run by batch stays as it began, however many questions it has: histories, memory, and the
 * time that is our own. Asked for by HALF_PRICE_LARGE, which is how many questions there are.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import { OPTIONS } from '../chaos/answers.js';
import { usageOf } from '../chaos/usage.js';
import { type HalfPriceStage, startHalfPriceStage } from './stage.js';

const QUESTIONS = Number(process.env.HALF_PRICE_LARGE ?? 0);
const HOURS = 3_600_000;
const LOOK_MS = 10_000;

const transport = { waitSeconds: 20, size: 5000, patienceSeconds: 6 * 3600 };

/** The server with the process that holds it. */
const PARTS = { workers: /durable-rag\.js worker/, server: /temporal/ };

test.runIf(QUESTIONS > 0)('a large run', { timeout: 4 * HOURS }, async (context) => {
  const stage = await startHalfPriceStage(QUESTIONS, (n) =>
    n === 1 ? { expires: 0.6 } : undefined,
  );
  context.onTestFinished(() => stage.end());
  const began = Date.now();
  const before = await usageOf(PARTS);
  const handle = await stage.client.startRun({
    run: 'large',
    method: 'sure',
    options: OPTIONS,
    dataset: stage.dataset,
    corpus: 'sample',
    transport,
  });
  const seconds = () => Math.round((Date.now() - began) / 1000);
  let over = false;
  const ended = handle.result().finally(() => {
    over = true;
  });
  while (!over) {
    await Promise.race([sleep(LOOK_MS), ended]);
    const { done, running } = await handle.progress().catch(() => ({ done: 0, running: 0 }));
    const batches = stage.provider.batches.length;
    const usage = await usageOf(PARTS);
    console.log(JSON.stringify({ seconds: seconds(), done, running, batches, ...usage }));
  }
  const { outcomes, usage } = await ended;
  const { workers, server } = await usageOf(PARTS);
  const { batches, book } = stage.provider;
  const each = (spent: number) => Number(((1000 * spent) / QUESTIONS).toFixed(1));
  const told = {
    questions: QUESTIONS,
    outcomes,
    calls: usage.calls,
    dollars: usage.costUsd,
    batches: batches.map(({ lines }) => lines.length),
    paid: book.paid.size,
    paidMost: Math.max(...book.paid.values()),
    seconds: seconds(),
    ownMsAQuestion: each(seconds() - providerSeconds(stage)),
    cpuMsAQuestion: {
      workers: each(workers.cpuSeconds - before.workers.cpuSeconds),
      server: each(server.cpuSeconds - before.server.cpuSeconds),
    },
    histories: {
      collector: await stage.longestHistory('collectBatches'),
      run: await stage.longestHistory('evaluateRun'),
      shard: await stage.longestHistory('evaluateRunShard'),
      question: await stage.longestHistory('sure'),
    },
  };
  console.log(measuredOn());
  console.log(JSON.stringify(told, null, 1));
  expect(outcomes).toMatchObject({ answered: QUESTIONS, failed: 0 });
  expect(book.paid.size).toBe(QUESTIONS * 7);
  expect(told.paidMost).toBe(1);
});

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
