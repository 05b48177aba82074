/** The live display of a run, as it stands on a terminal without colors. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import {
  renderProgress,
  renderProgressLine,
  speedBetween,
} from '../../../cli/run/render-progress.js';
import type { RunProgress } from '../../../core/run/run.js';

const progress: RunProgress = {
  run: 'nq-sure',
  method: 'sure',
  state: 'running',
  pause: null,
  settings: {
    concurrency: 20,
    budgetUsd: 5,
    requestsPerMinute: 600,
    tokensPerMinute: null,
    pauseAfter: 10,
    pauseIfFirst: null,
    probeSeconds: 60,
  },
  questions: 1000,
  done: 400,
  running: 20,
  outcomes: { answered: 370, unknown: 20, unreadable: 2, failed: 8 },
  usage: {
    calls: 2800,
    cachedCalls: 800,
    promptTokens: 4_100_000,
    cachedPromptTokens: 1_000_000,
    completionTokens: 120_000,
    costUsd: 0.8,
    savedUsd: 0.92,
  },
  scores: {
    f1: { questions: 400, sum: 168, sumOfSquares: 120 },
    em: { questions: 400, sum: 132, sumOfSquares: 132 },
  },
  startedAt: 0,
};

type Speed = Parameters<typeof renderProgress>[1];

/** The lines of this run, but for the changes. */
const shown = (changes: Partial<RunProgress> = {}, speed?: Speed) =>
  renderProgress({ ...progress, ...changes }, speed).map(stripVTControlCharacters);

test('shows how far a run is, what it scores and what it has cost', () => {
  const speed = { questionsPerMinute: 40, minutesLeft: 15 };
  expect(shown({}, speed)).toEqual([
    'nq-sure  sure, running',
    `${'█'.repeat(12)}${'░'.repeat(18)} 400 of 1,000 done, 20 under way, 40 a minute, 15 min left`,
    '370 answered, 20 unknown, 2 unreadable, 8 failed',
    'EM 33.0 % (28.6 to 37.8)  F1 42.0 % (38.6 to 45.5)',
    '2,000 calls, 4,100,000 prompt tokens (1,000,000 cached), 120,000 completion tokens, $0.80 of $5.00',
    '800 more calls from the response cache, which saved $0.92',
    '20 questions at a time, at most 600 calls a minute',
  ]);
});

test('says of how many questions a score is that does not apply to all', () => {
  const scores = {
    em: { questions: 300, sum: 132, sumOfSquares: 132 },
    accuracy: { questions: 1, sum: 1, sumOfSquares: 1 },
  };
  expect(shown({ scores })).toContain(
    'EM 44.0 % (38.5 to 49.7, n = 300 of 400)  Acc 100.0 % (20.7 to 100.0, n = 1 of 400)',
  );
});

test('says why a run is paused, and by how much it has overspent', () => {
  const lines = shown({
    state: 'paused',
    pause: { reason: 'budget', message: 'The budget is spent.' },
    settings: { ...progress.settings, budgetUsd: 0.75 },
  });
  expect(lines[0]).toBe('nq-sure  sure, paused (budget)');
  expect(lines[4]).toMatch(/\$0\.80 of \$0\.75, \$0\.05 over$/);
  expect(lines.slice(-2)).toEqual([
    'Paused (budget): The budget is spent.',
    'To continue: durable-rag set nq-sure --budget-usd N && durable-rag resume nq-sure',
  ]);
});

test('says since when an outage pauses a run, when it is tried, and that nobody need do anything', () => {
  const at = (minute: number) => new Date(2026, 1, 3, 14, minute).getTime();
  const pause = { reason: 'outage', message: 'Away.', since: at(2), nextProbe: at(5) };
  const paused = { state: 'paused' as const, pause };
  const times = 'outage, since 2026-02-03 14:02:00, one question is tried at 2026-02-03 14:05:00';
  expect(shown(paused).slice(-2)).toEqual([
    `Paused (${times}): Away.`,
    'It continues by itself; to continue at once: durable-rag resume nq-sure',
  ]);
  expect(renderProgressLine({ ...progress, ...paused })).toContain(`paused (${times})`);
});

test('shows beside the budget what the questions under way are expected to cost', () => {
  expect(shown({ underWayUsd: 0.123 }).join('\n')).toMatch(
    / of \$5\.00, about \$0\.12 more under way/,
  );
});

test('tells a price of nothing from no call that was paid, and names what failed', () => {
  const free = { ...progress.usage, costUsd: 0 };
  const cached = { ...free, calls: 6, cachedCalls: 6 };
  const costOf = (usage: RunProgress['usage']) => {
    const settings = { ...progress.settings, budgetUsd: null };
    return shown({ settings, usage })[4];
  };
  expect(costOf(free)).toMatch(/tokens, no cost \(a model of this machine, or of price 0\)$/);
  expect(costOf(cached)).toMatch(/completion tokens$/);
  expect(costOf({ ...free, costUsd: null, knownUsd: 0.12 })).toMatch(
    /tokens, \$0\.12 and more: cost unknown \(see DURABLE_RAG_PRICES\)$/,
  );
  expect(costOf({ ...free, costUsd: null })).toMatch(/cost unknown \(see DURABLE_RAG_PRICES\)$/);

  const failures = [
    { type: 'ContentRefused', step: 'read', questions: 20, example: 'It was\nrefused.' },
    { type: 'Timeout', step: null, questions: 7, example: 'x'.repeat(500) },
  ];
  const earlier = { ...free, costUsd: 0.4 };
  const lines = shown({ failures, earlier });
  expect(lines[3]).toBe('  20 ContentRefused in read: It was refused.');
  expect(lines[4]).toBe(`  7 Timeout: ${'x'.repeat(160)}...`);
  expect(lines[7]).toMatch(/^earlier attempts: 2,000 calls, .* \$0\.40; together \$1\.20$/);
});

test('shows what the judge took apart from the method', () => {
  const judge = {
    usage: { ...progress.usage, calls: 30, cachedCalls: 0, costUsd: 0.01 },
    failed: 2,
  };
  const lines = shown({ judge });
  expect(lines[6]).toBe(
    'judge: 30 calls, 4,100,000 prompt tokens (1,000,000 cached), 120,000 completion tokens, $0.01, 2 answers could not be judged',
  );
});

test('has nothing to divide by while the data set is read', () => {
  const lines = shown({ state: 'opening', questions: 0, done: 0, running: 0, scores: {} });
  expect(lines[0]).toBe('nq-sure  sure, reading the data set');
  expect(lines[1]).toBe(`${'░'.repeat(30)} 0 of 0 done, 0 under way`);
});

test('is one line where lines stay', () => {
  expect(stripVTControlCharacters(renderProgressLine(progress))).toBe(
    'nq-sure: 400 of 1,000 done, 8 failed, EM 33.0 % (28.6 to 37.8)  F1 42.0 % (38.6 to 45.5), $0.80, running',
  );
});

test('measures the speed between two looks', () => {
  expect(speedBetween({ at: 0, done: 380 }, progress, 30_000)).toEqual({
    questionsPerMinute: 40,
    minutesLeft: 15,
  });
  expect(speedBetween({ at: 0, done: 400 }, progress, 30_000)).toBeUndefined();
});
