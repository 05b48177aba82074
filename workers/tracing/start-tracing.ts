import { withOptionalPart } from '../../stores/optional-parts.js';
import type { Tracing } from './tracing.js';

/**
 * Starts tracing in this process if OpenTelemetry's standard variables ask for it, and returns the
 * parts that a worker needs (`plugin`, `interceptors` and `close`); otherwise returns undefined. If
 * it starts, the OTEL_ variables of `env` are copied into the environment of the process.
 *
 * @param warn Called if spans are lost.
 * @throws Failure BadInput if the packages are not installed.
 */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<Tracing | undefined> {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER: exporter } = env;
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (OTEL_SDK_DISABLED === 'true' || exporter === 'none') return undefined;
  if (exporter !== 'otlp' && !endpoint) return undefined;
  // The packages of OpenTelemetry read the environment of the process.
  Object.assign(
    process.env,
    Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_'))),
  );
  const { tracing } = await withOptionalPart('traces', () => import('./tracing.js'));
  return tracing(warn);
}
