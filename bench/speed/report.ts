/** The tables of the measurement, in Markdown. */
import { figuresTable } from '../figures-table.js';
import { measuredOn } from '../machine.js';
import type { History, Latency, Load } from './measurements.js';
import { type Pieces, piecesTable } from './pieces.js';

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
  pieces: Pieces[];
  load: Record<string, Load>;
  /** What LangGraph keeps of a question. */
  peerBytes: number;
}

/** What we want to reach. */
const GOALS = { ofFirst: '0.18', overIdeal: '1.24', cpu: '125', historyKb: 16 };

export function table(figures: Figures): string {
  const { serverVersion, latencyMs, latency, history, pieces, peerBytes } = figures;
  const { made } = history;
  return [
    measuredOn(`Temporal server ${serverVersion}`),
    programs(figures),
    `Ideal: a search of ${latency.retrieval.toFixed(0)} ms and 3 calls of ${latencyMs} ms, ${latency.ideal.toFixed(0)} ms.`,
    `A question of ${latencyMs} ms a call (medians of ${pieces.length} questions):`,
    piecesTable(pieces),
    `History of a question: ${kb(history.bytes)} KB in ${history.events} events (goal ${GOALS.historyKb} KB); ` +
      `with the passages' texts in it ${kb(history.bytesWithTexts)} KB; LangGraph keeps ${kb(peerBytes)} KB. Means:`,
    figuresTable([
      ['part', 'KB'],
      ['inputs and outputs of model steps', kb(made.modelSteps)],
      ['result with its chain', kb(made.result)],
      ['other payloads', kb(made.otherPayloads)],
      ["Temporal's own", kb(made.rest)],
    ]),
  ].join('\n\n');
}

function programs({ programs, latency, load, latencyMs, atOnce }: Figures): string {
  const rows = programs.map((name) => {
    const [one, figure] = [latency.programs[name], load[name]];
    return [
      name,
      figure?.perSecond.toFixed(1),
      figure?.ofFirst.toFixed(2),
      one?.ms.toFixed(0),
      one?.overIdeal.toFixed(2),
      figure?.cpu.toFixed(0),
    ];
  });
  return figuresTable([
    [
      'program',
      `questions/s, 0 ms a call, ${atOnce} at once`,
      `of the ${programs[0]}'s`,
      `ms a question, ${latencyMs} ms a call`,
      'over the ideal',
      'CPU ms a question, with the server',
    ],
    ...rows,
    ['goal', '', GOALS.ofFirst, '', GOALS.overIdeal, GOALS.cpu],
  ]);
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
