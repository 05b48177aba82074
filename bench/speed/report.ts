/** The tables of the measurement, in Markdown. */
import type { History, Latency, Load } from './measurements.js';
import type { WorkerUsage } from './worker.js';

export interface Figures {
  machine: { cpu: string; cores: number };
  serverVersion: string;
  /** How long each call of the one-by-one questions took. */
  latencyMs: number;
  /** Questions under way under load. */
  atOnce: number;
  /** Their names; the first is what the rates of the others are compared with. */
  programs: string[];
  /** Which of them is durable-rag. */
  ours: string;
  latency: Latency;
  history: History;
  load: Record<string, Load>;
  /** What LangGraph keeps of a question. */
  peerBytes: number;
  memory: { atStart: WorkerUsage; atEnd: WorkerUsage };
}

/** What we want to reach, and to aim at. */
const GOALS = { ofFirst: '0.18 (0.22)', overIdeal: '1.24 (1.20)', cpu: 125, history: 16 };

export function table(figures: Figures): string {
  const { machine, serverVersion, programs, latency, load } = figures;
  const rows = programs.map((name) => {
    const [{ ms, overIdeal } = NONE, figure] = [latency.programs[name], load[name]];
    const both = figure && figure.cpu + (figure.serverCpu ?? 0);
    return [
      name,
      figure?.perSecond.toFixed(1),
      figure?.ofFirst.toFixed(2),
      ms.toFixed(0),
      overIdeal.toFixed(2),
      figure?.cpu.toFixed(0),
      figure?.serverCpu?.toFixed(0) ?? '',
      both?.toFixed(0),
      figure?.callsPerQuestion.toFixed(1),
    ];
  });
  return [
    `Measured on ${machine.cpu}, ${machine.cores} cores; Node ${process.versions.node}; ` +
      `Temporal server ${serverVersion}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...lines([
      [
        'program',
        `questions/s, 0 ms a call, ${figures.atOnce} at once`,
        `of the ${programs[0]}'s`,
        `ms a question, ${figures.latencyMs} ms a call`,
        'over the ideal',
        'CPU ms a question',
        'of the server',
        'both',
        'calls',
      ],
      ['---', ...Array.from({ length: 8 }, () => '---:')],
      ...rows,
      ['goal (aim)', '', GOALS.ofFirst, '', GOALS.overIdeal, '', '', `${GOALS.cpu}`, '7'],
    ]),
    '',
    ...rest(figures),
  ].join('\n');
}

const NONE = { ms: Number.NaN, overIdeal: Number.NaN };

function rest({ latency, latencyMs, history, peerBytes, memory }: Figures): string[] {
  const { atStart, atEnd } = memory;
  const { retrieval, ideal } = latency;
  return [
    `- Ideal: retrieval ${retrieval.toFixed(0)} ms and 3 calls of ${latencyMs} ms, ${ideal.toFixed(0)} ms.`,
    `- History a question: ${kilobytes(history.bytes)} in ${history.events} events (goal ${GOALS.history} KB); ` +
      `with the passages' texts in it ${kilobytes(history.bytesWithTexts)}; LangGraph keeps ${kilobytes(peerBytes)}.`,
    `- Memory of the worker: ${megabytes(atEnd.rss)} (RSS), at its start ${megabytes(atStart.rss)}; ` +
      `JavaScript heap ${megabytes(atEnd.heapUsed)}, at its start ${megabytes(atStart.heapUsed)}.`,
  ];
}

function lines(rows: readonly (readonly (string | undefined)[])[]): string[] {
  return rows.map((row) => `| ${row.join(' | ')} |`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
