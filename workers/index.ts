/**
 * Entry point for running workers: `import { durableRag, runWorker } from 'durable-rag/worker'`.
 */
export { durableRag } from './durable-rag.js';
export { prometheusMetrics } from './observe/meter.js';
export { type RunningWorker, type RunWorkerOptions, runWorker } from './run-worker.js';
export type { DurableRagOptions, OwnParts, WorkerLimits } from './worker-options.js';
export { type BundledWith, bundleWorkflows } from './workflow-bundle.js';
