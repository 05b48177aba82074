/** Spans of a worker that runs, as a collector gets them; and histories that are followed with and without. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  NodeTracerProvider,
} from '@opentelemetry/sdk-trace-node';
import { Client, Connection } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import { temporal } from '@temporalio/proto';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { beforeAll, expect, inject, it } from 'vitest';
import { createClient } from '../../../client/create-client.js';
import type { MethodResult } from '../../../core/result.js';
import type { Usage } from '../../../core/usage.js';
import { packageRoot } from '../../../stores/package-root.js';
import {
  BUNDLE_FILE,
  buildIdOf,
  bundleWorkflows,
  sdkVersion,
} from '../../../workers/workflow-bundle.js';
import { startBatchServer } from '../../support/batch-server.js';
import { commandLine } from '../../support/command-line.js';
import type { History } from '../../support/history.js';
import { startOtlpReceiver } from '../../support/otlp-receiver.js';
import { replyTo, SOON } from '../../support/provider-batches.js';
import { readHistory } from '../../support/recordings/history-file.js';
import { questions, recordings } from '../../support/recordings/index.js';
import { QUESTION } from '../../support/telephone.js';
import '../../support/quiet-runtime.js';

const retrieval = { passages: [{ title: 'Bell', text: 'Bell got the first patent.' }] };
const BAGGAGE = 'a text that the provider quotes';

async function replay(
  workflowBundle: WorkflowBundleOption,
  histories: { workflowId: string; history: temporal.api.history.v1.IHistory }[],
): Promise<string[]> {
  const failed: string[] = [];
  const results = Worker.runReplayHistories({ workflowBundle }, histories);
  for await (const { workflowId, error } of results) {
    if (error) failed.push(`${workflowId}: ${error.message}`);
  }
  return failed;
}

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let home: string;
let providerUrl: string;
let asked: { workflowId: string; usage: Usage; history: History };
let batched: { workflowId: string; usage: Usage };
let requested: Record<'sampled' | 'unsampled', { workflowId: string; traceId: string }>;

/** A worker that traces answers a question call by call, another one by batch, and stops. */
beforeAll(async () => {
  let fails = true;
  const provider = await startBatchServer({
    reply: replyTo,
    durationMs: 200,
    trouble(route) {
      if (route !== 'POST /chat/completions' || !fails) return undefined;
      fails = false;
      return { status: 500, body: { error: { message: BAGGAGE } } };
    },
  });
  providerUrl = provider.baseUrl;
  receiver = await startOtlpReceiver();
  const cli = await commandLine(provider.baseUrl);
  home = cli.home;
  const worker = await cli.workerProcess({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-collector',
    OTEL_SERVICE_NAME: 'telephone',
  });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const { workflow } = new Client({ connection });
  async function ask(method: string, ...more: object[]) {
    const workflowId = `traced-${randomUUID()}`;
    const args = [{ question: QUESTION, retrieval }, ...more];
    const handle = await workflow.start(method, { workflowId, taskQueue: cli.taskQueue, args });
    const { usage } = (await handle.result()) as MethodResult<unknown>;
    return { workflowId, usage, history: await handle.fetchHistory() };
  }
  asked = await ask('sure');
  batched = await ask('base', { transport: SOON });
  const inTrace = (isSampled: boolean) => askInTrace(connection, cli.taskQueue, isSampled);
  new NodeTracerProvider().register();
  requested = { sampled: await inTrace(true), unsampled: await inTrace(false) };
  worker.child.kill('SIGTERM');
  expect((await worker.finished).code).toBe(0);
  await cli.remove();
  await Promise.all([connection.close(), receiver.close(), provider.close()]);
});

/** Asks inside a span of this program, through a client with Temporal's own interceptor. */
async function askInTrace(connection: Connection, taskQueue: string, isSampled: boolean) {
  const sampler = isSampled ? new AlwaysOnSampler() : new AlwaysOffSampler();
  const tracer = new NodeTracerProvider({ sampler }).getTracer('a web server');
  const workflow = [new OpenTelemetryWorkflowClientInterceptor({ tracer })];
  const own = new Client({ connection, interceptors: { workflow } });
  const client = await createClient({ client: own, taskQueue });
  return tracer.startActiveSpan('GET /answer', async (span) => {
    const question = `${QUESTION} Asked by a request that is ${isSampled ? '' : 'not '}sampled.`;
    const { workflowId } = await client.ask('base', { question, retrieval });
    span.end();
    return { workflowId, traceId: span.spanContext().traceId };
  });
}

