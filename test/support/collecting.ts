/**
 * A collector of batches by hand: its activities over a provider of the test, in the order of its
 * workflow, each tried again as the Temporal server would. Any of them can be killed at any effect.
 */
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { batchingActivities } from '../../activities/provider-batches/index.js';
import { poolName, RequestPool } from '../../activities/provider-batches/pool.js';
import type { Ports, WaitingActivities } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import type { BatchEndpoint } from '../../llm/batch-endpoint.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import { type OutputRow, outputOfRow } from '../../steps/output-row.js';
import { read } from '../../steps/readers.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import type { BatchingActivities } from '../../workflows/activities/provider-batches.js';
import { afterBatch, newCollector } from '../../workflows/provider-batches/collector.js';
import { attempt } from './activity.js';
import { type BatchServerOptions, startBatchServer } from './batch-server.js';
import { testPorts } from './ports.js';
import { PRICES } from './provider-batches.js';

/** A call of a question, and what has come of it. */
interface Call {
  id: string;
  question: string;
  output?: StepOutput<string | null>;
  failure?: ApplicationFailure;
}

export interface Collecting extends Partial<BatchServerOptions> {
  /** What calls ask, one each. Equal ones are one request. */
  questions: readonly string[];
  call?: Partial<SentCall>;
  /** The number of the effect, from 0, after which the process is killed. */
  killAfter?: number | undefined;
}

/** How often an activity is tried, and how many batches may be made, before a test gives up. */
const MOST = 20;

const SPACES: Record<string, string> = { q: 'request', w: 'waiter', b: 'plan', c: 'claim' };

