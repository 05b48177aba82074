/** A workflow whose passages and last step come from Python, and whose reading is ours. */
import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { MethodResult, MethodWorkflows, Passage } from 'durable-rag/workflows';

export * from 'durable-rag/workflows';

/** As worker.py defines them; Temporal carries arguments and results as JSON. */
const { search, shout } = proxyActivities<{
  search(query: string, count: number): Promise<Omit<Passage, 'id'>[]>;
  shout(answer: string): Promise<string>;
}>({ taskQueue: 'animals-in-python', startToCloseTimeout: '1 minute' });

export async function askPython(question: string): Promise<string> {
  const input = { question, retrieval: { passages: await search(question, 1) } };
  const { answer }: MethodResult = await executeChild<MethodWorkflows['base']>('base', {
    args: [input],
  });
  return shout(answer ?? 'I do not know');
}
