/** What the worker's bundle is made of: our workflows, and one of its own that asks them. */
import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { MethodResult, MethodWorkflows } from 'durable-rag/workflows';
import type { send as post } from './worker.js';

export * from 'durable-rag/workflows';

const { send } = proxyActivities<{ send: typeof post }>({ startToCloseTimeout: '1 minute' });

/** Reads the answer to a letter from what came with it, and sends it back. */
export async function answerLetter(question: string, passages: { title: string; text: string }[]) {
  const input = { question, retrieval: { passages } };
  const { answer }: MethodResult = await executeChild<MethodWorkflows['base']>('base', {
    args: [input],
  });
  return send(answer ?? 'I do not know.');
}
