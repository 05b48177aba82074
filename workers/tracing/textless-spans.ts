import { ROOT_CONTEXT } from '@opentelemetry/api';
import { getEnv } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  type TimedEvent,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { tidied } from './attributes.js';

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