function spansOfQuestion(workflowId: string) {
  return receiver.spans.filter(({ attributes }) =>
    [attributes['durable_rag.question'], attributes.temporalWorkflowId].includes(workflowId),
  );
}

it('goes on with the trace of the program that asks, if that is sampled', () => {
  const { sampled, unsampled } = requested;
  const spans = spansOfQuestion(sampled.workflowId);
  const names = spans.map(({ name }) => name);
  expect(names).toContain('RunWorkflow:base');
  expect(names).toContain('RunActivity:read');
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([sampled.traceId]));
  expect(new Set(spans.map(({ traceState }) => traceState))).toEqual(
    new Set(['durable_rag=caller']),
  );
  expect(spansOfQuestion(unsampled.workflowId)).toEqual([]);
  expect(receiver.spans.map(({ traceId }) => traceId)).not.toContain(unsampled.traceId);
  // Questions that come without a trace begin their own.
  expect(new Set(spansOfQuestion(asked.workflowId).map((one) => one.traceState))).toEqual(
    new Set(['']),
  );
});

it('sends a span a step, with what it took and without a text', async () => {
  const { workflowId, usage, history } = asked;
  const [root, ...more] = receiver.spans.filter(({ name }) => name === 'RunWorkflow:sure');
  expect(more).toEqual([]);
  expect(root?.resource['service.name']).toBe('telephone');
  expect(root?.attributes).toMatchObject({
    temporalWorkflowId: workflowId,
    'durable_rag.question': workflowId,
    'durable_rag.method': 'sure',
    'durable_rag.outcome': 'answered',
    'durable_rag.calls': usage.calls,
    'durable_rag.total_cost_usd': usage.costUsd,
  });
  const spans = receiver.spans.filter(({ traceId }) => traceId === root?.traceId);
  const elsewhere = receiver.spans.filter((span) => !spans.includes(span));
  expect(elsewhere.filter((span) => span.attributes['durable_rag.method'] === 'sure')).toEqual([]);
  // Every span but the first hangs on another one.
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter((span) => span !== root && !ids.has(span.parentSpanId))).toEqual([]);

  const stepSpans = spans.filter(({ name }) => name.startsWith('RunActivity:'));
  const sum = (attribute: string) =>
    spans.reduce((total, { attributes }) => total + Number(attributes[attribute] ?? 0), 0);
  expect(sum('gen_ai.usage.input_tokens')).toBe(usage.promptTokens);
  expect(sum('gen_ai.usage.output_tokens')).toBe(usage.completionTokens);
  expect(sum('durable_rag.cost_usd')).toBeCloseTo(usage.costUsd ?? Number.NaN, 9);
  const candidates = stepSpans.filter(
    ({ attributes }) => attributes['durable_rag.step'] === 'generateCandidates',
  );
  const told = candidates.map(({ failed, attributes }) => [
    attributes['durable_rag.attempt'],
    attributes['durable_rag.end'],
    attributes['error.type'],
    failed,
  ]);
  expect(told.sort()).toEqual([
    [1, 'failed', 'Overloaded', true],
    [2, 'answered', undefined, false],
  ]);
  expect(candidates[0]?.attributes['durable_rag.model']).toBe('gpt-4o-mini');

  // A request has a span of its own, by the conventions for generative AI; the tokens are only there.
  const requests = spans.filter(({ isClient }) => isClient);
  const others = spans.filter(({ isClient }) => !isClient);
  expect(others.flatMap(({ attributes }) => Object.keys(attributes))).not.toContainEqual(
    expect.stringMatching(/^gen_ai\./),
  );
  const attempts = new Set(stepSpans.map(({ spanId }) => spanId));
  expect(requests.filter(({ parentSpanId }) => !attempts.has(parentSpanId))).toEqual([]);
  expect(new Set(requests.map(({ name }) => name))).toEqual(new Set(['chat gpt-4o-mini']));
  const { hostname, port } = new URL(providerUrl);
  const asks = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'server.address': hostname,
    'server.port': Number(port),
  };
  const failing = requests.filter(({ failed }) => failed);
  expect(failing.map(({ attributes }) => attributes)).toEqual([
    { ...asks, 'error.type': 'Overloaded', 'gen_ai.response.finish_reasons': ['error'] },
  ]);
  const answering = requests.filter(({ failed }) => !failed);
  expect(answering).toHaveLength(usage.calls);
  for (const { attributes } of answering) {
    expect(attributes).toEqual({
      ...asks,
      'gen_ai.response.model': 'gpt-4o-mini',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.usage.cache_read.input_tokens': 0,
    });
  }

  const raw = receiver.raw();
  expect(raw).toContain('of-the-collector');
  for (const text of [QUESTION, BAGGAGE, 'Bell', 'sk-test-secret', home]) {
    expect(raw).not.toContain(text);
  }

  // A worker without traces goes on with what one with traces began.
  const done = history.events?.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  const builds = new Set(done?.map(({ workerVersion }) => workerVersion?.buildId));
  expect([...builds]).toEqual([await buildIdOf({ codePath: BUNDLE_FILE })]);
  expect(await replay({ code: inject('workflowBundle') }, [{ workflowId, history }])).toEqual([]);
});

