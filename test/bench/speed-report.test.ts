/** The tables that bench:speed prints. */
import { expect, it } from 'vitest';
import type { Load } from '../../bench/speed/measurements.js';
import { type Figures, table } from '../../bench/speed/report.js';

const load = (over: Partial<Load>): Load => ({
  ...{ perSecond: 50, ofFirst: 1, cpu: 10, callsPerQuestion: 7 },
  ...{ serverCpu: undefined, threads: undefined, ...over },
});
const usage = { cpuMs: 0, rss: 300_000_000, heapUsed: 60_000_000 };
const parts = { input: 200, found: 0, stepInputs: 300, stepOutputs: 0, result: 0, summaries: 0 };

const figures: Figures = {
  serverVersion: '1.32.0',
  latencyMs: 200,
  atOnce: 50,
  programs: ['script', 'durable-rag'],
  latency: {
    ideal: 610,
    retrieval: 10,
    programs: { script: { ms: 620, overIdeal: 1.02 }, 'durable-rag': { ms: 740, overIdeal: 1.21 } },
  },
  history: {
    bytes: 16_000,
    events: 44,
    bytesWithTexts: 48_000,
    made: {
      total: 1000,
      parts: { ...parts, rest: 500 },
      kinds: {
        WorkflowTaskStarted: { events: 5.5, bytes: 400 },
        ActivityTaskScheduled: { events: 7, bytes: 600 },
      },
    },
  },
  pieces: [[{ name: 'client until the first task', ms: 4 }]],
  parts: [{ name: 'a search', cpu: 5, p50: 4, shortest: 3 }],
  perRound: 100,
  warmUp: [
    { script: load({ cpu: 14 }), 'durable-rag': load({ cpu: 60, serverCpu: 30 }) },
    { script: load({ cpu: 11 }), 'durable-rag': load({ cpu: 50, serverCpu: 30 }) },
  ],
  load: {
    script: load({}),
    'durable-rag': load({
      ...{ perSecond: 10, ofFirst: 0.2, cpu: 45, serverCpu: 32 },
      threads: { main: 20, workflows: 10, v8: 8, node: 2, sdk: 4, lance: 1 },
    }),
  },
  peerBytes: 124_000,
  memory: { atStart: usage, atEnd: usage },
};

it('has a row a program, with the server beside the worker where it takes part', () => {
  const text = table(figures);
  expect(text).toContain('| script | 50.0 | 1.00 | 620 | 1.02 | 10 |  | 10 | 7.0 |');
  expect(text).toContain('| durable-rag | 10.0 | 0.20 | 740 | 1.21 | 45 | 32 | 77 | 7.0 |');
});

it('says what the questions that are not counted took', () => {
  expect(table(figures)).toContain('the first 200 questions of each program');
  expect(table(figures)).toContain('100 at a time: script 14, 11; durable-rag 90, 80.');
});

it('adds threads, bytes and events up, the largest kinds of events first', () => {
  const text = table(figures);
  expect(text).toContain('| V8: compiles, collects garbage | 8.0 |');
  expect(text).toContain('| all | 45.0 |');
  expect(text).toContain("| Temporal's own | 0.5 |\n| all | 1.0 |");
  expect(text).toMatch(/ActivityTaskScheduled.*WorkflowTaskStarted.*\| all \| 12\.5 \| 1\.0 \|/s);
});

it('says so where threads cannot be read', () => {
  const unread = { ...figures, load: { 'durable-rag': load({}) } };
  expect(table(unread)).toContain('They cannot be read here.');
});
