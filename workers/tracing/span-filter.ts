/** What leaves the worker of a span: no message, no stack, no text; and of how many traces. */
import { ROOT_CONTEXT } from '@opentelemetry/api';
import {
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type Span,
  type SpanProcessor,
  type TimedEvent,
} from '@opentelemetry/sdk-trace-node';
import { tidied } from './attributes.js';

/**
 * Hands spans on without what they may have of prompts and answers: the messages of failures quote
 * what a provider said.
 *
 * It also samples. The first span of a question is made in its workflow, which knows nothing of the
 * environment; here the same share of all traces goes on, decided by their ids.
 */
export class SpanFilter implements SpanProcessor {
  constructor(
    private readonly next: SpanProcessor,
    private readonly sampler: Sampler,
  ) {}

  onStart(span: Span, context: Parameters<SpanProcessor['onStart']>[1]): void {
    this.next.onStart(span, context);
  }

  onEnd(span: ReadableSpan): void {
    const { traceId } = span.spanContext();
    const { name, kind } = span;
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, traceId, name, kind, {}, []);
    if (decision === SamplingDecision.RECORD_AND_SAMPLED) this.next.onEnd(withoutTexts(span));
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
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
