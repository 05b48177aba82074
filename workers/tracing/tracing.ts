/** Traces by OpenTelemetry. Loaded only where they are wanted: see `startTracing`. */
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
  type ReadableSpan,
  SamplingDecision,
  type TimedEvent,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import { packageRoot, packageVersion } from '../../stores/package-root.js';
import { type CallSpans, traceCalls } from '../observe/call-spans.js';
import { observing } from '../observe/observing.js';
import { attributesOf, tidied } from './attributes.js';
import {
  answerAttributes,
  batchedAttributes,
  errorAttributes,
  requestAttributes,
  spanName,
} from './model-call.js';

/** What a worker is made with so that it traces. */
export type Tracing = ReturnType<typeof tracing>;

/** As built: what bundles the workflows needs none of the sources. */
const WORKFLOW_INTERCEPTORS = join(
  packageRoot(),
  'dist',
  'workers',
  'tracing',
  'workflow-interceptors.js',
);

const LOST =
  'Spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT (by http/protobuf, most often port 4318), and are lost; questions go on without them.';

const propagator = new W3CTraceContextPropagator();

/** Between two warnings that spans are lost. */
const WARNED_MS = 60_000;

/** @param warn Told, once a minute at most, that spans cannot be sent. */
export function tracing(warn: (message: string) => void) {
  setGlobalErrorHandler(atMostEvery(WARNED_MS, () => warn(LOST)));
  const resource = Resource.default()
    .merge(new Resource({ 'service.name': 'durable-rag', 'service.version': packageVersion() }))
    .merge(detectResourcesSync({ detectors: [envDetectorSync] }));
  // A server that closes idle connections after as long as lies between two batches would lose one.
  const exporter = new OTLPTraceExporter({ httpAgentOptions: { keepAlive: false } });
  const spans = new TextlessSpans(exporter);
  const sampler = new AlwaysOnSampler();
  const provider = new NodeTracerProvider({ resource, sampler, spanProcessors: [spans] });
  // As the workflows have it, which cannot read the environment.
  provider.register({ propagator });
  traceCalls(callSpansOf(provider));
  return {
    /** The SDK's, which carries a trace from workflow to activity. Goes before ours. */
    plugin: new OpenTelemetryPlugin({ resource, spanProcessor: spans }),
    /** What says on the span of a step what it took, and what is bundled with workflows. */
    interceptors: {
      ...observing((observation) => {
        trace.getActiveSpan()?.setAttributes(attributesOf(observation));
      }),
      workflowModules: [WORKFLOW_INTERCEPTORS],
    },
    /** Sends what is left. */
    close: () => provider.shutdown().catch(() => warn(LOST)),
  };
}

/**
 * Makes the spans of requests, below that of the attempt that asks. That of an answer by batch begins
 * when its step was scheduled, and says of the step what no attempt can.
 */
function callSpansOf(provider: NodeTracerProvider): CallSpans {
  const tracer = provider.getTracer('durable-rag');
  return {
    here() {
      const carrier: { traceparent?: string } = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier.traceparent;
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
    tell(span, request, answered, since) {
      const parent = propagator.extract(ROOT_CONTEXT, { traceparent: span }, defaultTextMapGetter);
      const attributes = {
        ...attributesOf(answered),
        ...requestAttributes(request),
        ...batchedAttributes(answered),
      };
      const options = { kind: SpanKind.CLIENT, startTime: since, attributes };
      tracer.startSpan(spanName(request), options, parent).end();
    },
  };
}

function atMostEvery(ms: number, act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    act();
  };
}

/**
 * Sends spans without what they may have of prompts and answers: the messages of failures quote
 * what a provider said.
 *
 * It also samples. The first span of a question is made in its workflow, which knows nothing of the
 * environment; here the same share of all traces goes on, decided by their ids.
 */
export class TextlessSpans extends BatchSpanProcessor {
  private readonly sampler = new TraceIdRatioBasedSampler(sampledShare());

  override onEnd(span: ReadableSpan): void {
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, span.spanContext().traceId);
    if (decision === SamplingDecision.RECORD_AND_SAMPLED) super.onEnd(withoutTexts(span));
  }
}

/** A parent's sampler and one's own are the same here: each question begins its own trace. */
function sampledShare(): number {
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = getEnv();
  if (sampler?.endsWith('always_off')) return 0;
  return sampler?.endsWith('traceidratio') ? Number(share ?? 1) : 1;
}

/** A view of the span: one of a class has its fields behind getters. */
function withoutTexts(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: tidied(span.attributes) },
    status: { value: { code: span.status.code } },
    events: { value: span.events.map(withoutMessage) },
  });
}

function withoutMessage(event: TimedEvent): TimedEvent {
  const type = event.attributes?.['exception.type'];
  return { ...event, attributes: type === undefined ? {} : { 'exception.type': type } };
}
