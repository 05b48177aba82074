/** Whether and where traces go, by the standard variables of OpenTelemetry. Pure. */
import { Failure } from '../../methods/failure.js';

const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

/**
 * Whether spans are wanted: where an endpoint is named, or the exporter is.
 *
 * @throws Failure BadInput naming a variable that asks for what we do not have.
 */
export function tracesWanted(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = env.OTEL_TRACES_EXPORTER;
  if (exporter === 'none') return false;
  if (exporter && exporter !== 'otlp') {
    throw new Failure(
      'BadInput',
      `OTEL_TRACES_EXPORTER must be otlp or none, and is "${exporter}".`,
    );
  }
  if (!exporter && !ENDPOINTS.some((name) => env[name])) return false;
  const named = PROTOCOLS.find((name) => env[name]);
  const protocol = named && env[named];
  if (protocol && protocol !== 'http/protobuf') {
    throw new Failure(
      'BadInput',
      `${named} must be http/protobuf, and is "${protocol}"; collectors take it on port 4318.`,
    );
  }
  return true;
}

/**
 * The share of the traces that are sent, from 0 to 1. That of a parent and one's own are the same
 * here: each question begins its own trace.
 *
 * @throws Failure BadInput.
 */
export function sampledShare(env: NodeJS.ProcessEnv): number {
  const { OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = env;
  switch (sampler.replace(/^parentbased_/, '')) {
    case '':
    case 'always_on':
      return 1;
    case 'always_off':
      return 0;
    case 'traceidratio': {
      const share = argument === '' ? 1 : Number(argument);
      if (share >= 0 && share <= 1) return share;
      throw new Failure(
        'BadInput',
        `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, and is "${argument}".`,
      );
    }
    default:
      throw new Failure(
        'BadInput',
        `OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio (each also with parentbased_ before it), and is "${sampler}".`,
      );
  }
}

/** The same variables under which the packages of OpenTelemetry look for them. */
export function settingsIn(env: NodeJS.ProcessEnv): [name: string, value: string][] {
  return Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
  );
}
