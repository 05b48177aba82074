/** Which variables of the environment are ours: one that is almost ours is a typo. Pure. */
import { Failure } from '../core/failure.js';
import { slipOf } from '../core/options/nearest.js';

const PREFIX = 'DURABLE_RAG_';

/** Those that begin with our prefix and are read elsewhere than by `readConfig`. */
const ELSEWHERE = [
  'DURABLE_RAG_DATA',
  'DURABLE_RAG_ENCRYPTION_KEYS',
  'DURABLE_RAG_HOME',
  'DURABLE_RAG_HTTP',
  'DURABLE_RAG_LOCAL_MODEL',
  'DURABLE_RAG_LOG_FORMAT',
  'DURABLE_RAG_MIRRORS',
  'DURABLE_RAG_MODEL_PORT',
  'DURABLE_RAG_TEMPORAL_PORT',
  'DURABLE_RAG_UI_PORT',
  'DURABLE_RAG_UI_URL',
];

/**
 * Refuses a variable whose name is a typo of one of ours: it would have no effect. Others with our
 * prefix are let be: Kubernetes sets some of its own for a service called durable-rag.
 *
 * @param read the variables that `readConfig` reads.
 * @throws Failure BadInput naming the variable and the one that was meant.
 */
export function refuseSlips(env: NodeJS.ProcessEnv, read: readonly string[]): void {
  const known = [...read, ...ELSEWHERE]
    .filter((name) => name.startsWith(PREFIX))
    .map(withoutPrefix);
  const slips = Object.entries(env).flatMap(([name, value = '']) => {
    // The address of a service, as Kubernetes writes it.
    if (!name.startsWith(PREFIX) || value === '' || value.startsWith('tcp://')) return [];
    const meant = slipOf(withoutPrefix(name), known);
    return meant === undefined
      ? []
      : [`${name}: there is no such variable; did you mean ${PREFIX}${meant}?`];
  });
  if (slips.length > 0) throw new Failure('BadInput', slips.join('; '));
}

function withoutPrefix(name: string): string {
  return name.slice(PREFIX.length);
}
