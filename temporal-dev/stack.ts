/** The local stack: what a laptop has in place of the real services, started and stopped as one. */
import { privateFolder } from '../stores/home.js';
import type { Child } from './child.js';
import { findElasticsearch, type LocalElasticsearch, noElasticsearch } from './elasticsearch.js';
import type { FetchContext } from './fetch.js';
import { findModel, type LocalModel, unseenModel } from './local-model.js';
import type { Reporter } from './reporter.js';
import { codeOf, reasonOf, SetupError } from './setup-error.js';
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
  temporal: Pick<LocalTemporal, 'address' | 'namespace' | 'uiUrl' | 'started' | 'connectConfig'>;
  model: Pick<LocalModel, 'baseUrl' | 'model' | 'started'>;
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
  const { home, parts = {} } = options;
  await privateFolder(home, options.reporter.warn).catch((error: unknown) => {
    throw new SetupError(
      `Cannot create ${home} (${codeOf(error) ?? reasonOf(error)}). ` +
        'Set DURABLE_RAG_HOME to a folder that can be written to.',
      { cause: error },
    );
  });
  const failed = new AbortController();
  const signal =
    options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
  const context: FetchContext = { home, env: options.env, reporter: options.reporter, signal };
  const guard = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });

  const temporal = guard(
    parts.temporal === false ? unseenTemporal(context) : findTemporal(context),
  );
  const model = guard(parts.model === false ? unseenModel(context) : findModel(context));
  const wanted = parts.search !== false && options.env.DURABLE_RAG_SEARCH === 'elasticsearch';
  const search = wanted ? guard(findElasticsearch(context)) : Promise.resolve(noElasticsearch);
  try {
    return stackOf(...(await Promise.all([temporal, model, search])));
  } catch (error) {
    for (const part of await Promise.allSettled([temporal, model, search])) {
      if (part.status === 'fulfilled') await part.value.stop();
    }
    throw error;
  }
}

function stackOf(
  temporal: LocalTemporal,
  model: LocalModel,
  search: LocalElasticsearch,
): LocalStack {
  const parts = [temporal, model, search];
  return {
    temporal,
    model,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
    exited: Promise.race([
      new Promise<never>(() => {}), // With nothing started here this never resolves.
      ...parts.flatMap(({ exited, lastLines }) => (exited ? [lost(exited, lastLines)] : [])),
    ]),
  };
}

/** A message once a child is gone that nobody stopped. */
async function lost(exited: Child['exited'], lastLines?: Child['lastLines']): Promise<string> {
  const { name, expected, code } = await exited;
  if (expected) return new Promise<never>(() => {});
  return `${name} ended by itself (exit code ${code}). The end of its log:\n${await lastLines?.()}`;
}
