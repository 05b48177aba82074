/** What the flags of the transport mean, and how pools are shown. */
import { describe, expect, it } from 'vitest';
import { duration } from '../../../cli/flags.js';
import { evalFlags } from '../../../cli/inputs.js';
import { evalInputs } from '../../../cli/run/eval-input.js';
import { renderPools } from '../../../cli/run/shared.js';
import { trainingRun } from '../../../client/training-run.js';
import { parseInput } from '../../../core/options/input.js';
import { DEFAULT_BATCH_TRANSPORT } from '../../../core/provider-batches.js';
import { methods, parseRunInput } from '../../../interpreters/methods.js';
import { newCollector } from '../../../workflows/provider-batches/collector.js';
import { typed } from '../../support/cli-context.js';

it.each([
  ['60', 60],
  ['90s', 90],
  ['5m', 300],
  ['1.5h', 5400],
  ['2d', 172_800],
])('%s is so many seconds', (text, seconds) => {
  expect(duration(text)).toBe(seconds);
});

it.each(['', '-5s', 'soon', '5w', '1h30m'])('"%s" is no time', (text) => {
  expect(duration(text)).toBeUndefined();
});

const runOf = async (...words: string[]) => {
  const given = ['--method', 'base', '--dataset', '/data/q.jsonl', '--name', 'r', ...words];
  const [run] = evalInputs(await typed(evalFlags, ...given), {});
  return run?.spec;
};

describe('the input', () => {
  it('widens the window to fill a batch', async () => {
    expect(await runOf('--transport', 'batch', '--batch-size', '700')).toMatchObject({
      transport: { waitSeconds: 60, size: 700, patienceSeconds: 86_400 },
      concurrency: 700,
    });
  });

  it('keeps a window that was asked for, and no wider one than a workflow takes', async () => {
    expect((await runOf('--transport', 'batch'))?.concurrency).toBe(5000);
    expect((await runOf('--transport', 'batch', '--concurrency', '3'))?.concurrency).toBe(3);
    expect(await runOf()).not.toHaveProperty('transport');
    expect((await runOf())?.concurrency).toBe(20);
  });

  it('is the same for training data', () => {
    const said = { run: 'notes', dataset: '/d.jsonl', transport: {} };
    const { transport, concurrency } = parseRunInput(trainingRun(said));
    expect({ transport, concurrency }).toEqual({
      transport: DEFAULT_BATCH_TRANSPORT,
      concurrency: 5000,
    });
  });

  it('is none of a question that somebody asks and waits for', () => {
    const asked = { question: 'Who?', transport: DEFAULT_BATCH_TRANSPORT };
    expect(() => parseInput(methods.base, asked)).toThrow(/transport/);
  });
});

it('shows what waits, what is under way and when it can be expected', () => {
  const spec = { number: 3, requests: 1000, bytes: 1, waitSeconds: 60, since: 0, madeAt: 0 };
  const pool = {
    ...newCollector(),
    pool: 'm-1',
    model: 'm',
    waiting: 812,
    waitingSince: 1_160_000,
    ended: 2,
    requests: 1200,
    tookSeconds: [600, 1800, 900],
    open: [
      { ...spec, id: 'batch_a' },
      { number: 4, requests: 1, bytes: 1, waitSeconds: 60, since: 0 },
    ],
  };
  expect(renderPools([pool], 1_200_000)).toEqual([
    'batches of m: 812 requests wait for one, the first since 40 s; 1,200 requests in 2 batches are over',
    '  batch_a: 1,000 requests, since 20 min, longer than most',
    '  the next: 1 request, is being made',
  ]);
  const early = renderPools([{ ...pool, waiting: 0 }], 300_000);
  expect(early[0]).toMatch(/nothing waits/);
  expect(early[1]).toMatch(/since 5 min, expected in 10 min/);
});
