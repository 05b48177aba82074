/** The table of the measurement, in Markdown. */
import type { History, Latency, Load } from './measurements.js';
import type { WorkerUsage } from './worker.js';

export interface Figures {
  machine: { cpu: string; cores: number };
  serverVersion: string;
  /** How long each call of the one-by-one questions took. */
  latencyMs: number;
  latency: Latency;
  history: History;
  load: Load;
  memory: { atStart: WorkerUsage; atEnd: WorkerUsage };
}

export function table(figures: Figures): string {
  const { machine, serverVersion, latencyMs, latency, history, load, memory } = figures;
  const { atStart, atEnd } = memory;
  const rows = [
    ['', 'durable-rag', 'goal', 'beside it'],
    ['---', '---:', '---:', '---'],
    [
      `one question, ${latencyMs} ms a call`,
      `${latency.durable.toFixed(0)} ms`,
      '',
      `the same calls from a script: ${latency.plain.toFixed(0)} ms`,
    ],
    [
      '... over the ideal path',
      latency.overIdeal.toFixed(2),
      '1.15',
      `retrieval ${latency.retrieval.toFixed(0)} ms + 3 calls = ${latency.ideal.toFixed(0)} ms`,
    ],
    ['... over the script', latency.overPlain.toFixed(2), '', ''],
    [
      `questions a second, ${load.atOnce} at once, 0 ms a call`,
      load.perSecond.toFixed(1),
      '',
      `script: ${load.plainPerSecond.toFixed(1)}`,
    ],
    [
      'CPU of the worker a question',
      `${load.workerCpu.toFixed(0)} ms`,
      '',
      `script: ${load.plainCpu.toFixed(0)} ms`,
    ],
    [
      'CPU of the Temporal server a question',
      load.serverCpu === undefined ? 'not read' : `${load.serverCpu.toFixed(0)} ms`,
      '',
      '',
    ],
    ['model calls a question', String(load.callsPerQuestion), '7', ''],
    [
      'history a question',
      `${kilobytes(history.bytes)} in ${history.events} events`,
      '15.0 KB',
      `with the passages' texts in it: ${kilobytes(history.bytesWithTexts)}`,
    ],
    [
      'memory of the worker (RSS)',
      megabytes(atEnd.rss),
      '',
      `at its start: ${megabytes(atStart.rss)}`,
    ],
    [
      'JavaScript heap of the worker',
      megabytes(atEnd.heapUsed),
      '',
      `at its start: ${megabytes(atStart.heapUsed)}`,
    ],
  ];
  return [
    `Measured on ${machine.cpu}, ${machine.cores} cores; Node ${process.versions.node}; ` +
      `Temporal server ${serverVersion}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
