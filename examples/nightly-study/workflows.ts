/** A night's study: the same questions by two methods, and a gate on what the second one gains. */
import { ApplicationFailure, executeChild, workflowInfo } from '@temporalio/workflow';
import type { evaluateRun } from 'durable-rag/workflows';

export * from 'durable-rag/workflows';

export interface Night {
  dataset: Parameters<typeof evaluateRun>[0]['dataset'];
  /** The one to beat, and the other. */
  methods: [string, string];
  metric: string;
  /** What the second one must gain. */
  least: number;
}

export async function nightly({ dataset, methods, metric, least }: Night): Promise<string> {
  // Not the date alone: a night that is triggered again is a study of its own.
  const name = `nightly-${workflowInfo().startTime.toISOString().replace(/\W/g, '-')}`;
  const asked = methods.map((method, place) => {
    // Under these labels `durable-rag study table` shows the night.
    const labels = { name, method, dataset: 'questions', model: 'default', repeat: 1, place };
    const input = { run: `${name}-${method}`, method, dataset, study: labels };
    const workflowId = `eval/${input.run}`;
    return executeChild<typeof evaluateRun>('evaluateRun', { workflowId, args: [input] });
  });
  const [before, after] = (await Promise.all(asked)).map(({ scores }) => {
    const { sum = 0, questions = 0 } = scores[metric] ?? {};
    return sum / questions;
  });
  const told = `${methods[1]} has ${metric} ${after}, ${methods[0]} ${before}`;
  if (Number(after) - Number(before) >= least) return told;
  throw ApplicationFailure.nonRetryable(`${told}: less than ${least} more`, 'GateFailed');
}
