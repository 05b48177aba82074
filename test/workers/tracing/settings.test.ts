/** When traces are sent, of how many questions, and what is left of a span. */
import { describe, expect, it } from 'vitest';
import { attributesOf, tidied } from '../../../workers/tracing/attributes.js';
import { sampledShare, tracesWanted } from '../../../workers/tracing/settings.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('tracesWanted', () => {
  it.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, false],
    [{ OTEL_SERVICE_NAME: 'mine' }, false],
    [ENDPOINT, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: '' }, true],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, false],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, true],
  ])('of %o is %s', (env, wanted) => {
    expect(tracesWanted(env)).toBe(wanted);
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER.*"zipkin"/],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL.*4318/],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      /OTEL_EXPORTER_OTLP_TRACES_PROTOCOL.*"http\/json"/,
    ],
  ])('refuses %o by name', (env, message) => {
    expect(() => tracesWanted(env)).toThrow(message);
  });
});

it('samples as the environment says', () => {
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };
  expect(sampledShare({})).toBe(1);
  expect(sampledShare({ OTEL_TRACES_SAMPLER: 'always_off' })).toBe(0);
  expect(sampledShare({ OTEL_TRACES_SAMPLER: 'parentbased_always_on' })).toBe(1);
  expect(sampledShare({ ...ratio, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toBe(0.25);
  for (const wrong of ['2', '-1', 'half']) {
    expect(() => sampledShare({ ...ratio, OTEL_TRACES_SAMPLER_ARG: wrong })).toThrow(
      /OTEL_TRACES_SAMPLER_ARG/,
    );
  }
  expect(() => sampledShare({ OTEL_TRACES_SAMPLER: 'jaeger_remote' })).toThrow(
    /OTEL_TRACES_SAMPLER/,
  );
});

it('leaves out of a span what is not known, and all that may hold texts', () => {
  const attributes = attributesOf({
    ...{ method: 'sure', step: 'retrieve', model: '', attempt: 1, end: 'answered', seconds: 1 },
    question: 'q-1',
  });
  expect(attributes).toEqual({
    'durable_rag.method': 'sure',
    'durable_rag.step': 'retrieve',
    'durable_rag.question': 'q-1',
    'durable_rag.attempt': 1,
    'durable_rag.end': 'answered',
  });
  const workflow = {
    workflowId: 'eval/nightly/q-2',
    workflowType: 'sure',
    run_id: '7',
    memo: { question: 'Who?' },
    lastFailure: 'a text',
    searchAttributes: {},
    ...attributes,
  };
  expect(tidied(workflow)).toEqual({
    ...attributes,
    temporalWorkflowId: 'eval/nightly/q-2',
    run_id: '7',
    'durable_rag.run': 'nightly',
    'durable_rag.question': 'q-2',
  });
});
