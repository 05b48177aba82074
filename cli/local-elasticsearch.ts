import { findElasticsearch } from '../temporal-dev/elasticsearch.js';
import type { CliContext } from './context.js';

/** Works while it runs; one that does not run yet is started for as long as it takes. */
export async function withElasticsearch<T>(
  isNeeded: boolean,
  { env, home, reporter, signal }: CliContext,
  work: () => Promise<T>,
): Promise<T> {
  const local = isNeeded ? await findElasticsearch({ env, home, reporter, signal }) : undefined;
  try {
    return await work();
  } finally {
    await local?.stop();
  }
}
