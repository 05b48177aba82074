import { basename } from 'node:path';
import type { Snapshot } from '../core/dataset-record.js';
import { type ReadOptions, readDataset } from '../evaluation/dataset/read-dataset.js';
import { refOf, type Snapshots, snapshots } from '../evaluation/dataset/snapshots.js';
import { isDataAddress } from '../files/data-address.js';
import type { FetchDataOptions, FetchedData } from '../files/fetch-data.js';
import { readConfig } from '../workers/config.js';
import type { OwnParts } from '../workers/options.js';
import { DATASETS, openNamespace } from '../workers/stores.js';

/** How a file is read, and what it is called. */
export interface PutOptions extends Omit<ReadOptions, 'onRecord'> {
  /** The name of what is put, until something else gets it, or it is removed. */
  name?: string | undefined;
}

/** A data set of the store. */
export interface StoredDataset extends Snapshot {
  /** Its name in the input of a run: `sha256:` and the hash. */
  dataset: string;
}

/** The data sets of a store. */
export interface Datasets extends Omit<Snapshots, 'name' | 'put'> {
  /**
   * Reads a file, checks all of it, and stores its questions.
   *
   * @param file A path, or an address from which the file is fetched once: `hf:OWNER/NAME/PATH`,
   *   `flashrag:SET/SPLIT`, `https://...`.
   * @throws Failure BadInput for a bad file, naming the place, and for a bad name; nothing is stored.
   */
  put(file: string, options?: PutOptions): Promise<StoredDataset>;
  /** Stores questions that are given, under what their file is called. */
  keep: Snapshots['put'];
  close(): Promise<void>;
}

/**
 * Opens the data sets where the workers of this environment (DURABLE_RAG_STORE) look for them.
 *
 * @param own What the workers were given in place of it, and data sets of one's own, by which files are
 *   read.
 * @throws Failure that names the variable to change when the store cannot be opened.
 * @example
 * const datasets = await openDatasets();
 * const { dataset } = await datasets.put('nq.jsonl.gz');
 * await client.startRun({ run: 'nq-sure', method: 'sure', dataset, corpus: 'wiki' });
 */
export async function openDatasets(
  env: NodeJS.ProcessEnv = process.env,
  own: Pick<OwnParts, 'datasets' | 'encryptionKeys' | 'store'> = {},
): Promise<Datasets> {
  const store = await openNamespace(readConfig(env, own), DATASETS, own.store);
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
      return { ...stored, dataset: refOf(stored) };
    },
    close: () => store.close(),
  };
}

/** Loads what fetches only if something is to be fetched. */
async function fetching(named: string, options: FetchDataOptions): Promise<FetchedData> {
  const { fetchData } = await import('../files/fetch-data.js');
  return fetchData(named, options);
}
