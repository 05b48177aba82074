/**
 * The SDK's tracing of workflows, bundled with them where traces are wanted.
 *
 * A question is a trace of its own: with those that a run starts inside the run's, one trace
 * would have hundreds of thousands of spans. Queries are left out: whoever follows a run asks every
 * second. Neither changes what a workflow commands.
 */
import { trace } from '@opentelemetry/api';
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
import { outcomeAttributes } from './attributes.js';

class Inbound extends OpenTelemetryInboundInterceptor {
  /** Says on the span of a question how it ended. Looks on, so that nothing comes a turn later. */
  override execute(
    input: WorkflowExecuteInput,
    next: Next<WorkflowInboundCallsInterceptor, 'execute'>,
  ) {
    return super.execute(input, (given) => {
      const span = trace.getActiveSpan();
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
