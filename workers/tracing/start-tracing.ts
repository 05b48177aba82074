/** Switches traces on where the environment asks for them, and loads nothing of them otherwise. */
import { Failure } from '../../methods/failure.js';
import { sampledShare, settingsIn, tracesWanted } from './settings.js';
import type { Tracing } from './tracing.js';

/**
 * Traces of this process, as the standard variables of OpenTelemetry say; undefined where they do not
 * ask for any.
 *
 * @param warn Told that spans are lost.
 * @throws Failure BadInput naming the variable that asks for what we do not have, or the packages
 *   that are not installed.
 */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<Tracing | undefined> {
  if (!tracesWanted(env)) return undefined;
  const share = sampledShare(env);
  // The packages of OpenTelemetry read the environment of the process.
  for (const [name, value] of settingsIn(env)) process.env[name] = value;
  const { tracing } = await import('./tracing.js').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Failure(
      'BadInput',
      'Traces need the optional packages @temporalio/interceptors-opentelemetry and @opentelemetry/*: install them, or set OTEL_TRACES_EXPORTER=none.',
      { cause },
    );
  });
  return tracing(share, warn);
}
