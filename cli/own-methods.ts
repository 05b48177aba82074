/** The methods and metrics that the command line knows: ours, and those of a durable-rag.config.ts. */
import { type Metrics, metricRegistry } from '../evaluation/metrics/registry.js';
import { methodRegistry } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import type { CliContext } from './context.js';

export type Configured = Pick<CliContext, 'config'>;

/** @throws Failure BadInput where two methods have one name. */
export function methodsOf({ config }: Configured): OwnMethods {
  return methodRegistry(config?.methods);
}

/**
 * Ours, and those of a durable-rag.config.ts.
 *
 * @throws Failure BadInput where a name is taken, or is none.
 */
export function metricsOf({ config }: Configured): Metrics {
  return metricRegistry(config?.metrics);
}
