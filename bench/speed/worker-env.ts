/** The environment of a worker under measurement. */
import type { TemporalStage } from '../temporal-stage.js';

/** What the user has set for workers of their own must not reach this one. */
const OWN = /^(DURABLE_RAG|ELASTICSEARCH|OPENAI|TEMPORAL)_/;

/** On the stage, with a model at `baseUrl` of that name; to be laid over the user's environment. */
export function workerEnv(
  { folder, temporal }: Pick<TemporalStage, 'folder' | 'temporal'>,
  baseUrl: string,
  model: string,
): NodeJS.ProcessEnv {
  const own = Object.keys(process.env).filter((name) => OWN.test(name));
  return {
    ...Object.fromEntries(own.map((name) => [name, ''])),
    TEMPORAL_ADDRESS: temporal.address,
    OPENAI_BASE_URL: baseUrl,
    DURABLE_RAG_HOME: folder,
    DURABLE_RAG_MODEL: model,
  };
}
