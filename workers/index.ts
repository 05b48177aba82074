/** What a program imports to run workers of its own: `import { runWorker } from 'durable-rag/worker'`. */
export { type RunningWorker, runWorker, type WorkerOptions } from './run-worker.js';
