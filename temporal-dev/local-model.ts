/** Finds the model of the local stack: configured, already running, or downloaded and started. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setting } from '../core/settings.js';
import { allOrAbort } from '../files/lock.js';
import { MODELS } from './artifacts.js';
import type { Child } from './child.js';
import { startServing } from './child.js';
import { type FetchContext, obtainArtifact } from './fetch.js';
import { type ModelServerProgram, obtainModelServer, SERVING } from './model-server.js';
import { SetupError } from './setup-error.js';
import { freePortLike } from './tcp-ports.js';

const LOAD_TIMEOUT_MS = 180_000;
const ANSWER_TIMEOUT_MS = 2_000;
const POLL_MS = 200;

/**
 * The language model that the local stack uses: the URL of its API, its name, and its server
 * process if it was started here.
 */
export interface LocalModel {
  /**
   * URL of an OpenAI-compatible API, ending in /v1; undefined for OpenAI's own, and for a custom
   * model.
   */
  baseUrl?: string | undefined;
  /** Name of the model; undefined if the environment decides it. */
  model?: string | undefined;
  /** The server process; absent unless this process started it. */
  child?: Child;
}

/**
 * Returns the URL (`baseUrl`) and name (`model`) of a language model. If OPENAI_API_KEY or
 * OPENAI_BASE_URL is set, it is that endpoint, which is not checked, without a name. Otherwise it
 * is a small model on this machine, which is downloaded and started unless it is already running;
 * `child` is the server process if it was started here.
 *
 * @throws {SetupError} if the model or a server for it cannot be obtained, or does not become
 * ready.
 */
export async function findModel(context: FetchContext): Promise<LocalModel> {
  const { env, reporter } = context;
  if (hasEndpoint(env)) {
    const baseUrl = env.OPENAI_BASE_URL || undefined;
    reporter.part('Model', `${hostOf(baseUrl)} (configured)`);
    return { baseUrl, model: undefined };
  }

  const { baseUrl, model } = localModelOf(env);
  if (await serves(baseUrl, model)) {
    reporter.part('Model', `${model} at ${baseUrl} (was already running)`);
    return { baseUrl, model };
  }
  const artifact = MODELS[setting(env, 'DURABLE_RAG_LOCAL_MODEL')];
  const wanted = setting(env, 'DURABLE_RAG_MODEL_PORT');
  const port = await freePortLike(wanted, 'DURABLE_RAG_MODEL_PORT', 'the local model', reporter);
  const [file, program] = await allOrAbort<[string, ModelServerProgram]>(context.signal, [
    (signal) => obtainArtifact(artifact, { ...context, signal }),
    (signal) => obtainModelServer({ ...context, signal }),
  ]);
  const child = await startModel({ file, program, model, port }, context);
  reporter.part('Model', `${model} at ${urlOf(port)} (${program.origin})`);
  return { baseUrl: urlOf(port), model, child };
}

/**
 * Returns the name of the local model that `findModel` uses without an endpoint (`model`), and the
 * URL at which it serves unless its port is taken (`baseUrl`). Starts nothing.
 */
export function localModelOf(env: NodeJS.ProcessEnv) {
  return {
    baseUrl: urlOf(setting(env, 'DURABLE_RAG_MODEL_PORT')),
    model: MODELS[setting(env, 'DURABLE_RAG_LOCAL_MODEL')].name,
  };
}

/** Returns whether OPENAI_BASE_URL or OPENAI_API_KEY is set, so that no local model is needed. */
export function hasEndpoint({ OPENAI_BASE_URL, OPENAI_API_KEY }: NodeJS.ProcessEnv): boolean {
  return Boolean(OPENAI_BASE_URL || OPENAI_API_KEY);
}

/** Starts the server of a local model, and returns it once the model is loaded. */
async function startModel(
  what: { file: string; program: ModelServerProgram; model: string; port: number },
  { home, reporter, signal }: FetchContext,
): Promise<Child> {
  const { file, program, model, port } = what;
  signal?.throwIfAborted();
  reporter.part('Model', `loading ${model}`);
  return startServing({
    name: 'The local model',
    command: program.command,
    args: [
      ...program.args,
      '--model',
      file,
      '--alias',
      model,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--ctx-size',
      String(SERVING.context),
      '--parallel',
      String(SERVING.slots),
      '--cache-ram',
      String(SERVING.cacheRamMiB),
    ],
    env: program.env,
    logFile: join(home, 'logs', `model-${port}.log`),
    timeoutMs: LOAD_TIMEOUT_MS,
    signal,
    isReady: async () => (await health(urlOf(port))) === 'ready',
  });
}

/** Returns the state of a llama.cpp server, which answers 503 while it loads the model. */
async function health(baseUrl: string): Promise<'ready' | 'loading' | 'other'> {
  try {
    const answer = await get(new URL('/health', baseUrl));
    await answer.body?.cancel();
    return answer.ok ? 'ready' : answer.status === 503 ? 'loading' : 'other';
  } catch {
    return 'other';
  }
}

/** Returns whether a llama.cpp server serves exactly this model; waits while it is loading. */
async function serves(baseUrl: string, model: string): Promise<boolean> {
  const deadline = Date.now() + LOAD_TIMEOUT_MS;
  let state = await health(baseUrl);
  while (state === 'loading' && Date.now() < deadline) {
    await sleep(POLL_MS);
    state = await health(baseUrl);
  }
  if (state !== 'ready') return false;
  try {
    const list: unknown = await (await get(new URL(`${baseUrl}/models`))).json();
    return JSON.stringify(list).includes(`"id":"${model}"`);
  } catch {
    return false;
  }
}

function get(url: URL): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** Returns the host without user name, password or query, which may be secrets. */
function hostOf(baseUrl: string | undefined): string {
  if (baseUrl === undefined) return 'OpenAI';
  try {
    const { host, pathname } = new URL(baseUrl);
    return `${host}${pathname}`;
  } catch {
    throw new SetupError('OPENAI_BASE_URL is not a URL; it looks like https://host/v1.');
  }
}
