/** The methods and metrics of the command line: built-in ones, and those of a durable-rag.config.ts. */
import { type Metrics, metricRegistry } from '../evaluation/metrics/registry.js';
import { methodRegistry } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import type { CliContext } from './context.js';

/** The part of a command's context that has the options of the config file. */
export type Configured = Pick<CliContext, 'config'>;

/**
 * Returns the registry of methods: the built-in ones and those of the config file, by name.
 *
 * @throws Failure BadInput if a name is taken or invalid.
 */
export function methodsOf({ config }: Configured): OwnMethods {
  return methodRegistry(config?.methods);
}

/**
 * Returns the registry of metrics: the built-in ones and those of the config file, by name.
 *
 * @throws Failure BadInput if a name is taken or invalid.
 */
export function metricsOf({ config }: Configured): Metrics {
  return metricRegistry(config?.metrics);
}
