/** Encrypts the inputs, results, failures and heartbeats that Temporal stores. */
import { Failure } from '../../core/failure.js';
import { ENCRYPTION_KEYS, type Keyring, readKeyring } from './keyring.js';

/** A payload of Temporal, in the shape of Temporal's own type. */
export interface CodecPayload {
  metadata?: { [name: string]: Uint8Array } | null;
  data?: Uint8Array | null;
}

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const CONTEXT = 'temporal-payload';

/** A payload codec for Temporal's data converter. It decodes unencrypted payloads as they are. */
export interface EncryptionCodec {
  encode<P extends CodecPayload>(payloads: P[]): Promise<P[]>;
  decode<P extends CodecPayload>(payloads: P[]): Promise<P[]>;
}

/**
 * Returns the payload codec that encrypts with the first key of a keyring and decrypts with all.
 *
 * @example createClient({ codec: [encryptionCodec(keyring)] })
 */
export function encryptionCodec(keys: Keyring): EncryptionCodec {
  return {
    encode: async (payloads) =>
      payloads.map((payload) => {
        const { keyId, data } = keys.seal(pack(payload), CONTEXT);
        const metadata = { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(keyId) };
        return { ...payload, metadata, data };
      }),
    decode: async (payloads) =>
      payloads.map((payload) => {
        const { metadata, data } = payload;
        if (textOf(metadata?.encoding) !== ENCODING) return payload;
        const sealed = { keyId: textOf(metadata?.[KEY_ID]), data: Buffer.from(data ?? []) };
        return { ...payload, ...unpack(keys.open(sealed, CONTEXT)) };
      }),
  };
}

/**
 * The payload codec without keys: it sends plain text, and throws Failure Permission for an
 * encrypted payload.
 */
export const codecWithoutKeys: EncryptionCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => {
    if (payloads.every(({ metadata }) => textOf(metadata?.encoding) !== ENCODING)) return payloads;
    throw new Failure(
      'Permission',
      `The workers encrypt what they send, and there is no key to read it: set ${ENCRYPTION_KEYS}, or encryptionKeys of createClient, as the workers have it.`,
    );
  },
};

/**
 * Returns the payload codecs for the data converter of your own Temporal client of durable-rag's
 * workers. Without keys they send plain text, and reading an encrypted payload throws Failure
 * Permission.
 *
 * @param encryptionKeys Keys of payloads, the same as the workers'. Default:
 * DURABLE_RAG_ENCRYPTION_KEYS.
 * @throws Failure BadInput naming the wrong key, without showing it.
 */
export function payloadCodecs(
  encryptionKeys: string | undefined = process.env[ENCRYPTION_KEYS],
): EncryptionCodec[] {
  return codecsOf<EncryptionCodec>(undefined, readKeyring(encryptionKeys)) ?? [codecWithoutKeys];
}

/**
 * Returns an array of the given codecs; if there are none, of the one codec that encrypts with the
 * keys; undefined without keys too.
 */
export function codecsOf<C>(
  given: readonly C[] | undefined,
  keys: Keyring | undefined,
): (C | EncryptionCodec)[] | undefined {
  if (given && given.length > 0) return [...given];
  return keys && [encryptionCodec(keys)];
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

/** Returns a payload as bytes: the length of the metadata, the metadata as JSON, the data. */
function pack({ metadata, data }: CodecPayload): Buffer {
  const named = Object.entries(metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(named)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, data ?? Buffer.alloc(0)]);
}

function unpack(packed: Buffer): Required<CodecPayload> {
  const end = 4 + packed.readUInt32BE();
  const head: unknown = JSON.parse(packed.subarray(4, end).toString());
  if (typeof head !== 'object' || head === null) throw new Failure('Unexpected', 'No metadata.');
  const metadata = Object.entries(head).map(([name, value]) => [
    name,
    Buffer.from(String(value), 'base64'),
  ]);
  return { metadata: Object.fromEntries(metadata), data: packed.subarray(end) };
}