it('sends a span of an answer that comes by batch, below the attempt that asked', () => {
  const { workflowId, usage } = batched;
  const [attempt] = spansOfQuestion(workflowId).filter(({ name }) => name === 'RunActivity:read');
  expect(attempt?.attributes).toMatchObject({ 'durable_rag.end': 'deferred' });
  const { hostname, port } = new URL(providerUrl);
  const { traceId, spanId: parentSpanId } = attempt ?? {};
  const answers = receiver.spans.filter((span) => span.isClient && span.traceId === traceId);
  expect(answers).toMatchObject([{ name: 'chat gpt-4o-mini', parentSpanId, failed: false }]);
  expect(answers[0]?.attributes).toEqual({
    'durable_rag.method': 'base',
    'durable_rag.step': 'read',
    'durable_rag.attempt': 1,
    'durable_rag.question': workflowId,
    'durable_rag.end': 'answered',
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.model': 'gpt-4o-mini',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': 0,
    'server.address': hostname,
    'server.port': Number(port),
    'durable_rag.model': 'gpt-4o-mini',
    'durable_rag.cache_hit': false,
    'durable_rag.tier': 'batch',
    'durable_rag.cost_usd': expect.closeTo(Number(usage.costUsd), 12),
  });
  expect(usage.promptTokens).toBeGreaterThan(0);
  expect(usage.costUsd).toBeCloseTo(Number(usage.standardUsd) / 2, 12);
});

it('follows histories that began without traces', async () => {
  const interceptors = [join(packageRoot(), 'dist/workers/tracing/workflow-interceptors.js')];
  // Of questions those of two methods: all others ask for the same, and are replayed without traces.
  const names = recordings
    .flatMap(([files]) => files)
    .filter((name) => ['base', 'sure'].includes(questions[name]?.method ?? 'base'));
  const histories = await Promise.all(
    names.map(async (name) => {
      const { events } = await readHistory(name);
      const [first] = events;
      const workflowId = first?.workflowExecutionStartedEventAttributes?.workflowId ?? '';
      const recorded = { events: events.map(withVersion) };
      return { workflowId, history: temporal.api.history.v1.History.fromObject(recorded) };
    }),
  );
  expect(await replay(await bundleWorkflows({ interceptors }), histories)).toEqual([]);
});

/** As servers keep them: recordings are written without the version of the SDK. */
function withVersion(event: object): object {
  const key = 'workflowTaskCompletedEventAttributes';
  const completed = Object(event)[key];
  if (!completed) return event;
  const sdk = { sdkName: 'temporal-typescript', sdkVersion: sdkVersion() };
  return { ...event, [key]: { ...completed, sdkMetadata: { ...completed.sdkMetadata, ...sdk } } };
}
