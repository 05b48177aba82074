import { privateFolder } from '../stores/home.js';
import type { Child } from './child.js';
import { findElasticsearch } from './elasticsearch.js';
import type { FetchContext } from './fetch.js';
import { findModel, type LocalModel, unseenModel } from './local-model.js';
import { together } from './lock.js';
import type { Reporter } from './reporter.js';
import { reasonOf, SetupError } from './setup-error.js';
import { findTemporal, type LocalTemporal, unseenTemporal } from './temporal.js';

export interface StackOptions {
  home: string;
  env: NodeJS.ProcessEnv;
  reporter: Reporter;
  /** Stops the setting up; once the stack is there, `stop` ends it. */
  signal?: AbortSignal | undefined;
  /**
   * What to set up: Temporal and a model, unless one is false (of that one only the configuration
   * is told), and Elasticsearch where DURABLE_RAG_SEARCH asks for it, unless false.
   */
  parts?: { temporal?: boolean; model?: boolean; search?: boolean };
}

export interface LocalStack {
  temporal: LocalTemporal;
  model: LocalModel;
  /** Stops what was started here, and only that. Can be called twice. */
  stop(): Promise<void>;
  /** Resolves, never rejects, with a message when a part started here ends without being asked. */
  exited: Promise<string>;
}

/**
 * Sets up the parts side by side; when one cannot be had the others are stopped again.
 *
 * @throws {SetupError} with a message for the person at the terminal.
 * @throws the reason of `signal` when aborted.
 */
export async function startLocalStack(options: StackOptions): Promise<LocalStack> {
  const { home, env, parts = {} } = options;
  await privateFolder(home, options.reporter.warn).catch((cause: unknown) => {
    throw new SetupError(
      `Cannot create ${home} (${reasonOf(cause)}). Set DURABLE_RAG_HOME to a folder that can be written to.`,
      { cause },
    );
  });
  const children: Child[] = [];
  const stop = async () => void (await Promise.all(children.map((child) => child.stop())));
  const started = <T extends { child?: Child | undefined }>(part: T): T => {
    if (part.child) children.push(part.child);
    return part;
  };
  const findSearch = async (context: FetchContext) => ({ child: await findElasticsearch(context) });
  const noSearch = async () => ({});
  const wanted = parts.search !== false && env.DURABLE_RAG_SEARCH === 'elasticsearch';
  const finders = [
    parts.temporal === false ? unseenTemporal : findTemporal,
    parts.model === false ? unseenModel : findModel,
    wanted ? findSearch : noSearch,
  ] as const;
  try {
    const [temporal, model] = await together<[LocalTemporal, LocalModel, object]>(options.signal, [
      async (signal) => started(await finders[0]({ ...options, signal })),
      async (signal) => started(await finders[1]({ ...options, signal })),
      async (signal) => started(await finders[2]({ ...options, signal })),
    ]);
    // With nothing started here `exited` never resolves.
    const exited = Promise.race([new Promise<never>(() => {}), ...children.map(lost)]);
    return { temporal, model, stop, exited };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A message once a child is gone that nobody stopped. */
async function lost({ exited, lastLines }: Child): Promise<string> {
  const { name, expected, code } = await exited;
  if (expected) return new Promise<never>(() => {});
  return `${name} ended by itself (exit code ${code}). The end of its log:\n${await lastLines()}`;
}
