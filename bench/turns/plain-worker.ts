/** The worker of the usual agent, in a process of its own. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { installRuntime } from '../../cli/runtime.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { CORPUS } from '../speed/corpus.js';
import { quietReporter } from '../speed/quiet-reporter.js';
import { serve } from '../speed/remote.js';
import { usage, type WorkerRequest, type WorkerUsage } from '../speed/worker-usage.js';

const { DURABLE_RAG_HOME = '', OPENAI_BASE_URL = '', TEMPORAL_ADDRESS, TASK_QUEUE } = process.env;
/** A message as endpoints take it. */
export interface Message {
  role: 'assistant' | 'user';
  content: string;
}

/** Passages of a search. */
const PASSAGES = 10;

await installRuntime(quietReporter);
const retriever = await openCorpora(join(DURABLE_RAG_HOME, 'corpora')).open(CORPUS);

export const steps = {
  async askModel(messages: readonly Message[]): Promise<string> {
    const body = JSON.stringify({ model: 'mock-1', messages });
    const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, { method: 'POST', body });
    const { choices } = (await response.json()) as { choices: [{ message: Message }] };
    return choices[0].message.content;
  },
  async search(query: string) {
    const found = await retriever.search(query, PASSAGES);
    return retriever.get(found.map(({ id }) => id));
  },
};

const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS ?? '' });
const worker = await Worker.create({
  connection,
  taskQueue: TASK_QUEUE ?? '',
  workflowsPath: fileURLToPath(new URL('plain-workflow.js', import.meta.url)),
  activities: steps,
});
const ended = worker.run();

serve<WorkerRequest, WorkerUsage>(usage, async () => {
  worker.shutdown();
  await ended;
  await connection.close();
});
