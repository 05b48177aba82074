/** When traces are sent, of how many questions, and what is left of a span. */
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, expect, it, vi } from 'vitest';
import { attributesOf, tidied } from '../../../workers/tracing/attributes.js';
import { startTracing } from '../../../workers/tracing/start-tracing.js';
import { TextlessSpans } from '../../../workers/tracing/tracing.js';

afterEach(() => vi.unstubAllEnvs());

it.each([
  {},
  { OTEL_SERVICE_NAME: 'mine' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' },
])('traces nothing with %o', async (env) => {
  expect(await startTracing(env, expect.fail)).toBeUndefined();
});

it.each([
  ['', '', 400, 400],
  ['parentbased_always_on', '', 400, 400],
  ['always_off', '', 0, 0],
  ['parentbased_traceidratio', '0.5', 100, 300],
])('samples with %s %s', async (sampler, share, least, most) => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', share);
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new TextlessSpans(exporter)];
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors });
  const tracer = provider.getTracer('test');
  for (let i = 0; i < 400; i++) tracer.startSpan('RunWorkflow:sure').end();
  await provider.forceFlush();
  const sent = exporter.getFinishedSpans().length;
  expect(sent).toBeGreaterThanOrEqual(least);
  expect(sent).toBeLessThanOrEqual(most);
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
