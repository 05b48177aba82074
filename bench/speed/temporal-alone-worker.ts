/** A worker of Temporal's SDK alone, in a process of its own: its steps do nothing. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { installRuntime } from '../../cli/runtime.js';
import { quietReporter } from './quiet-reporter.js';
import { serve } from './remote.js';
import { usage, type WorkerRequest, type WorkerUsage } from './worker-usage.js';

const text = (bytes: number) => 'x'.repeat(bytes);
const PASSAGES = Array.from({ length: 10 }, (_, at) => ({ id: `passage-${at}`, score: at }));
const SUMMARY = { text: text(600), usage: text(120) };
const VERDICT = { verdict: true, usage: text(150) };

export const steps = {
  prepare: async (question: string) => ({ question, settings: text(600) }),
  retrieve: async (_question: string) => PASSAGES,
  generateCandidates: async (_input: object, _settings: string) => [
    'Marta Lindqvist',
    'Otto Renner',
  ],
  summarize: async (_input: object, _settings: string) => SUMMARY,
  validate: async (_input: object, _settings: string) => VERDICT,
  rankPair: async (_input: object, _settings: string) => VERDICT,
};

await installRuntime(quietReporter);
const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
const worker = await Worker.create({
  connection,
  namespace: 'default',
  taskQueue: process.env.TASK_QUEUE ?? '',
  workflowsPath: fileURLToPath(new URL('temporal-alone-workflow.js', import.meta.url)),
  activities: steps,
  // As the worker under measurement: each task begins the steps that follow from it by itself.
  maxEagerActivityReservationsPerWorkflowTask: 8,
});
const ended = worker.run();

serve<WorkerRequest, WorkerUsage>(usage, async () => {
  worker.shutdown();
  await ended;
  await connection.close();
});
