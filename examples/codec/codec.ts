/** A codec of one's own: payloads are encrypted with AES-256-GCM, here with the key of a secret. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { PayloadCodec } from '@temporalio/common';

const INNER = 'inner-encoding';
const OURS = Buffer.from('binary/example');

export function codecOf(secret: string): PayloadCodec {
  const key = scryptSync(secret, 'durable-rag example', 32);
  return {
    encode: async (payloads) =>
      payloads.map(({ metadata, data }) => {
        const nonce = randomBytes(12);
        const cipher = createCipheriv('aes-256-gcm', key, nonce);
        const sealed = [nonce, cipher.update(data ?? Buffer.alloc(0)), cipher.final()];
        const { encoding = Buffer.alloc(0), ...rest } = metadata ?? {};
        return {
          metadata: { ...rest, encoding: OURS, [INNER]: encoding },
          data: Buffer.concat([...sealed, cipher.getAuthTag()]),
        };
      }),
    decode: async (payloads) =>
      payloads.map((payload) => {
        const { [INNER]: encoding, ...rest } = payload.metadata ?? {};
        if (encoding === undefined) return payload;
        const data = Buffer.from(payload.data ?? []);
        const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, 12));
        decipher.setAuthTag(data.subarray(-16));
        const plain = [decipher.update(data.subarray(12, -16)), decipher.final()];
        return { metadata: { ...rest, encoding }, data: Buffer.concat(plain) };
      }),
  };
}
