/** What is told of a run to people elsewhere. Pure. */
import { basename } from 'node:path';
import type { RunManifest } from './run-store.js';

/** The manifest without where the data set lies on the machine that asked: its name says enough. */
export function sharedManifest(manifest: RunManifest): RunManifest {
  const { input, dataset } = manifest;
  return {
    ...manifest,
    input: { ...input, dataset: basename(input.dataset) },
    dataset: { ...dataset, file: basename(dataset.file) },
  };
}
