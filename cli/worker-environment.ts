/** The environment of a local stack's worker, with which a dry run plans as well. */
import { temporalTarget } from '../client/temporal-target.js';
import { hasEndpoint, type LocalModel, localModelOf } from '../temporal-dev/local-model.js';
import { readConfig } from '../workers/config.js';
import type { CliContext } from './context.js';

/**
 * Calls in parallel. The local model answers one at a time; one more waits, and none waits long
 * enough to time out.
 */
const LOCAL_CONCURRENCY = '2';

/**
 * Returns environment variables with which a worker uses the local model: with its address and,
 * unless they are set, its name and its number of calls at a time; local embeddings stay local.
 * Returns the variables unchanged if they decide which model is used.
 */
export function workerEnvironment(
  env: NodeJS.ProcessEnv,
  { baseUrl, model }: LocalModel,
): NodeJS.ProcessEnv {
  if (model === undefined) return env;
  const { kind } = readConfig(env).embedding;
  return {
    ...env,
    OPENAI_BASE_URL: baseUrl,
    DURABLE_RAG_MODEL: env.DURABLE_RAG_MODEL || model,
    // The local model makes no embeddings, so its address must not be used for them.
    ...(kind === 'local' && { DURABLE_RAG_EMBEDDING_MODEL: 'local' }),
    DURABLE_RAG_CONCURRENCY: env.DURABLE_RAG_CONCURRENCY || LOCAL_CONCURRENCY,
  };
}

/**
 * Returns the environment variables that the workers of a run would probably have: those of the
 * local model are added if neither a custom model, an endpoint nor a Temporal server elsewhere is
 * configured, since this machine then runs the workers.
 */
export function expectedEnvironment({ env, config }: CliContext): NodeJS.ProcessEnv {
  const isLocal = !config?.model && !hasEndpoint(env) && temporalTarget(env).port !== undefined;
  return isLocal ? workerEnvironment(env, localModelOf(env)) : env;
}
