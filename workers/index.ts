/**
 * Entry point for running workers: `import { durableRag, runWorker } from 'durable-rag/worker'`.
 */
export { durableRag } from './durable-rag.js';
export { prometheusMetrics } from './observe/metrics.js';
export type { DurableRagOptions, OwnParts, WorkerLimits } from './options.js';
export { type RunningWorker, type RunWorkerOptions, runWorker } from './run-worker.js';
export { type BundledWith, bundleWorkflows } from './workflow-bundle.js';
