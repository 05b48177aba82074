/** Tracing by OpenTelemetry; loaded only if it is asked for: see `startTracing`. */
import { join } from 'node:path';
import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { getEnv, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  SamplingDecision,
  type TimedEvent,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import type { SpanHeaders } from '../../activities/runtime/ports.js';
import { packageRoot, packageVersion } from '../../stores/package-root.js';
import { type CallSpans, setCallSpans } from '../observe/call-spans.js';
import { observerInterceptors } from '../observe/observing.js';
import { attemptAttributes, exportedAttributes, TRACE_STATE_KEY } from './attributes.js';
import {
  answerAttributes,
  batchedAttributes,
  errorAttributes,
  requestAttributes,
  spanName,
} from './model-call.js';

/**
 * The parts that a traced worker needs: a plugin, interceptors, and `close`, which sends the
 * remaining spans.
 */
export type Tracing = ReturnType<typeof tracing>;

/** The built file, since bundling the workflows needs no source. */
const WORKFLOW_INTERCEPTORS = join(
  packageRoot(),
  'dist',
  'workers',
  'tracing',
  'workflow-interceptors.js',
);

const LOST =
  'Spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT (by http/protobuf, usually port 4318) and are lost; questions continue without them.';

const propagator = new W3CTraceContextPropagator();

/** Shortest interval between two warnings that spans are lost, in milliseconds. */
const WARNED_MS = 60_000;

/**
 * Starts tracing in this process, and returns the plugin and interceptors that a worker needs, with
 * `close`.
 *
 * @param warn Called, at most once a minute, if spans cannot be sent.
 */
export function tracing(warn: (message: string) => void) {
  setGlobalErrorHandler(atMostEvery(WARNED_MS, () => warn(LOST)));
  const resource = Resource.default()
    .merge(new Resource({ 'service.name': 'durable-rag', 'service.version': packageVersion() }))
    .merge(detectResourcesSync({ detectors: [envDetectorSync] }));
  // Idle connections are not kept, since a server that closes them at the wrong moment would lose a
  // batch.
  const exporter = new OTLPTraceExporter({ httpAgentOptions: { keepAlive: false } });
  const spans = new RedactingSpanProcessor(exporter);
  const sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() });
  const provider = new NodeTracerProvider({ resource, sampler, spanProcessors: [spans] });
  // The same propagator as in workflows, which cannot read the environment.
  provider.register({ propagator });
  setCallSpans(callSpansOf(provider));
  return {
    /** The SDK's plugin, which carries a trace from workflow to activity. Must come before ours. */
    plugin: new OpenTelemetryPlugin({ resource, spanProcessor: spans }),
    /** Interceptors that record a step's usage on its span, and those bundled with workflows. */
    interceptors: {
      ...observerInterceptors((observation) => {
        trace.getActiveSpan()?.setAttributes(attemptAttributes(observation));
      }),
      workflowModules: [WORKFLOW_INTERCEPTORS],
    },
    /** Sends the remaining spans. */
    close: () => provider.shutdown().catch(() => warn(LOST)),
  };
}

/**
 * Returns the object that creates the spans of model requests, as children of the attempt's span.
 * The span of an answer from a batch begins when its step was scheduled, and has the attributes of
 * the step as well.
 */
function callSpansOf(provider: NodeTracerProvider): CallSpans {
  const tracer = provider.getTracer('durable-rag');
  return {
    currentHeaders() {
      const headers: SpanHeaders = {};
      propagator.inject(context.active(), headers, defaultTextMapSetter);
      return headers.traceparent === undefined ? undefined : headers;
    },
    within(request, send) {
      const options = { kind: SpanKind.CLIENT, attributes: requestAttributes(request) };
      return tracer.startActiveSpan(spanName(request), options, async (span) => {
        try {
          const answer = await send();
          span.setAttributes(answerAttributes(answer));
          return answer;
        } catch (error) {
          span.setAttributes(errorAttributes(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    record(span, request, answered, since) {
      const parent = propagator.extract(ROOT_CONTEXT, span, defaultTextMapGetter);
      const attributes = {
        ...attemptAttributes(answered),
        ...requestAttributes(request),
        ...batchedAttributes(answered),
      };
      const options = { kind: SpanKind.CLIENT, startTime: since, attributes };
      tracer.startSpan(spanName(request), options, parent).end();
    },
  };
}

/** Returns a function that calls `act`, at most once in `ms` milliseconds. */
function atMostEvery(ms: number, act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    act();
  };
}

/**
 * Span processor that exports spans in batches and removes texts from them, since messages of
 * failures may quote prompts and answers.
 *
 * It also samples, by OpenTelemetry's standard variables: a question's first span is created in its
 * workflow, which cannot read the environment. Traces are chosen by their ids, so that every worker
 * exports the same ones. A trace that its caller does not sample has no spans here.
 */
export class RedactingSpanProcessor extends BatchSpanProcessor {
  private readonly sampling = samplingBy(getEnv());

  override onEnd(span: ReadableSpan): void {
    const { traceId, traceState } = span.spanContext();
    const { followsCallers, share } = this.sampling;
    const isCallers = followsCallers && traceState?.get(TRACE_STATE_KEY) !== undefined;
    const { decision } = share.shouldSample(ROOT_CONTEXT, traceId);
    const isSent = isCallers || decision === SamplingDecision.RECORD_AND_SAMPLED;
    if (isSent) super.onEnd(withoutTexts(span));
  }
}

/**
 * Returns the sampler that chooses traces, and whether traces of sampled callers are always
 * exported.
 */
function samplingBy(env: ReturnType<typeof getEnv>) {
  const { OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: argument } = env;
  const ratio = sampler.endsWith('traceidratio') ? Number(argument ?? 1) : 1;
  return {
    followsCallers: sampler.startsWith('parentbased'),
    share: new TraceIdRatioBasedSampler(sampler.endsWith('always_off') ? 0 : ratio),
  };
}

/** Returns a view of a span without texts; it is no copy, since a span's fields may be getters. */
function withoutTexts(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: exportedAttributes(span.attributes) },
    status: { value: { code: span.status.code } },
    events: { value: span.events.map(withoutMessage) },
  });
}

function withoutMessage(event: TimedEvent): TimedEvent {
  const type = event.attributes?.['exception.type'];
  return { ...event, attributes: type === undefined ? {} : { 'exception.type': type } };
}
