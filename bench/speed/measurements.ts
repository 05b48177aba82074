/** What is measured of every program, each on the same questions in the same run. */
import { type HistoryBytes, historyBytes } from './history-bytes.js';
import type { Peer } from './peers.js';
import { type Pieces, piecesOf } from './pieces.js';
import type { Stage } from './stage.js';
import { median, time } from './timing.js';

/** Candidates, then summaries, then verdicts and votes. */
const CALLS_IN_A_ROW = 3;

/** One question at a time, with calls that take as long as one says. */
export interface Latency {
  /** Milliseconds, medians. */
  ideal: number;
  retrieval: number;
  /** By program: median, and the median of the ratios of one question each. */
  programs: Record<string, { ms: number; overIdeal: number }>;
}

/** Many questions at a time, with calls that take no time; medians over the rounds. */
export interface Load {
  perSecond: number;
  /** Of the rate of the first program in the same round. */
  ofFirst: number;
  /** CPU milliseconds a question: of the program's own process, or of the worker and the server. */
  cpu: number;
}

export interface History {
  bytes: number;
  events: number;
  /** What it would be with the texts of the passages where now their ids stand. */
  bytesWithTexts: number;
  /** Means. */
  made: HistoryBytes;
}

/** One question after the other, each by every program in turn, every call `latencyMs`. */
export async function measureLatency(
  stage: Stage,
  programs: readonly Peer[],
  questions: readonly string[],
  latencyMs: number,
): Promise<Latency> {
  await stage.model.ask({ latencyMs });
  const retrievals: number[] = [];
  const rows: Record<string, number>[] = [];
  for (const question of questions) {
    retrievals.push(await time(() => stage.calls.retrieve(question)));
    const row: Record<string, number> = {};
    for (const { name, ask } of programs) row[name] = await time(() => ask(question));
    rows.push(row);
  }
  const retrieval = median(retrievals);
  const ideal = retrieval + CALLS_IN_A_ROW * latencyMs;
  const of = (name: string) => rows.map((row) => row[name] ?? Number.NaN);
  return {
    retrieval,
    ideal,
    programs: Object.fromEntries(
      programs.map(({ name }) => [
        name,
        { ms: median(of(name)), overIdeal: median(of(name)) / ideal },
      ]),
    ),
  };
}

/** Rounds of questions with `atOnce` of them under way; each round goes to every program in turn. */
export async function measureLoad(
  stage: Stage,
  programs: readonly Peer[],
  rounds: readonly string[][],
  atOnce: number,
): Promise<Record<string, Load>> {
  await stage.model.ask({ latencyMs: 0 });
  const rows: Record<string, Load>[] = [];
  for (const questions of rounds) {
    const row: Record<string, Load> = {};
    let first = Number.NaN;
    for (const program of programs) {
      const load = await loaded(stage, program, questions, atOnce);
      if (Number.isNaN(first)) first = load.perSecond;
      row[program.name] = { ...load, ofFirst: load.perSecond / first };
    }
    rows.push(row);
  }
  return Object.fromEntries(programs.map(({ name }) => [name, middle(rows, name)]));
}

async function loaded(
  stage: Stage,
  { ask, atMost, worker }: Peer,
  questions: readonly string[],
  atOnce: number,
): Promise<Omit<Load, 'ofFirst'>> {
  const before = await cpuOf(stage, worker);
  const ms = await time(() => inParallel(questions, Math.min(atOnce, atMost ?? atOnce), ask));
  const cpu = (await cpuOf(stage, worker)) - before;
  return { perSecond: (questions.length / ms) * 1000, cpu: cpu / questions.length };
}

function middle(rows: readonly Record<string, Load>[], name: string): Load {
  const of = (figure: keyof Load) => median(rows.flatMap((row) => row[name]?.[figure] ?? []));
  return { perSecond: of('perSecond'), ofFirst: of('ofFirst'), cpu: of('cpu') };
}

/** What questions that have been answered left behind in Temporal. */
export async function measureHistory(stage: Stage, questions: readonly string[]): Promise<History> {
  const rows = await Promise.all(
    questions.map(async (question) => {
      const { workflowId, chain } = await stage.answer(question);
      const { workflowExecutionInfo: info } =
        await stage.connection.workflowService.describeWorkflowExecution({
          namespace: 'default',
          execution: { workflowId },
        });
      const made = historyBytes(await eventsOf(stage, workflowId));
      const passages = await stage.retriever.get(chain?.passages.map(({ id }) => id) ?? []);
      const texts = passages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      // Found by the search, read by the step that names candidates and by each summary.
      const places = 2 + (chain?.candidates.length ?? 0);
      const bytes = Number(info?.historySizeBytes);
      const events = Number(info?.historyLength);
      return { bytes, events, bytesWithTexts: bytes + places * texts, made };
    }),
  );
  return {
    bytes: median(rows.map(({ bytes }) => bytes)),
    events: median(rows.map(({ events }) => events)),
    bytesWithTexts: median(rows.map(({ bytesWithTexts }) => bytesWithTexts)),
    made: meanOf(rows.map(({ made }) => made)),
  };
}

function meanOf(histories: readonly HistoryBytes[]): HistoryBytes {
  const mean = (part: keyof HistoryBytes) =>
    histories.reduce((sum, one) => sum + one[part], 0) / histories.length;
  return {
    modelSteps: mean('modelSteps'),
    result: mean('result'),
    otherPayloads: mean('otherPayloads'),
    rest: mean('rest'),
  };
}

/** Where the time of each of some questions goes, one after the other, every call `latencyMs`. */
export async function measurePieces(
  stage: Stage,
  questions: readonly string[],
  latencyMs: number,
): Promise<Pieces[]> {
  await stage.model.ask({ latencyMs });
  const pieces: Pieces[] = [];
  for (const question of questions) {
    const askedAt = Date.now();
    const { workflowId } = await stage.answer(question);
    const answeredAt = Date.now();
    pieces.push(piecesOf({ events: await eventsOf(stage, workflowId), askedAt, answeredAt }));
  }
  return pieces;
}

/** The history of a question that has ended; one page holds it. */
async function eventsOf({ connection }: Stage, workflowId: string) {
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({
    namespace: 'default',
    execution: { workflowId },
  });
  return history?.events ?? [];
}

/** CPU milliseconds so far: of the worker and the server, or else of this process. */
async function cpuOf({ serverCpu }: Stage, worker: Peer['worker']): Promise<number> {
  if (!worker) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const [{ cpuMs }, server] = await Promise.all([worker.ask('as it is'), serverCpu()]);
  return cpuMs + server;
}

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
