/** Entry point for durable-rag.config.ts: `import { defineConfig } from 'durable-rag/config'`. */
import type { DurableRagOptions } from './worker-options.js';

export {
  type Dataset,
  type DatasetDeclaration,
  defineDataset,
} from '../evaluation/dataset/define-dataset.js';
export { type MappedDeclaration, mapDataset } from '../evaluation/dataset/map-fields.js';
export type { DurableRagOptions } from './worker-options.js';

/** Returns the options unchanged. Gives durable-rag.config.ts the type of the worker's options. */
export function defineConfig(options: DurableRagOptions): DurableRagOptions {
  return options;
}
