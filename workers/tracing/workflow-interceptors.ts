/**
 * The SDK's tracing of workflows, bundled with them if traces are exported.
 *
 * A question continues the trace of the program that started it, if there is one. Questions of a run
 * begin traces of their own, since the run's would have hundreds of thousands of spans. Queries are
 * left out, since a client that follows a run sends one each second. Commands of workflows are the
 * same with and without tracing.
 */
import { createTraceState, type Span, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { ApplicationFailure } from '@temporalio/common';
import {
  OpenTelemetryInboundInterceptor,
  OpenTelemetryInternalsInterceptor,
  OpenTelemetryOutboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/workflow/index.js';
import type {
  ContinueAsNewInput,
  Next,
  QueryInput,
  StartChildWorkflowExecutionInput,
  WorkflowExecuteInput,
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { outcomeAttributes, TRACE_STATE_KEY } from './attributes.js';

class Inbound extends OpenTelemetryInboundInterceptor {
  /** Records on a question's span how it ended, without delaying it by a turn. */
  override execute(
    input: WorkflowExecuteInput,
    next: Next<WorkflowInboundCallsInterceptor, 'execute'>,
  ) {
    return super.execute(input, (given) => {
      const span = trace.getActiveSpan();
      if (span) markIfContinued(span);
      const tell = (result: unknown) => void span?.setAttributes(outcomeAttributes(result));
      const ended = next(given);
      ended.then(tell, (error) => {
        if (error instanceof ApplicationFailure) tell(error.details?.[0]);
      });
      return ended;
    });
  }

  override handleQuery(
    input: QueryInput,
    next: Next<WorkflowInboundCallsInterceptor, 'handleQuery'>,
  ) {
    return next(input);
  }
}

/** Marks the trace of a caller, so that spans below can be sampled as the caller decided. */
function markIfContinued(span: Span): void {
  const { parentSpanId } = span as Partial<ReadableSpan>;
  if (!parentSpanId) return;
  const spanContext = span.spanContext();
  const state = spanContext.traceState ?? createTraceState();
  spanContext.traceState = state.set(TRACE_STATE_KEY, 'caller');
}

class Outbound extends OpenTelemetryOutboundInterceptor {
  override startChildWorkflowExecution(
    input: StartChildWorkflowExecutionInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'startChildWorkflowExecution'>,
  ) {
    return next(input);
  }

  override continueAsNew(
    input: ContinueAsNewInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'continueAsNew'>,
  ) {
    return next(input);
  }
}

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [new Inbound()],
  outbound: [new Outbound()],
  internals: [new OpenTelemetryInternalsInterceptor()],
});
