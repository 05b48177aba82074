/** The namespaces of the store, how each is opened, and what may be forgotten of it. */
import { inDeployment } from '../stores/deployment.js';
import { encryptedStore } from '../stores/encryption/encrypted-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { openStore } from '../stores/open-store.js';
import type { WorkerConfig } from './config.js';

/** The namespace of the store that vectors are kept in. */
export const EMBEDDINGS = 'embeddings';
/** The namespace of the store that supplied passages are kept in. */
export const PASSAGES = 'passages';

/** Kept so that nothing is paid for twice: what is forgotten is paid for again when it is needed. */
export const CACHES = ['responses', EMBEDDINGS, 'relevance'] as const;

/** What runs, questions and limits refer to: it goes with them. */
export const KEPT = [PASSAGES, 'demonstrations', 'rates'] as const;

/** How stores are opened. */
export type StoreConfig = Pick<WorkerConfig, 'deployment' | 'keyring' | 'storeUrl'>;

/** Opens a namespace of the deployment's store. @throws as `openStore`. */
export async function openNamespace(
  { storeUrl, deployment, keyring }: StoreConfig,
  name: string,
): Promise<KeyValueStore> {
  return encrypted(await openStore(storeUrl, inDeployment(name, deployment)), name, keyring);
}

/** A store of a namespace, encrypted where there are keys. */
export function encrypted(
  store: KeyValueStore,
  name: string,
  keyring: WorkerConfig['keyring'],
): KeyValueStore {
  return keyring === undefined ? store : encryptedStore(store, keyring, name);
}
