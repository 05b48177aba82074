/** What a durable-rag.config.ts imports: `import { defineConfig } from 'durable-rag/config'`. */
import type { DurableRagOptions } from './options.js';

export {
  type Dataset,
  type DatasetDeclaration,
  defineDataset,
} from '../evaluation/dataset/define-dataset.js';
export { type MappedDeclaration, mapDataset } from '../evaluation/dataset/map-fields.js';
export type { DurableRagOptions } from './options.js';

/** Gives the options of a durable-rag.config.ts their types. */
export function defineConfig(options: DurableRagOptions): DurableRagOptions {
  return options;
}
