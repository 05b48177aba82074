/** Measures what it costs to count each call in the account of its tenant. */
import { createClient } from '../../client/create-client.js';
import { figuresTable } from '../figures-table.js';
import { questions as madeUp } from '../speed/corpus.js';
import type { MockModelRequest, MockModelState } from '../speed/mock-server.js';
import { type Remote, startRemote } from '../speed/remote.js';
import { median, time } from '../speed/timing.js';
import { workerEnv } from '../speed/worker-env.js';
import type { WorkerRequest, WorkerUsage } from '../speed/worker-usage.js';
import { onTemporal } from '../temporal-stage.js';

/** Questions of a round, and how many of them are under way. */
const PER_ROUND = 100;
const AT_ONCE = 20;
const WARM_UPS = 6;
const ROUNDS = 12;
/** Questions of each worker that are asked one by one. */
const ONE_BY_ONE = 60;

/** A worker with the account, or without it. */
interface Side {
  ask(question: string): Promise<unknown>;
  worker: Remote<WorkerRequest, WorkerUsage>;
}

/** What was measured of both workers: of each round or question, one after the other. */
interface Figures {
  /** CPU of the worker, in milliseconds a question. */
  cpu: number[];
  /** Milliseconds from asking to the answer, one question at a time. */
  ms: number[];
}

/**
 * Returns a table of the figures, in Markdown: questions of one call, without a tenant, asked in turn
 * of a worker with the account and of one whose account is kept nowhere.
 */
export async function measureAccount(): Promise<string> {
  return onTemporal(async ({ folder, temporal, connection, takeDown }) => {
    const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
    takeDown(() => model.stop());
    const { baseUrl } = await model.ask({ latencyMs: 0 });
    const env = workerEnv({ folder, temporal }, baseUrl, 'mock-1');
    const sideWith = async (account: 'yes' | 'no'): Promise<Side> => {
      const taskQueue = `account-${account}`;
      const own = { DURABLE_RAG_TASK_QUEUE: taskQueue, BENCH_ACCOUNT: account };
      const worker = await startRemote<WorkerRequest, WorkerUsage>('worker.js', { ...env, ...own });
      takeDown(() => worker.stop());
      const client = await createClient({ connection, namespace: 'default', taskQueue });
      const ask = (question: string) => client.ask('base', { question, options: { passages: 0 } });
      return { ask, worker };
    };
    const sides = [await sideWith('yes'), await sideWith('no')] as const;
    return table(await measured(sides));
  });
}

async function measured(sides: readonly [Side, Side]): Promise<[Figures, Figures]> {
  const texts = madeUp(17);
  const take = (count: number) => Array.from({ length: count }, () => texts.next().value);
  const figures: [Figures, Figures] = [
    { cpu: [], ms: [] },
    { cpu: [], ms: [] },
  ];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    // The first of a pair goes second in the next, so that neither gains by its place.
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const cpu = await cpuOfRound(sides[side], take(PER_ROUND));
      if (round >= WARM_UPS) figures[side].cpu.push(cpu);
    }
  }
  for (let question = 0; question < ONE_BY_ONE; question++) {
    for (const side of [0, 1] as const) {
      const [text = ''] = take(1);
      figures[side].ms.push(await time(() => sides[side].ask(text)));
    }
  }
  return figures;
}

async function cpuOfRound({ ask, worker }: Side, questions: string[]): Promise<number> {
  const { cpuMs: before } = await worker.ask('as it is');
  const left = questions.values();
  const lane = async () => {
    for (const question of left) await ask(question);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return ((await worker.ask('as it is')).cpuMs - before) / questions.length;
}

function table([account, none]: readonly [Figures, Figures]): string {
  const row = (name: string, of: keyof Figures) => {
    const ratios = account[of].map((value, n) => value / (none[of][n] ?? Number.NaN));
    const middle = [median(account[of]), median(none[of])].map((value) => value.toFixed(2));
    return [name, ...middle, median(ratios).toFixed(3)];
  };
  return figuresTable([
    ['', 'with the account', 'without', 'median of the ratios'],
    row('CPU of the worker, ms a question', 'cpu'),
    row('one question at a time, ms', 'ms'),
  ]);
}
