/** `durable-rag ask`: one question, answered. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { Failure } from '../../methods/failure.js';
import type { MethodInput } from '../../methods/input.js';
import { isMethod, type MethodName, methods, type OptionsOf } from '../../methods/registry.js';
import type { MethodResult } from '../../methods/result.js';
import { startLocalStack } from '../../temporal-dev/stack.js';
import { connectTemporal } from '../../temporal-dev/temporal-connection.js';
import { readConfig } from '../../workers/config.js';
import { createClient, type DurableRagClient } from '../create-client.js';
import type { QuestionHandle } from '../question-handle.js';
import { follow } from './follow.js';
import { Interrupted, untilInterrupted } from './interrupt.js';
import { type RunningStack, type Surroundings, startStackWithWorker } from './local.js';
import { renderResult } from './render-result.js';

export interface AskOptions {
  method: string;
  corpus?: string;
  passages?: number;
  candidates?: number;
  model?: string;
  input?: string;
  cache: boolean;
  json?: boolean;
}

/** Where the question runs. */
export interface Place {
  temporal: RunningStack['temporal'];
  /** Set when this process runs the worker. */
  stack: RunningStack | undefined;
}

const TEMPORAL_TIMEOUT_MS = 3_000;
const WORKER_TIMEOUT_MS = 8_000;

/**
 * Asks a question where Temporal and a worker are running, and starts what is missing for as long
 * as the question takes.
 *
 * @returns the process's exit code: 0 only when the question was answered.
 */
export async function ask(
  question: string,
  options: AskOptions,
  surroundings: Surroundings,
): Promise<number> {
  const input = await methodInput(question, options);
  let place: Place = (await runningPlace(surroundings)) ?? (await ownPlace(surroundings));
  const taskQueue = readConfig(surroundings.env).taskQueue;
  const { client, close } = await connect(place, taskQueue);
  try {
    const handle = await startQuestion(client, options.method, input);
    if (!place.stack && !(await taken(handle))) {
      surroundings.reporter.warn('No worker takes the question up, so one is started here.');
      place = await ownPlace(surroundings);
    }
    const startedAt = Date.now();
    const result = await awaitResult(handle, place, surroundings.signal);
    print(result, options, place, (Date.now() - startedAt) / 1000);
    return result.outcome === 'answered' ? 0 : 1;
  } finally {
    await close();
    await place.stack?.stop();
  }
}

/** Puts the method's input together from the flags and the file, flags first. */
export async function methodInput(question: string, options: AskOptions) {
  const fromFile = options.input === undefined ? {} : await readInput(options.input);
  const { corpus, passages, candidates, model, cache } = options;
  return {
    ...fromFile,
    question,
    ...(cache ? {} : { cache }),
    ...(corpus === undefined ? {} : { retrieval: { ...fromFile.retrieval, corpus } }),
    ...(model === undefined ? {} : { models: { ...fromFile.models, default: model } }),
    options: {
      ...fromFile.options,
      ...(passages === undefined ? {} : { passages }),
      ...(candidates === undefined ? {} : { candidates }),
    },
  };
}

interface InputFile {
  retrieval?: object;
  models?: object;
  options?: object;
}

async function readInput(file: string): Promise<InputFile> {
  const refuse = (what: string) =>
    new Failure(
      'BadInput',
      `--input ${file} ${what}; it holds a JSON object such as {"options":{"passages":5}}.`,
    );
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON (${(error as Error).message})`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('is not an object');
  }
  return value;
}

/** A Temporal server that answers, if there is one, as the configuration says. */
async function runningPlace(surroundings: Surroundings): Promise<Place | undefined> {
  const { temporal } = await startLocalStack({
    ...surroundings,
    parts: { temporal: false, model: false },
  });
  const connected = await connectTemporal(temporal.connectConfig, TEMPORAL_TIMEOUT_MS).catch(
    () => undefined,
  );
  if (!connected) return undefined;
  const taskQueue = readConfig(surroundings.env).taskQueue;
  const { pollers } = await connected.connection.workflowService.describeTaskQueue({
    namespace: temporal.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: 1,
  });
  await connected.connection.close();
  return pollers && pollers.length > 0 ? { temporal, stack: undefined } : undefined;
}

async function ownPlace(surroundings: Surroundings): Promise<Place> {
  const stack = await startStackWithWorker(surroundings);
  return { temporal: stack.temporal, stack };
}

/** A client on the place's Temporal. */
export async function connect({ temporal }: Place, taskQueue: string) {
  const connection = await Connection.connect(temporal.connectConfig);
  const client = await createClient({ connection, namespace: temporal.namespace, taskQueue });
  return { client, close: () => connection.close() };
}

/** Starts the question; one answered before is asked again, at no cost where nothing changed. */
export async function startQuestion(
  client: DurableRagClient,
  method: string,
  input: unknown,
): Promise<QuestionHandle<unknown>> {
  if (!isMethod(method)) {
    const known = Object.keys(methods).join(', ');
    throw new Failure('BadInput', `--method: there is no method "${method}"; there are ${known}.`);
  }
  return client.start(method, input as MethodInput<OptionsOf<MethodName>>, { again: true });
}

/** Whether a worker answers for the question. */
async function taken(handle: QuestionHandle<unknown>): Promise<boolean> {
  const answers = handle.progress().then(
    () => true,
    () => false,
  );
  return Promise.race([answers, sleep(WORKER_TIMEOUT_MS, false, { ref: false })]);
}

/** Follows the question to its end; Ctrl-C cancels it. */
export async function awaitResult(
  handle: QuestionHandle<unknown>,
  { stack }: Place,
  signal: AbortSignal,
): Promise<MethodResult> {
  const following = follow(handle);
  try {
    return await untilInterrupted(
      stack ? Promise.race([following, stack.lost]) : following,
      signal,
    );
  } catch (error) {
    following.catch(() => {});
    if (error instanceof Interrupted) {
      await handle.cancel();
      await Promise.race([following, sleep(10_000, undefined, { ref: false })]);
    }
    throw error;
  }
}

/** Writes the result to standard output. */
export function print(
  result: MethodResult,
  { json }: Pick<AskOptions, 'json'>,
  { temporal }: Place,
  seconds: number,
): void {
  const { uiUrl, namespace } = temporal;
  const historyUrl =
    uiUrl === null
      ? undefined
      : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(result.workflowId)}`;
  process.stdout.write(
    json
      ? `${JSON.stringify(result, null, 2)}\n`
      : `${renderResult(result, { seconds, historyUrl })}\n`,
  );
}