export async function collecting({ questions, call: more, killAfter, ...options }: Collecting) {
  const server = await startBatchServer({
    reply: ({ messages }) => ({ text: `About ${questionIn(messages[0]?.content)}` }),
    durationMs: 0,
    ...options,
  });
  const { batches: endpoint, ...llm } = createOpenAiModel({
    baseUrl: server.baseUrl,
    timeoutMs: 10_000,
    prices: PRICES,
  });
  const pooled = new MemoryStore();
  const kept = new MemoryStore();
  const accounts = tenantAccounts(new MemoryStore());
  const calls: Call[] = questions.map((question, i) => ({ id: `call-${i}`, question }));
  const transport = { waitSeconds: 0.05, size: new Set(questions).size, patienceSeconds: 3600 };
  const sent: SentCall = { model: 'm', corpus: null, batch: transport, ...more };
  const pool = poolName(llm.provider, 'm');
  const effects: string[] = [];
  const again = new Set(calls);
  let killed = false;

  const open = ({ activityId }: { activityId: string }) =>
    calls.find(({ id, output, failure }) => id === activityId && !output && !failure);
  /** As the Temporal server has it: an activity that has ended is let be. */
  const temporal: WaitingActivities = {
    async complete(ref, output) {
      const call = open(ref);
      if (call) call.output = outputOfRow(output as OutputRow<string | null>, sent.model);
    },
    async fail(ref, error) {
      const call = open(ref);
      const failure = error as ApplicationFailure;
      if (call && failure.nonRetryable) call.failure = failure;
      else if (call) again.add(call);
    },
    extendHeartbeat: async () => true,
    beat: async (ref) => open(ref) !== undefined,
    expect: async () => {},
    span: () => undefined,
    collect: async () => {},
  };

  /** What one attempt works with; nothing of it works any longer once it is killed. */
  function partsOfAnAttempt(): Ports {
    let isDead = false;
    const die = () => {
      isDead = killed = true;
      throw new Error('killed');
    };
    const effect = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      if (isDead) die();
      const at = effects.push(name) - 1;
      const result = await work();
      if (killAfter === at) die();
      return result;
    };
    const store = (all: MemoryStore): KeyValueStore => ({
      get: (key) => all.get(key),
      list: (prefix) => all.list(prefix),
      close: () => all.close(),
      set: (key, value) => effect(`write ${spaceOf(key)}`, () => all.set(key, value)),
      setIfAbsent: (key, value) =>
        effect(`write ${spaceOf(key)}`, () => all.setIfAbsent(key, value)),
      compareAndSet: (key, before, value) =>
        effect(`write ${spaceOf(key)}`, () => all.compareAndSet(key, before, value)),
      delete: (key) => effect(`drop ${spaceOf(key)}`, () => all.delete(key)),
    });
    const watched: BatchEndpoint = {
      limits: endpoint.limits,
      line: endpoint.line,
      unsupported: endpoint.unsupported,
      read: endpoint.read,
      upload: (...given) => effect('upload', () => endpoint.upload(...given)),
      create: (...given) => effect('create', () => endpoint.create(...given)),
      find: (...given) => effect('search the list', () => endpoint.find(...given)),
      retrieve: (...given) => effect('look', () => endpoint.retrieve(...given)),
      cancel: (...given) => effect('cancel', () => endpoint.cancel(...given)),
      async *download(...given) {
        for await (const line of endpoint.download(...given)) {
          yield await effect('read a line', async () => line);
        }
      },
    };
    const waiting: WaitingActivities = {
      ...temporal,
      complete: (...given) => effect('complete', () => temporal.complete(...given)),
      fail: (...given) => effect('fail', () => temporal.fail(...given)),
      extendHeartbeat: (...given) =>
        effect('extend heartbeat', () => temporal.extendHeartbeat(...given)),
      collect: (...given) => effect('start the collector', () => temporal.collect(...given)),
    };
    const changes = {
      responses: new ResponseCache(store(kept)),
      prices: PRICES,
      tenants: tenantCalls(accounts, {}),
      defaultModel: 'm',
      batching: { endpoint: watched, pool: new RequestPool(store(pooled)) },
      waiting,
      watch: { ended: async () => [], isRunning: async () => true, runsOf: async () => 1 },
    };
    const ports: Partial<Ports> = { ...testPorts(llm, changes), ...changes };
    return ports as Ports;
  }

  /** An activity of the collector, with all its attempts. */
  async function carryOut<T>(work: (activities: BatchingActivities) => Promise<T>): Promise<T> {
    let details: unknown;
    for (let n = 0; n < MOST; n++) {
      const one = await attempt(() => work(batchingActivities(partsOfAnAttempt())), { details });
      if (!one.failure) return one.value as T;
      if (one.failure.nonRetryable) throw one.failure;
      details = one.details;
    }
    throw new Error('An activity of the collector does not succeed.');
  }

  /** An attempt of a question's call, which may give its slot back. */
  async function ask(call: Call): Promise<void> {
    const { id, question } = call;
    const input = { question, passages: [], demonstrations: [] };
    const run = () => modelActivity(read, partsOfAnAttempt())(input, sent);
    const { value, failure } = await attempt(run, { id });
    again.delete(call);
    if (value) call.output ??= outputOfRow(value, sent.model);
    else if (failure instanceof CompleteAsyncError) return;
    else if (failure?.nonRetryable) call.failure ??= failure;
    else again.add(call);
  }

  /** The workflow of a collector, until every call has an answer or has failed. */
  async function collect(): Promise<void> {
    let state = newCollector();
    for (let n = 0; calls.some(({ output, failure }) => !output && !failure); n++) {
      if (n > MOST) throw new Error('The calls come to no end.');
      for (const call of again) await ask(call);
      const { next, mostTokens, without } = state;
      const input = { pool, next, known: [], mostTokens, without, idleSeconds: 1 };
      const gathered = await carryOut(({ gatherBatch }) => gatherBatch(input));
      if (!gathered) continue;
      const { number } = gathered;
      const batch = { ...gathered, since: Date.now() };
      state = { ...state, next: Math.max(next, number + 1), open: [batch] };
      try {
        const plan = { pool, number };
        const file = await carryOut(({ uploadBatch }) => uploadBatch(plan));
        const { id } = await carryOut(({ createBatch }) => createBatch({ ...plan, file }));
        let status = await carryOut(({ lookAtBatch }) => lookAtBatch(id));
        while (status.state === 'open') {
          status = await carryOut(({ lookAtBatch }) => lookAtBatch(id));
        }
        const taking = { ...plan, model: 'm', status };
        const taken = await carryOut(({ takeAnswers }) => takeAnswers(taking));
        state = afterBatch(state, batch, taken, Date.now());
      } catch (error) {
        if (!(error instanceof ApplicationFailure)) throw error;
        const { type, message } = error;
        const failure = { type: type ?? '', message };
        await carryOut(({ giveBack }) => giveBack({ pool, number, ...failure }));
      }
    }
  }

  await collect().finally(() => server.close());
  const left: string[] = [];
  for await (const { key } of pooled.list('')) left.push(spaceOf(key));
  return {
    calls,
    /** What was done that others can see, in order. */
    effects,
    wasKilled: () => killed,
    /** What the provider was asked, batch by batch. */
    made: server.batches,
    /** How often each request was paid, in no order. */
    paid: [...server.book.paid.values()],
    /** How many lines each batch had. */
    batches: server.batches.map(({ lines }) => lines.length),
    /** What tenants have taken, by day. */
    accounts: await accounts.close().then(() => accounts.list()),
    /** Records of the pool that are still there. */
    left,
  };
}

/** What the prompt asks about: the questions of a test are one word and a number. */
export function questionIn(prompt = ''): string {
  return /(\w+ \d+)\?(?![\s\S]*\?)/.exec(prompt)?.[1] ?? '';
}

function spaceOf(key: string): string {
  return SPACES[key.split('/')[0] ?? ''] ?? 'response';
}
