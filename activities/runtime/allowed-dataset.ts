/** The data set that an input names, where the worker may read it. */
import { datasetFiles } from '../../evaluation/dataset/open-dataset.js';
import type { AllowedFiles } from '../../stores/allowed-files.js';

/**
 * Its path without links. Where it is a folder, its files are allowed as well.
 *
 * @throws Failure Permission for what is outside of the allowed folders; BadInput where it cannot
 *   be read.
 */
export async function allowedDataset(named: string, files: AllowedFiles): Promise<string> {
  const file = await files.resolve(named, 'data set');
  for (const part of await datasetFiles(file)) await files.resolve(part, 'data set');
  return file;
}
