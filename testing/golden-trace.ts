import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import type { MethodInput } from '../core/options/input.js';
import type { MethodResult } from '../core/result.js';
import type { Passage } from '../core/vocabulary.js';
import type { MethodName } from '../interpreters/methods.js';
import type { Retriever } from '../retrieval/retriever.js';
import { MemoryStore } from '../stores/memory-store.js';
import type { OwnParts } from '../workers/worker-options.js';
import { type ScriptedModel, type ScriptedReply, scriptedModel } from './scripted-model.js';

/**
 * The input of the question for `goldenTrace`, with the model's replies and the passages that
 * searches find.
 */
export interface GoldenTraceOptions extends Omit<MethodInput<object>, 'options'> {
  /** Options of the method. */
  options?: object;
  /** The model's replies; each is used once. */
  script: readonly ScriptedReply[];
  /**
   * The passages that every search in the corpus "sample" finds, best first, or a function that
   * returns those of a query. @default none
   */
  passages?: readonly Passage[] | ((query: string) => readonly Passage[]);
  /** Parts of a worker, such as custom methods, steps and prompts. */
  worker?: OwnParts;
  /** Ids of patches (`asked.patched`) that count as not applied. @default none */
  unpatched?: readonly string[];
}

/** A model call of a golden trace: its step, its prompt and the reply. */
export interface TracedStep {
  /** Name of the step. */
  step: string;
  /** Text of the prompt. */
  prompt: string;
  /** Text of the reply; for a failure its type and message. */
  said: string;
}

/**
 * The record of a question that was answered by a scripted model: its calls, its searches and its
 * result.
 */
export interface GoldenTrace {
  /** Model calls in the order of the script, whichever of parallel calls ended first. */
  steps: TracedStep[];
  /** Queries of the searches, sorted alphabetically. */
  searches: string[];
  /** The result, with the workflow id "golden" and without durations. */
  result: MethodResult;
  /** All of it as text, for a snapshot. */
  text: string;
}

/**
 * Answers a question in this process with a scripted model, without a Temporal server, and returns
 * its model calls (`steps`), the queries of its searches (`searches`), its `result`, and all of it
 * as `text`. A custom method must declare its algorithm.
 *
 * @param method Name of the method, shipped or custom.
 * @throws Failure BadInput for an invalid input; Error if the script has no reply for a call, or if
 * replies are left over.
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
  { script, passages = [], worker, unpatched, ...input }: GoldenTraceOptions,
): Promise<GoldenTrace> {
  const model = scriptedModel(script);
  const { retriever, searches } = recordingRetriever(passages);
  const parts = {
    store: inMemory(),
    // Uses neither the machine's environment nor its folders.
    env: { DURABLE_RAG_HOME: join(tmpdir(), 'durable-rag-golden') },
    ...worker,
    corpora: { sample: retriever, ...worker?.corpora },
    model,
    defaultModel: 'scripted-1',
  };
  const result = await ask(method, input, parts, unpatched);
  checkScript(model, result);
  const steps = model.requests
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
    .map(({ step, prompt, line = 0 }) => ({ step, prompt, said: replyText(script[line]) }));
  const trace = { steps, searches: searches.toSorted(), result };
  return { ...trace, text: textOf(trace) };
}

/** Answers a question with the parts of a worker, without a Temporal server. */
async function ask(
  method: string,
  input: MethodInput<object>,
  given: OwnParts & { env: NodeJS.ProcessEnv },
  unpatched: readonly string[] | undefined,
): Promise<MethodResult> {
  // Loaded only here, since contracts do not need it.
  const [{ withSteps }, { answerInProcess }, { buildPorts }, { readConfig }] = await Promise.all([
    import('../interpreters/find-own-steps.js'),
    import('../interpreters/scripted.js'),
    import('../workers/build-ports.js'),
    import('../workers/config.js'),
  ]);
  const options = await withSteps(given);
  const { ports, close } = await buildPorts(readConfig(options.env, options), options);
  try {
    const whole = { ...ports, searchAttributes: false };
    const { workingSeconds: _, ...result } = await answerInProcess(method, input, whole, unpatched);
    return { ...result, workflowId: 'golden' };
  } finally {
    await close();
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

function recordingRetriever(passages: NonNullable<GoldenTraceOptions['passages']>) {
  const searches: string[] = [];
  const known = new Map<string, Passage>();
  const hitsOf = typeof passages === 'function' ? passages : () => passages;
  const retriever: Retriever = {
    async search(query, k) {
      searches.push(query);
      const hits = hitsOf(query).slice(0, k);
      for (const hit of hits) known.set(hit.id, hit);
      return hits.map(({ id, title }, i) => ({ id, title, score: 1 / (i + 1) }));
    },
    async get(ids) {
      return ids.map((id) => {
        const found = known.get(id);
        if (found) return found;
        throw new Failure('UnknownPassage', `The trace has no passage "${id}".`);
      });
    },
  };
  return { retriever, searches };
}

/** Checks that the script was used up. @throws Error naming the missing or unused replies. */
function checkScript({ requests, left }: ScriptedModel, { failure, steps }: MethodResult): void {
  const without = requests.find(({ line }) => line === undefined);
  if (without) {
    throw new Error(`The script has no reply left for ${without.step}:\n${without.prompt}`);
  }
  if (left.length === 0) return;
  const lines = left.map(({ step, say }) => `${step}: ${replyText({ step, say })}`);
  const why = failure ? `\nThe question failed: ${failure.message}` : '';
  const equal = Object.entries(steps)
    .filter(([step, { cachedCalls }]) => cachedCalls > 0 && left.some((line) => line.step === step))
    .map(
      ([step, { cachedCalls }]) =>
        `\nCalls of ${step} that equal an earlier one and reuse its reply: ${cachedCalls}. Other passages or another input make another call.`,
    );
  throw new Error(`No call used these replies:\n${lines.join('\n')}${equal.join('')}${why}`);
}

function replyText(line: ScriptedReply | undefined): string {
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
    // Fields are sorted, because usage by step is in the order in which the steps ended.
    `=== result\n${JSON.stringify(JSON.parse(canonicalJson(result)), null, 2)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
