/** Keys for encrypting stored values with AES-256-GCM, each key with an id. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Failure } from '../../core/failure.js';

/**
 * Name of the environment variable with the encryption keys, in the form that `readKeyring`
 * parses.
 */
export const ENCRYPTION_KEYS = 'DURABLE_RAG_ENCRYPTION_KEYS';

const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];
const KEY_ID = /^[A-Za-z0-9._-]{1,50}$/;

/** An encrypted value, with the id of its key. */
interface Sealed {
  keyId: string;
  /** Nonce, ciphertext and tag. */
  data: Buffer;
}

/**
 * The encryption keys of a deployment, with functions that encrypt bytes by the first and decrypt
 * bytes by any of them.
 */
export interface Keyring {
  /**
   * Encrypts with the first key. @param context Text that identifies the value; `open` needs the
   * same.
   */
  seal(plain: Uint8Array, context: string): Sealed;
  /** Decrypts. @throws Failure Permission if the key is missing or the data was changed. */
  open(sealed: Sealed, context: string): Buffer;
}

/**
 * Parses encryption keys in the form `ID:KEY,ID:KEY`, each key 32 bytes in base64; returns
 * undefined if the text is empty or undefined. The first key encrypts and all of them decrypt, so
 * put a new key first and keep the old ones.
 *
 * @throws Failure BadInput with the position of a wrong key, or the id that two keys have; it shows
 * no key.
 */
export function readKeyring(text: string | undefined): Keyring | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const keys = new Map<string, Buffer>();
  for (const [i, part] of text.split(',').entries()) {
    const [id = '', ...rest] = part.trim().split(':');
    const key = Buffer.from(rest.join(':'), 'base64');
    if (!KEY_ID.test(id) || key.length !== KEY_BYTES) {
      throw new Failure(
        'BadInput',
        `${ENCRYPTION_KEYS}: key ${i + 1} is not ID:KEY, with an id of letters and digits and a key of 32 bytes in base64. Make one with: openssl rand -base64 32`,
      );
    }
    if (keys.has(id))
      throw new Failure('BadInput', `${ENCRYPTION_KEYS}: two keys are called ${id}.`);
    keys.set(id, key);
  }
  return keyring(keys);
}

function keyring(keys: ReadonlyMap<string, Buffer>): Keyring {
  const [newest] = keys;
  if (!newest) throw new RangeError('A keyring needs a key.');
  const [keyId, first] = newest;
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce);
      cipher.setAAD(Buffer.from(`${keyId}\n${context}`));
      const data = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      return { keyId, data: Buffer.concat(data) };
    },
    open({ keyId: id, data }, context) {
      const key = keys.get(id);
      if (key === undefined) {
        throw new Failure(
          'Permission',
          `Something is encrypted with the key ${JSON.stringify(id.slice(0, 50))}, which ${ENCRYPTION_KEYS} does not have: add it behind the others.`,
        );
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(`${id}\n${context}`));
        decipher.setAuthTag(data.subarray(-TAG_BYTES));
        return Buffer.concat([
          decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]);
      } catch {
        throw new Failure(
          'Permission',
          `Something that was encrypted with the key ${id} cannot be decrypted: it was changed, or the key of that id is another one.`,
        );
      }
    },
  };
}
