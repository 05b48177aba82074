import { basename } from 'node:path';
import type { Snapshot } from '../core/dataset-record.js';
import { type ReadOptions, readDataset } from '../evaluation/dataset/read-dataset.js';
import { refOf, type Snapshots, snapshots } from '../evaluation/dataset/snapshots.js';
import { isDataAddress } from '../files/data-address.js';
import type { FetchDataOptions, FetchedData } from '../files/fetch-data.js';
import { readConfig } from '../workers/config.js';
import type { OwnParts } from '../workers/options.js';
import { DATASETS, openNamespace } from '../workers/store-namespaces.js';

/** How a file is read, and its name. */
export interface PutOptions extends Omit<ReadOptions, 'onRecord'> {
  /** Name of the data set, until another one gets it or it is removed. */
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
   * Reads and checks a file, and stores its questions.
   *
   * @param file A path, or an address from which the file is fetched once: `hf:OWNER/NAME/PATH`,
   * `flashrag:SET/SPLIT`, `https://...`.
   * @throws Failure BadInput for a bad file, naming the place, and for a bad name; nothing is
   * stored.
   */
  put(file: string, options?: PutOptions): Promise<StoredDataset>;
  /** Stores given questions, under the name of their file. */
  keep: Snapshots['put'];
  close(): Promise<void>;
}

/**
 * Opens the data sets of this environment's workers (DURABLE_RAG_STORE).
 *
 * @param own Options that the workers were given instead, and custom data sets, which read files.
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

/** Loads the code that fetches only if something must be fetched. */
async function fetching(named: string, options: FetchDataOptions): Promise<FetchedData> {
  const { fetchData } = await import('../files/fetch-data.js');
  return fetchData(named, options);
}
