/** What is measured; each figure comes with the one it is compared to, taken in the same run. */
import { CORPUS } from './corpus.js';
import type { Stage } from './stage.js';

/** SuRe's defaults: ten passages, two candidates. */
const PASSAGES = 10;
/** Candidates, then summaries, then verdicts and votes. */
const CALLS_IN_A_ROW = 3;

export interface Latency {
  /** Milliseconds, medians. */
  durable: number;
  plain: number;
  ideal: number;
  retrieval: number;
  /** Medians of the ratios of one question each. */
  overIdeal: number;
  overPlain: number;
}

export interface Load {
  questions: number;
  atOnce: number;
  /** Medians over the rounds. */
  perSecond: number;
  plainPerSecond: number;
  /** CPU milliseconds a question. */
  workerCpu: number;
  plainCpu: number;
  serverCpu: number | undefined;
  callsPerQuestion: number;
}

export interface History {
  bytes: number;
  events: number;
  /** What it would be with the texts of the passages where now their ids stand. */
  bytesWithTexts: number;
}

/** One question after the other, each by the script and by the workflow, every call `latencyMs`. */
export async function measureLatency(
  stage: Stage,
  questions: string[],
  latencyMs: number,
): Promise<Latency> {
  await stage.model.ask({ latencyMs });
  const rows: { durable: number; plain: number; retrieval: number }[] = [];
  for (const question of questions) {
    rows.push({
      retrieval: await time(() => retrieve(stage, question)),
      plain: await time(() => stage.plain(question, PASSAGES)),
      durable: await time(() => answer(stage, question)),
    });
  }
  const of = (figure: (row: (typeof rows)[number]) => number) => median(rows.map(figure));
  const retrieval = of((row) => row.retrieval);
  const ideal = retrieval + CALLS_IN_A_ROW * latencyMs;
  return {
    retrieval,
    ideal,
    plain: of((row) => row.plain),
    durable: of((row) => row.durable),
    overIdeal: of((row) => row.durable) / ideal,
    overPlain: of((row) => row.durable / row.plain),
  };
}

/** Rounds of questions with `atOnce` of them under way, and calls that take no time. */
export async function measureLoad(stage: Stage, rounds: string[][], atOnce: number): Promise<Load> {
  await stage.model.ask({ latencyMs: 0 });
  const rows: Omit<Load, 'questions' | 'atOnce'>[] = [];
  for (const questions of rounds) {
    const before = await accounts(stage);
    const durableMs = await time(() => inParallel(questions, atOnce, (one) => answer(stage, one)));
    const after = await accounts(stage);
    const ownBefore = ownCpu();
    const plainMs = await time(() =>
      inParallel(questions, atOnce, (one) => stage.plain(one, PASSAGES)),
    );
    const count = questions.length;
    rows.push({
      perSecond: (count / durableMs) * 1000,
      plainPerSecond: (count / plainMs) * 1000,
      workerCpu: (after.worker - before.worker) / count,
      plainCpu: (ownCpu() - ownBefore) / count,
      serverCpu:
        after.server === undefined || before.server === undefined
          ? undefined
          : (after.server - before.server) / count,
      callsPerQuestion: (after.calls - before.calls) / count,
    });
  }
  const of = (figure: (row: (typeof rows)[number]) => number) => median(rows.map(figure));
  const serverKnown = rows.every(({ serverCpu }) => serverCpu !== undefined);
  return {
    questions: rounds.flat().length,
    atOnce,
    perSecond: of((row) => row.perSecond),
    plainPerSecond: of((row) => row.plainPerSecond),
    workerCpu: of((row) => row.workerCpu),
    plainCpu: of((row) => row.plainCpu),
    serverCpu: serverKnown ? of((row) => row.serverCpu ?? 0) : undefined,
    callsPerQuestion: of((row) => row.callsPerQuestion),
  };
}

/** What questions that have been answered left behind in Temporal. */
export async function measureHistory(stage: Stage, questions: string[]): Promise<History> {
  const rows = await Promise.all(
    questions.map(async (question) => {
      const { workflowId, chain } = await answer(stage, question);
      const { workflowExecutionInfo: info } =
        await stage.connection.workflowService.describeWorkflowExecution({
          namespace: 'default',
          execution: { workflowId },
        });
      const passages = await stage.retriever.get(chain?.passages.map(({ id }) => id) ?? []);
      const texts = passages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      // Found by the search, read by the step that names candidates and by each summary.
      const places = 2 + (chain?.candidates.length ?? 0);
      const bytes = Number(info?.historySizeBytes);
      return { bytes, events: Number(info?.historyLength), bytesWithTexts: bytes + places * texts };
    }),
  );
  return {
    bytes: median(rows.map(({ bytes }) => bytes)),
    events: median(rows.map(({ events }) => events)),
    bytesWithTexts: median(rows.map(({ bytesWithTexts }) => bytesWithTexts)),
  };
}

/** Asks by the workflow; a question that was asked before gives its answer again. */
export async function answer({ client }: Stage, question: string) {
  const result = await client.ask('sure', {
    question,
    retrieval: { corpus: CORPUS },
    options: { passages: PASSAGES },
  });
  if (result.outcome === 'answered') return result;
  throw new Error(`"${question}" was not answered: ${JSON.stringify(result)}`);
}

/** Finds the passages and reads their texts, as any program that shows them to a model must. */
async function retrieve({ retriever }: Stage, question: string): Promise<void> {
  const found = await retriever.search(question, PASSAGES);
  if (found.length !== PASSAGES) throw new Error(`"${question}" found ${found.length} passages.`);
  await retriever.get(found.map(({ id }) => id));
}

async function accounts({ worker, model, serverCpu }: Stage) {
  const [{ cpuMs }, { calls }, server] = await Promise.all([
    worker.ask('as it is'),
    model.ask({ latencyMs: 0 }),
    serverCpu(),
  ]);
  return { worker: cpuMs, calls, server };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function inParallel<T>(
  items: T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
