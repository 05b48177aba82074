import { basename } from 'node:path';
import type { Snapshot } from '../core/dataset-record.js';
import { type ReadOptions, readDataset } from '../evaluation/dataset/read-dataset.js';
import { type Snapshots, snapshotRef, snapshots } from '../evaluation/dataset/snapshots.js';
import { isDataAddress } from '../files/data-address.js';
import type { FetchDataOptions, FetchedData } from '../files/fetch-data.js';
import { readConfig } from '../workers/config.js';
import { DATASETS_NAMESPACE, openNamespace } from '../workers/store-namespaces.js';
import type { OwnParts } from '../workers/worker-options.js';

/** Options for `Datasets.put`: how the file is read, and the name of the data set. */
export interface PutOptions extends Omit<ReadOptions, 'onRecord'> {
  /** Name of the data set. Any other data set loses that name. */
  name?: string | undefined;
}

/**
 * A stored data set: its hash, source and number of questions, and its reference for the inputs of
 * runs.
 */
export interface StoredDataset extends Snapshot {
  /** Reference to it in the input of a run: `sha256:` and the hash. */
  dataset: string;
}

/** The data sets in a store: reads files into it, and lists, reads and deletes stored data sets. */
export interface Datasets extends Omit<Snapshots, 'name' | 'put'> {
  /**
   * Reads and checks a file, and stores its questions.
   *
   * @param file A path, or an address from which the file is fetched once: `hf:OWNER/NAME/PATH`,
   * `flashrag:SET/SPLIT`, `https://...`.
   * @throws Failure BadInput for a bad file, naming the place, and for a bad name; nothing is
   * stored.
   */
  put(file: string, options?: PutOptions): Promise<StoredDataset>;
  /** Stores questions that a program passes, with a file name for reference, in place of a file. */
  keep: Snapshots['put'];
  close(): Promise<void>;
}

/**
 * Opens the data sets in the store that the workers of this environment use (DURABLE_RAG_STORE).
 * They must be closed.
 *
 * @param own The same options as the workers have in place of variables, and custom data sets for
 * reading files.
 * @throws Failure that names the variable to change if the store cannot be opened.
 * @example
 * const datasets = await openDatasets();
 * const { dataset } = await datasets.put('nq.jsonl.gz');
 * await client.startRun({ run: 'nq-sure', method: 'sure', dataset, corpus: 'wiki' });
 */
export async function openDatasets(
  env: NodeJS.ProcessEnv = process.env,
  own: Pick<OwnParts, 'datasets' | 'encryptionKeys' | 'store'> = {},
): Promise<Datasets> {
  const store = await openNamespace(readConfig(env, own), DATASETS_NAMESPACE, own.store);
  const { put, name: call, ...others } = snapshots(store);
  return {
    ...others,
    keep: put,
    async put(named, { name, ...options } = {}) {
      const read = { datasets: own.datasets, ...options };
      const { signal } = options;
      const fetched = isDataAddress(named) ? await fetching(named, { env, signal }) : undefined;
      const file = fetched?.file ?? named;
      const stored = await put(() => readDataset(file, read), basename(file), fetched?.source);
      if (name !== undefined) await call(name, stored.sha256);
      return { ...stored, dataset: snapshotRef(stored) };
    },
    close: () => store.close(),
  };
}

/** Fetches a file from an address. Loads the code for it only when needed. */
async function fetching(named: string, options: FetchDataOptions): Promise<FetchedData> {
  const { fetchData } = await import('../files/fetch-data.js');
  return fetchData(named, options);
}
