/** When traces are sent, of how many questions, and what is left of a span. */
import { createTraceState } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, expect, it, vi } from 'vitest';
import { Failure } from '../../../core/failure.js';
import {
  attemptAttributes,
  exportedAttributes,
  outcomeAttributes,
  TRACE_STATE_KEY,
} from '../../../workers/tracing/attributes.js';
import {
  answerAttributes,
  errorAttributes,
  requestAttributes,
} from '../../../workers/tracing/model-call.js';
import { startTracing } from '../../../workers/tracing/start-tracing.js';
import { RedactingSpanProcessor } from '../../../workers/tracing/tracing.js';

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
  ['', '', 400, 400, 400],
  ['parentbased_always_on', '', 400, 400, 400],
  ['always_off', '', 0, 0, 0],
  ['parentbased_always_off', '', 0, 0, 400],
  ['traceidratio', '0.1', 10, 90, 90],
  ['parentbased_traceidratio', '0.5', 100, 300, 400],
])('samples with %s %s', async (sampler, share, least, most, mostOfCallers) => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', share);
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new RedactingSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors });
  const tracer = provider.getTracer('test');
  async function sent(traceState: string) {
    for (let i = 0; i < 400; i++) {
      const span = tracer.startSpan('RunWorkflow:sure');
      span.spanContext().traceState = createTraceState(traceState);
      span.end();
    }
    await provider.forceFlush();
    const { length } = exporter.getFinishedSpans();
    exporter.reset();
    return length;
  }
  const own = await sent('other=1');
  expect(own).toBeGreaterThanOrEqual(least);
  expect(own).toBeLessThanOrEqual(most);
  const callers = await sent(`other=1,${TRACE_STATE_KEY}=caller`);
  expect(callers).toBeGreaterThanOrEqual(sampler.startsWith('parentbased') ? 400 : least);
  expect(callers).toBeLessThanOrEqual(mostOfCallers);
});

it('leaves out of a span what is not known, and all that may hold texts', () => {
  const attributes = attemptAttributes({
    method: 'sure',
    step: 'retrieve',
    model: '',
    attempt: 1,
    end: 'answered',
    seconds: 1,
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
  expect(exportedAttributes(workflow)).toEqual({
    ...attributes,
    temporalWorkflowId: 'eval/nightly/q-2',
    run_id: '7',
    'durable_rag.run': 'nightly',
    'durable_rag.question': 'q-2',
  });
});

it.each([
  ['openai', 'openai', undefined, undefined],
  ['https://mine.openai.azure.com/openai/v1', 'azure.ai.openai', 'mine.openai.azure.com', 443],
  ['https://api.mistral.ai/v1', 'mistral_ai', 'api.mistral.ai', 443],
  ['https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1', 'aws.bedrock', /^bedrock/, 443],
  ['https://eu-aiplatform.googleapis.com/v1', 'gcp.vertex_ai', /^eu-/, 443],
  ['http://127.0.0.1:11434/v1', 'openai', '127.0.0.1', 11434],
  ['http://gpu/v1', 'openai', 'gpu', 80],
  ['anthropic.messages', 'anthropic', undefined, undefined],
  ['azure-openai.chat', 'azure.ai.openai', undefined, undefined],
  ['openairy', 'openairy', undefined, undefined],
  ['my own', 'my own', undefined, undefined],
])('names the provider of %s', (provider, name, address, port) => {
  const told = requestAttributes({ operation: 'chat', provider, model: 'm' });
  expect(told['gen_ai.provider.name']).toBe(name);
  if (address === undefined) expect(told).not.toHaveProperty('server.address');
  else expect(told['server.address']).toMatch(address);
  expect(told['server.port']).toBe(port);
});

it('tells what an answer took, and nothing that is not known', () => {
  const usage = {
    promptTokens: 90,
    cachedPromptTokens: 40,
    writtenPromptTokens: 7,
    completionTokens: 5,
  };
  const paid = { usage, costUsd: 1, servedModel: 'm-2', end: 'cut' } as const;
  expect(answerAttributes(paid)).toEqual({
    'gen_ai.response.model': 'm-2',
    'gen_ai.response.finish_reasons': ['length'],
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.cache_write.input_tokens': 7,
  });
  expect(answerAttributes({ usage: null, costUsd: null })).toEqual({});
  expect(answerAttributes(undefined as never)).toEqual({});
  const said = { ...paid, usage: null, end: { unknown: 'some words of an answer' } };
  expect(answerAttributes(said)['gen_ai.response.finish_reasons']).toEqual(['unknown']);
});

it('tells what a request failed with, and what was billed all the same', () => {
  const spent = { attempts: 1, repeated: 0, promptTokens: 9, completionTokens: 2, costUsd: null };
  expect(errorAttributes(new Failure('ContentRefused', 'no', { spent }))).toEqual({
    'error.type': 'ContentRefused',
    'gen_ai.response.finish_reasons': ['content_filter'],
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 2,
  });
  expect(errorAttributes('text')['error.type']).toBe('_OTHER');
});

it('tells how a question ended, and nothing of another workflow', () => {
  const usage = { calls: 3, costUsd: null };
  expect(outcomeAttributes({ outcome: 'failed', usage })).toEqual({
    'durable_rag.outcome': 'failed',
    'durable_rag.calls': 3,
  });
  for (const other of [undefined, null, 'text', { usage }, { outcome: 'stopped' }]) {
    expect(outcomeAttributes(other)).toEqual({});
  }
});
