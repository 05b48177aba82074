/** Handles of questions: their results and progress, and cancelling them. */
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { MethodResult, QuestionFailure } from '../core/result.js';
import { noUsage } from '../core/usage.js';
import type { Progress } from '../workflows/run/progress.js';
import { queryProgress, usageUntilStopped } from './job.js';
import { awaitResult } from './server-away.js';

/**
 * Handle of a question that was started or joined: waits for its result, queries its progress,
 * cancels it.
 *
 * @typeParam C The chain in its result.
 */
export type QuestionHandle<C> = ReturnType<typeof questionHandle<C>>;

/**
 * Returns a handle of a question, made from the handle of its workflow.
 *
 * @param method Name of the method.
 * @param questionOf Returns the text of the question; called only if its workflow left no result.
 */
export function questionHandle<C>(
  handle: WorkflowHandle,
  method: string,
  questionOf: () => string | Promise<string>,
) {
  const { workflowId } = handle;
  return {
    workflowId,
    /**
     * Waits for the end. A question that failed, was cancelled or was terminated also has a result,
     * with outcome "failed" and the reason in `failure`.
     *
     * @throws Only if the server cannot be reached or has no such question.
     */
    async result(): Promise<MethodResult<C>> {
      try {
        return await awaitResult<MethodResult<C>>(handle);
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
        const { cause } = error;
        const kept = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
        if (kept) return kept as MethodResult<C>;
        const question = await questionOf();
        return {
          workflowId,
          method,
          question,
          outcome: 'failed',
          failure: failureOf(error),
          answer: null,
          evidence: [],
          chain: null,
          retrievals: 0,
          steps: {},
          flags: [],
          usage: (await usageUntilStopped(handle)) ?? noUsage,
        };
      }
    },
    /** Returns the current progress, which a worker computes. */
    progress: () => queryProgress<Progress>(handle),
    /**
     * Returns why the last worker could not run the question, such as a missing workflow; undefined if
     * it could, or if no worker has tried.
     */
    async refusal(): Promise<string | undefined> {
      const { events } = await handle.fetchHistory();
      const [last] = (events ?? [])
        .flatMap(
          ({
            workflowTaskFailedEventAttributes: failed,
            workflowTaskCompletedEventAttributes: done,
          }) => (failed || done ? [failed?.failure?.message ?? undefined] : []),
        )
        .slice(-1);
      return last;
    },
    /** Cancels the question; running calls are aborted within seconds. */
    async cancel(): Promise<void> {
      await handle.cancel();
    },
  };
}

function failureOf({ cause, message }: WorkflowFailedError): QuestionFailure {
  const step = null;
  if (cause instanceof CancelledFailure) {
    return { type: 'Cancelled', message: 'The question was cancelled.', step };
  }
  if (cause instanceof TerminatedFailure) {
    return { type: 'Terminated', message: 'The workflow was terminated.', step };
  }
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'Unexpected') : 'Unexpected';
  return { type, message: cause?.message ?? message, step };
}
