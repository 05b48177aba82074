import { Failure } from '../../core/failure.js';
import type { KeyValueStore } from '../key-value-store.js';
import { ENCRYPTION_KEYS, type Keyring } from './keyring.js';

/** Prefix of encrypted values; no other value begins with it. */
const MARK = 'encrypted:1:';

/**
 * Returns a store that encrypts values. Unencrypted values are read as they are, and encrypted when
 * they are written again. A value that was moved to another key cannot be read. Without keys it
 * writes plain text, and reading an encrypted value throws Failure Permission.
 *
 * @param namespace Namespace of the store, so that a value fits no other store.
 */
export function encryptedStore(
  store: KeyValueStore,
  keys: Keyring | undefined,
  namespace: string,
): KeyValueStore {
  const contextOf = (key: string) => `${namespace}\n${key}`;
  function seal(key: string, value: string): string {
    if (!keys) return value;
    const { keyId, data } = keys.seal(Buffer.from(value), contextOf(key));
    return `${MARK}${keyId}:${data.toString('base64')}`;
  }
  function open(key: string, kept: string): string {
    if (!kept.startsWith(MARK)) return kept;
    if (!keys) throw withoutKeys();
    const at = kept.indexOf(':', MARK.length);
    const keyId = kept.slice(MARK.length, at);
    const data = Buffer.from(kept.slice(at + 1), 'base64');
    return keys.open({ keyId, data }, contextOf(key)).toString();
  }
  return {
    async get(key) {
      const kept = await store.get(key);
      return kept === undefined ? undefined : open(key, kept);
    },
    set: (key, value) => store.set(key, seal(key, value)),
    setIfAbsent: (key, value) => store.setIfAbsent(key, seal(key, value)),
    async compareAndSet(key, before, value) {
      // Encrypting one text twice gives different results, so the stored text is compared.
      const kept = keys ? await store.get(key) : before;
      if (kept === undefined || open(key, kept) !== before) return false;
      return store.compareAndSet(key, kept, seal(key, value));
    },
    delete: (key) => store.delete(key),
    list: (prefix) => store.list(prefix),
    close: () => store.close(),
  };
}

function withoutKeys(): Failure {
  return new Failure(
    'Permission',
    `The store contains encrypted values, and there is no key to read them: set ${ENCRYPTION_KEYS} as on the workers.`,
  );
}
