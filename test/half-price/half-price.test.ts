/**
 * SuRe over a provider's batch endpoint while lines fail, a batch expires, another is refused, and
 * workers and server are killed: the same answers as call by call, each paid once, at half the price.
 *
 * HALF_PRICE_QUESTIONS is how many questions there are; from a thousand on they are killed more often,
 * and asked by flex and one by one as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import { answersOf, OPTIONS, undisturbed } from '../chaos/answers.js';
import { type HalfPriceStage, startHalfPriceStage } from './stage.js';

const QUESTIONS = Number(process.env.HALF_PRICE_QUESTIONS ?? 24);
const IS_LONG = QUESTIONS >= 1000;
const KILLS = Number(process.env.HALF_PRICE_KILLS ?? (IS_LONG ? 20 : 2));
const BETWEEN_MS = IS_LONG ? 12_000 : 5_000;
const MINUTES = 60_000;

const transport = { waitSeconds: IS_LONG ? 20 : 3, size: 5000, patienceSeconds: 3600 };

test('half the price, the same answers, whatever is killed', {
  timeout: 90 * MINUTES,
}, async (context) => {
  const stage = await startHalfPriceStage(QUESTIONS);
  context.onTestFinished(() => stage.end());

  const batched = await asked(stage, 'batch', { transport }, KILLS);
  const { batches, book } = stage.provider;
  const paidMost = Math.max(...book.paid.values());
  const lines = batches.reduce((sum, batch) => sum + batch.lines.length, 0);
  const made = { batches: batches.length, lines, single: book.single, paid: book.paid.size };
  const others = IS_LONG
    ? [
        await asked(stage, 'one-by-one', { cache: false }),
        await asked(stage, 'flex', { cache: false, tier: 'flex' }),
      ]
    : [];

  const rows = [batched, ...others].map(({ name, seconds, usage, kills }) => ({
    run: name,
    calls: usage.calls,
    dollars: Number(usage.costUsd?.toFixed(6)),
    seconds: Math.round(seconds),
    kills,
  }));
  console.log(measuredOn());
  console.table(rows);
  console.log(JSON.stringify({ ...made, paidMost }));

  expect(batched.kills).toBe(KILLS);
  const expected = await undisturbed('sure', stage.questions, stage.engine.corpora);
  for (const { answers } of [batched, ...others]) expect(answers).toEqual(expected);
  expect(batched.outcomes).toMatchObject({ answered: QUESTIONS });
  expect(paidMost).toBe(1);
  expect(made.single).toBe(0);
  expect(made.paid).toBe(QUESTIONS * 7);
  const { costUsd, standardUsd } = batched.usage;
  expect(costUsd).toBeCloseTo(Number(standardUsd) / 2, 8);
  for (const { name, usage } of others) {
    expect(usage.costUsd).toBeCloseTo(Number(name === 'flex' ? costUsd : standardUsd), 8);
  }
  // Three waves, and for each of them some small ones of lines that failed, expired or were refused.
  expect(made.batches).toBeLessThanOrEqual(20);
});

/** Asks all questions in a run of this name, and kills one process after the other meanwhile. */
async function asked(stage: HalfPriceStage, name: string, input: object, kills = 0) {
  const began = Date.now();
  const handle = await stage.client.startRun({
    run: name,
    method: 'sure',
    options: OPTIONS,
    dataset: stage.dataset,
    corpus: 'sample',
    ...input,
  });
  let killed = 0;
  let over = false;
  const ended = handle.result().finally(() => {
    over = true;
  });
  while (killed < kills && !over) {
    await sleep(BETWEEN_MS);
    if (over) break;
    await stage.kill(killed++);
  }
  const { usage, outcomes } = await ended;
  const answers = await answersOf(stage.runs, name);
  return { name, usage, outcomes, answers, kills: killed, seconds: (Date.now() - began) / 1000 };
}
