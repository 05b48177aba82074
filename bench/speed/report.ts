/** The tables of the measurement, in Markdown. */
import { figuresTable } from '../figures-table.js';
import { measuredOn } from '../machine.js';
import { PARTS, type Part } from './history-bytes.js';
import type { History, Latency, Load } from './measurements.js';
import { type Piece, piecesTable } from './pieces.js';
import type { WorkerUsage } from './worker-usage.js';

export interface Figures {
  serverVersion: string;
  /** How long each call of the one-by-one questions took. */
  latencyMs: number;
  /** Questions under way under load. */
  atOnce: number;
  /** Their names; the first is what the rates of the others are compared with. */
  programs: string[];
  latency: Latency;
  history: History;
  /** Of each of some questions. */
  pieces: Piece[][];
  /** Questions of a round under load. */
  perRound: number;
  /** The rounds that are not counted, in turn. */
  warmUp: Record<string, Load>[];
  /** The rounds that are: medians. */
  load: Record<string, Load>;
  /** What LangGraph keeps of a question. */
  peerBytes: number;
  memory: { atStart: WorkerUsage; atEnd: WorkerUsage };
}

/** What we want to reach, and to aim at. */
const GOALS = { ofFirst: '0.18 (0.22)', overIdeal: '1.24 (1.20)', cpu: 125, history: 16 };

export function table(figures: Figures): string {
  const { serverVersion, history, pieces } = figures;
  return [
    measuredOn(`Temporal server ${serverVersion}`),
    programs(figures),
    rest(figures),
    `A question of ${figures.latencyMs} ms a call, piece by piece (medians of ${pieces.length} questions):`,
    piecesTable(pieces),
    'History of a question, by what its bytes carry (means):',
    carried(history),
  ].join('\n\n');
}

function programs({ programs, latency, load, latencyMs, atOnce }: Figures): string {
  const rows = programs.map((name) => {
    const [one, figure] = [latency.programs[name], load[name]];
    const both = figure && bothCpu(figure);
    return [
      name,
      figure?.perSecond.toFixed(1),
      figure?.ofFirst.toFixed(2),
      one?.ms.toFixed(0),
      one?.overIdeal.toFixed(2),
      figure?.cpu.toFixed(0),
      figure?.serverCpu?.toFixed(0),
      both?.toFixed(0),
      figure?.callsPerQuestion.toFixed(1),
    ];
  });
  return figuresTable([
    [
      'program',
      `questions/s, 0 ms a call, ${atOnce} at once`,
      `of the ${programs[0]}'s`,
      `ms a question, ${latencyMs} ms a call`,
      'over the ideal',
      'CPU ms a question',
      'of the server',
      'both',
      'calls',
    ],
    ...rows,
    ['goal (aim)', '', GOALS.ofFirst, '', GOALS.overIdeal, '', '', `${GOALS.cpu}`, '7'],
  ]);
}

const bothCpu = ({ cpu, serverCpu = 0 }: Load) => cpu + serverCpu;

function rest(figures: Figures): string {
  const { latency, latencyMs, history, peerBytes, memory, perRound, warmUp, programs } = figures;
  const { atStart, atEnd } = memory;
  const { retrieval, ideal } = latency;
  const warming = programs.map((name) => {
    const cpu = warmUp.map((load) => (load[name] ? bothCpu(load[name]).toFixed(0) : '?'));
    return `${name} ${cpu.join(', ')}`;
  });
  return [
    `- Ideal: retrieval ${retrieval.toFixed(0)} ms and 3 calls of ${latencyMs} ms, ${ideal.toFixed(0)} ms.`,
    `- Not counted under load are the first ${perRound * warmUp.length} questions of each program, in which V8 ` +
      `compiles its code; ms of CPU a question, ${perRound} at a time: ${warming.join('; ')}.`,
    `- History a question: ${kilobytes(history.bytes)} KB in ${history.events} events (goal ${GOALS.history} KB); ` +
      `with the passages' texts in it ${kilobytes(history.bytesWithTexts)} KB; LangGraph keeps ${kilobytes(peerBytes)} KB.`,
    `- Memory of the worker: ${megabytes(atEnd.rss)} (RSS), at its start ${megabytes(atStart.rss)}; ` +
      `JavaScript heap ${megabytes(atEnd.heapUsed)}, at its start ${megabytes(atStart.heapUsed)}.`,
  ].join('\n');
}

function carried({ made }: History): string {
  const parts = Object.keys(PARTS) as Part[];
  return figuresTable([
    ['part', 'KB'],
    ...parts.map((part) => [PARTS[part], kilobytes(made.parts[part])]),
    ['all', kilobytes(made.total)],
  ]);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
