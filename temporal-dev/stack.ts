/** Finds or starts the local stack: a Temporal server, a model, and optionally Elasticsearch. */
import { allOrAbort } from '../files/lock.js';
import { makePrivateFolder } from '../stores/home.js';
import type { Child } from './child.js';
import { findElasticsearch } from './elasticsearch.js';
import type { FetchContext } from './fetch.js';
import { findModel, type LocalModel } from './local-model.js';
import { reasonOf, SetupError } from './setup-error.js';
import { findTemporal, type LocalTemporal } from './temporal.js';

/**
 * The Temporal server and the model that were found or started (no fields of the model if another
 * one is used), with a function that stops what was started here, and a promise of a message that
 * resolves if one of those ends by itself.
 */
export interface LocalStack {
  temporal: LocalTemporal;
  model: LocalModel;
  /** Stops the parts that were started here. */
  stop(): Promise<void>;
  /** Resolves with a message if a process started here ends unexpectedly; never rejects. */
  exited: Promise<string>;
}

/**
 * Finds or starts, in parallel, a Temporal server, a model, and, if DURABLE_RAG_SEARCH names it,
 * Elasticsearch. Returns the server and the model, with a function that stops all that was
 * started. If one cannot be obtained, those that were started are stopped again.
 *
 * @param hasModel Whether another model is used, so that none is set up.
 * @throws {SetupError} with a message for the person at the terminal.
 * @throws Failure Connection if the configured Temporal server does not answer.
 * @throws The reason of the context's signal if aborted.
 */
export async function startLocalStack(
  context: FetchContext,
  hasModel = false,
): Promise<LocalStack> {
  const { home, env, reporter, signal } = context;
  await makePrivateFolder(home, home, reporter.warn).catch((cause: unknown) => {
    throw new SetupError(
      `Cannot create ${home} (${reasonOf(cause)}). Set DURABLE_RAG_HOME to a folder that can be written to.`,
      { cause },
    );
  });
  const children: Child[] = [];
  const stop = async () => void (await Promise.all(children.map((child) => child.stop())));
  async function started<T extends { child?: Child | undefined }>(finding: Promise<T>): Promise<T> {
    const part = await finding;
    if (part.child) children.push(part.child);
    return part;
  }
  const findSearch = async (within: FetchContext) => ({ child: await findElasticsearch(within) });
  const isSearchWanted = env.DURABLE_RAG_SEARCH === 'elasticsearch';
  try {
    const [temporal, model] = await allOrAbort<[LocalTemporal, LocalModel, unknown]>(signal, [
      (signal) => started(findTemporal({ ...context, signal })),
      async (signal) => (hasModel ? {} : started(findModel({ ...context, signal }))),
      async (signal) => isSearchWanted && started(findSearch({ ...context, signal })),
    ]);
    // If nothing was started here, `exited` never resolves.
    const exited = Promise.race([new Promise<never>(() => {}), ...children.map(unexpectedExit)]);
    return { temporal, model, stop, exited };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with a message if a child ends without having been stopped. */
async function unexpectedExit({ exited, lastLines }: Child): Promise<string> {
  const { name, expected, code } = await exited;
  if (expected) return new Promise<never>(() => {});
  const how = code === null ? 'it was killed, or could not be started' : `exit code ${code}`;
  return `${name} ended by itself (${how}). The end of its log:\n${await lastLines()}`;
}
