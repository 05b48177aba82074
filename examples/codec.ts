/** What Temporal keeps is encrypted: `durableRag({ codec })` and `createClient({ codec })`. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

const ENCODING = 'binary/encrypted';
const { Payload: Wire } = temporal.api.common.v1;

/** @param key 32 bytes; workers and clients have the same. */
export function encryption(key: Buffer): PayloadCodec {
  const encrypt = (payload: Payload): Payload => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = [cipher.update(Wire.encode(payload).finish()), cipher.final()];
    return {
      metadata: { encoding: Buffer.from(ENCODING) },
      data: Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]),
    };
  };
  const decrypt = (payload: Payload): Payload => {
    if (Buffer.from(payload.metadata?.encoding ?? []).toString() !== ENCODING) return payload;
    const data = Buffer.from(payload.data ?? []);
    const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, 12));
    decipher.setAuthTag(data.subarray(-16));
    return Wire.decode(Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]));
  };
  return {
    encode: async (payloads) => payloads.map(encrypt),
    decode: async (payloads) => payloads.map(decrypt),
  };
}
