/** A question answered by a script, as a text that a test can keep: a method's golden trace. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { canonicalJson } from '../methods/canonical-json.js';
import { Failure } from '../methods/failure.js';
import type { MethodInput } from '../methods/options/input.js';
import type { MethodResult } from '../methods/result.js';
import type { Passage } from '../methods/vocabulary.js';
import type { Retriever } from '../retrieval/retriever.js';
import { ENCRYPTION_KEYS } from '../stores/encryption/keyring.js';
import { MemoryStore } from '../stores/memory-store.js';
import type { DurableRagOptions } from '../workers/options.js';
import type { MethodName } from '../workflows/methods.js';
import { type Line, type ScriptedModel, scriptedModel } from './scripted-model.js';

export interface GoldenTraceOptions extends Omit<MethodInput<object>, 'options'> {
  options?: object;
  /** What the model says to each step. */
  script: readonly Line[];
  /** What every search of the corpus "sample" finds, best first. @default none */
  passages?: readonly Passage[];
  /** Of a Temporal server. @default as for a client: TEMPORAL_ADDRESS and its like, else this machine */
  address?: string;
  /** Parts of the worker: steps, workflows, prompts and the like of one's own. */
  worker?: DurableRagOptions;
  /** Workflows that are bundled already, so that not every trace does it anew. */
  workflowBundle?: WorkflowBundleOption;
}

export interface TracedStep {
  /** The activity. */
  step: string;
  prompt: string;
  said: string;
}

export interface GoldenTrace {
  /** In the order of the script, which is the same however parallel steps finish. */
  steps: TracedStep[];
  /** Sorted. */
  searches: string[];
  /** Its workflow id is "golden". */
  result: MethodResult;
  /** All of it, for a snapshot. */
  text: string;
}

/**
 * Asks a question on a worker of its own, on a Temporal server that runs.
 *
 * @throws Error when a step asks for what the script does not have, or lines of it are left.
 * @example
 * const { text } = await goldenTrace('base', {
 *   question: 'Who got the first patent for the telephone?',
 *   passages: [{ id: 'p1', title: 'Bell', text: 'Bell got it.' }],
 *   script: [{ step: 'read', say: 'Bell' }],
 * });
 * expect(text).toMatchSnapshot();
 */
export async function goldenTrace(
  method: MethodName | (string & Record<never, never>),
  { script, passages = [], address, worker, workflowBundle, ...input }: GoldenTraceOptions,
): Promise<GoldenTrace> {
  const model = scriptedModel(script);
  const { retriever, searches } = recordingRetriever(passages);
  const result = await ask(method, input, {
    address,
    workflowBundle,
    options: {
      store: inMemory(),
      corpora: { sample: retriever },
      // Nothing of the machine's environment, and nothing written to its folders.
      env: { DURABLE_RAG_HOME: join(tmpdir(), 'durable-rag-golden') },
      ...worker,
      model,
      defaultModel: 'scripted-1',
    },
  });
  checkScript(model, result);
  const steps = model.requests
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
    .map(({ step, prompt, line = 0 }) => ({ step, prompt, said: saidBy(script[line]) }));
  const trace = { steps, searches: searches.toSorted(), result };
  return { ...trace, text: textOf(trace) };
}

interface Scenario {
  address: string | undefined;
  workflowBundle: WorkflowBundleOption | undefined;
  options: DurableRagOptions;
}

async function ask(
  method: string,
  input: object,
  { address, workflowBundle, options }: Scenario,
): Promise<MethodResult> {
  // Who runs contracts alone needs none of these.
  const [
    { Connection },
    { NativeConnection, Worker },
    { createClient },
    { temporalTarget },
    { durableRag },
  ] = await Promise.all([
    import('@temporalio/client'),
    import('@temporalio/worker'),
    import('../client/create-client.js'),
    import('../client/temporal-target.js'),
    import('../workers/durable-rag.js'),
  ]);
  await installQuietRuntime();
  const { namespace, connectConfig } =
    address === undefined
      ? temporalTarget(process.env)
      : { namespace: 'default', connectConfig: { address } };
  const native = await NativeConnection.connect(connectConfig);
  const connection = await Connection.connect(connectConfig);
  try {
    const taskQueue = `golden-${randomUUID()}`;
    const worker = await Worker.create({
      ...{ connection: native, namespace, taskQueue, plugins: [durableRag(options)] },
      ...(workflowBundle && { workflowBundle }),
    });
    const {
      methods = [],
      codec = [],
      env,
      encryptionKeys = env?.[ENCRYPTION_KEYS] ?? '',
    } = options;
    const encoded = { methods, codec, encryptionKeys };
    const client = await createClient({ connection, namespace, taskQueue, ...encoded });
    const workflowId = taskQueue;
    const asking = () => client.ask(method, input as MethodInput<object>, { workflowId });
    return { ...(await worker.runUntil(asking)), workflowId: 'golden' };
  } finally {
    await Promise.all([connection.close(), native.close()]);
  }
}

/** The SDK ends its runtime with the last connection, and begins the next one with the same options. */
let isInstalled = false;

/** What the SDK logs of each worker is no part of a test; a runtime that is there already stays. */
async function installQuietRuntime(): Promise<void> {
  if (isInstalled) return;
  isInstalled = true;
  const { DefaultLogger, Runtime } = await import('@temporalio/worker');
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'IllegalStateError')) throw error;
  }
}

function inMemory() {
  const stores = new Map<string, MemoryStore>();
  return async (namespace: string) => {
    const store = stores.get(namespace) ?? new MemoryStore();
    stores.set(namespace, store);
    return store;
  };
}

function recordingRetriever(passages: readonly Passage[]) {
  const searches: string[] = [];
  const retriever: Retriever = {
    async search(query, k) {
      searches.push(query);
      return passages.slice(0, k).map(({ id, title }, i) => ({ id, title, score: 1 / (i + 1) }));
    },
    async get(ids) {
      return ids.map((id) => {
        const found = passages.find((passage) => passage.id === id);
        if (found) return found;
        throw new Failure('UnknownPassage', `The trace has no passage "${id}".`);
      });
    },
  };
  return { retriever, searches };
}

/** @throws Error with what the script lacks, or has too much. */
function checkScript({ requests, left }: ScriptedModel, { failure }: MethodResult): void {
  const without = requests.find(({ line }) => line === undefined);
  if (without) {
    throw new Error(`The script has no (more) line for ${without.step}:\n${without.prompt}`);
  }
  if (left.length === 0) return;
  const lines = left.map(({ step, say }) => `${step}: ${saidBy({ step, say })}`);
  const why = failure ? ` The question failed: ${failure.message}` : '';
  throw new Error(`Nobody asked for these lines:\n${lines.join('\n')}${why}`);
}

function saidBy(line: Line | undefined): string {
  if (line === undefined) return '';
  if (line.say instanceof Failure) return `[${line.say.type}] ${line.say.message}`;
  return typeof line.say === 'string' ? line.say : (line.say.text ?? '');
}

function textOf({ steps, searches, result }: Omit<GoldenTrace, 'text'>): string {
  const parts = [
    ...(searches.length > 0 ? [`=== searches\n${searches.join('\n')}`] : []),
    ...steps.map(({ step, prompt, said }, i) =>
      [`=== ${i + 1} ${step}`, prompt, '--- said', said].join('\n'),
    ),
    // Fields are sorted: usage by step stands in the order in which the steps ended.
    `=== result\n${JSON.stringify(JSON.parse(canonicalJson(result)), null, 2)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
