/**
 * The SDK's tracing of workflows, bundled with them where traces are wanted.
 *
 * A question is a trace of its own: with those that a run starts inside the run's, one trace
 * would have hundreds of thousands of spans. Queries are left out: whoever follows a run asks every
 * second. Neither changes what a workflow commands.
 */
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
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';

class Inbound extends OpenTelemetryInboundInterceptor {
  override handleQuery(
    input: QueryInput,
    next: Next<WorkflowInboundCallsInterceptor, 'handleQuery'>,
  ) {
    return next(input);
  }
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
