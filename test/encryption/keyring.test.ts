/** Keys, payloads and stores that are encrypted: nothing in clear, nothing changed unseen, old keys read. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenForCodec } from '../../client/codec-server.js';
import { encryptedStore } from '../../stores/encryption/encrypted-store.js';
import { type Keyring, readKeyring } from '../../stores/encryption/keyring.js';
import { type CodecPayload, encryptionCodec } from '../../stores/encryption/payload-codec.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { allOf, holdsTo } from '../support/contract.js';
import { byName } from '../support/stores.js';

const made = () => randomBytes(32).toString('base64');
const [OLD, NEW] = [made(), made()];

function ring(text: string): Keyring {
  const keys = readKeyring(text);
  if (!keys) throw new Error('no key');
  return keys;
}

const SECRET = 'Where is the violet archive of Ambergate?';

describe('keys', () => {
  test('are none where nothing is set', () => {
    expect(readKeyring(undefined)).toBeUndefined();
    expect(readKeyring('')).toBeUndefined();
  });

  test('open what they sealed, for the same use only', () => {
    const keys = ring(`a:${OLD}`);
    const sealed = keys.seal(Buffer.from(SECRET), 'one');
    expect(keys.open(sealed, 'one').toString()).toBe(SECRET);
    expect(() => keys.open(sealed, 'two')).toThrow('cannot be decrypted');
    expect(keys.seal(Buffer.from(SECRET), 'one').data).not.toEqual(sealed.data);
  });

  test('notice every bit that was changed', () => {
    const keys = ring(`a:${OLD}`);
    const { keyId, data } = keys.seal(Buffer.from('x'), '');
    for (let i = 0; i < data.length * 8; i++) {
      const changed = Buffer.from(data);
      changed.writeUInt8(changed.readUInt8(i >> 3) ^ (1 << (i & 7)), i >> 3);
      expect(() => keys.open({ keyId, data: changed }, '')).toThrow('cannot be decrypted');
    }
  });

  test('rotate: the new one in front encrypts, the old one still decrypts', () => {
    const before = ring(`old:${OLD}`).seal(Buffer.from(SECRET), '');
    const both = ring(`new:${NEW},old:${OLD}`);
    expect(both.open(before, '').toString()).toBe(SECRET);
    const after = both.seal(Buffer.from(SECRET), '');
    expect(after.keyId).toBe('new');
    expect(ring(`new:${NEW}`).open(after, '').toString()).toBe(SECRET);
    expect(() => ring(`new:${NEW}`).open(before, '')).toThrow('the key "old", which');
    expect(() => ring(`new:${OLD}`).open(after, '')).toThrow('the key of that id is another one');
  });
});

describe('payloads', () => {
  const codec = encryptionCodec(ring(`a:${OLD}`));
  const payload: CodecPayload = {
    metadata: { encoding: Buffer.from('json/plain'), messageType: Buffer.from(SECRET) },
    data: Buffer.from(JSON.stringify(SECRET)),
  };

  test('come back as they were, and hold no word in between', async () => {
    const [encoded] = await codec.encode([payload]);
    const bytes = [...Object.values(encoded?.metadata ?? {}), encoded?.data ?? Buffer.alloc(0)];
    expect(Buffer.concat(bytes).toString('latin1')).not.toContain('violet');
    expect(await codec.decode(encoded ? [encoded] : [])).toEqual([payload]);
  });

  test('of any bytes come back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.dictionary(fc.string(), fc.uint8Array()),
        async (data, named) => {
          const metadata = Object.fromEntries(
            Object.entries(named).filter(([name]) => name !== '__proto__'),
          );
          const [back] = await codec.decode(await codec.encode([{ data, metadata }]));
          expect(Buffer.from(back?.data ?? [])).toEqual(Buffer.from(data));
          for (const [name, value] of Object.entries(metadata)) {
            expect(Buffer.from(back?.metadata?.[name] ?? [])).toEqual(Buffer.from(value));
          }
        },
      ),
    );
  });

  test('in clear, of before there were keys, are read as they are', async () => {
    expect(await codec.decode([payload])).toEqual([payload]);
  });
});

describe('a store', () => {
  const encrypted = (inner: MemoryStore, text = `a:${OLD}`) =>
    encryptedStore(inner, ring(text), 'n');
  const contract = keyValueStoreContract({
    open: byName((inner, name) => encryptedStore(inner, ring(`a:${OLD}`), name)),
  });
  // The sizes that are listed are those of what is kept, which is longer.
  holdsTo(contract.filter(({ name }) => !name.startsWith('lists ')));

  test('lists the keys and the times of what is kept', async () => {
    const store = encrypted(new MemoryStore());
    await store.set('k/1', SECRET);
    const [entry] = await allOf(store.list(''));
    expect(entry).toMatchObject({ key: 'k/1', writtenAt: expect.any(Number) });
    expect(entry?.bytes).toBeGreaterThan(SECRET.length);
  });

  test('is told from a clear one where there is no key', async () => {
    const inner = new MemoryStore();
    await inner.set('clear', 'as before');
    await encrypted(inner).set('sealed', SECRET);
    const store = encryptedStore(inner, undefined, 'n');
    expect(await store.get('clear')).toBe('as before');
    await expect(store.get('sealed')).rejects.toMatchObject({
      type: 'Permission',
      message: expect.stringContaining('set DURABLE_RAG_ENCRYPTION_KEYS'),
    });
  });

  test('holds no word in clear', async () => {
    const inner = new MemoryStore();
    await encrypted(inner).set('k', SECRET);
    expect(await inner.get('k')).toMatch(/^encrypted:1:a:/);
    expect(await inner.get('k')).not.toContain('violet');
    expect(await encrypted(inner).get('k')).toBe(SECRET);
  });

  test('reads what was written in clear before, and what an older key wrote', async () => {
    const inner = new MemoryStore();
    await inner.set('clear', SECRET);
    expect(await encrypted(inner).get('clear')).toBe(SECRET);
    expect(await encrypted(inner).compareAndSet('clear', SECRET, 'next')).toBe(true);
    expect(await inner.get('clear')).toMatch(/^encrypted:/);
    const rotated = encrypted(inner, `b:${NEW},a:${OLD}`);
    expect(await rotated.compareAndSet('clear', 'next', 'last')).toBe(true);
    expect(await inner.get('clear')).toMatch(/^encrypted:1:b:/);
  });

  test('does not read a value that was moved to another key', async () => {
    const inner = new MemoryStore();
    await encrypted(inner).set('k', SECRET);
    await inner.set('other', (await inner.get('k')) ?? '');
    await expect(encrypted(inner).get('other')).rejects.toThrow('cannot be decrypted');
  });
});

interface Wire {
  payloads: { metadata: Record<string, string>; data: string }[];
}

describe('the codec server', () => {
  const UI = 'http://localhost:8233';
  async function serve() {
    const codec = encryptionCodec(ring(`a:${OLD}`));
    const server = await listenForCodec(codec, 0, [UI]);
    onTestFinished(() => server.close());
    const post = (path: string, body: unknown, headers: Record<string, string> = { origin: UI }) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    return { codec, url: server.url, post };
  }
  const plain = {
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from(JSON.stringify(SECRET)).toString('base64'),
  };

  test('encodes and decodes as the UI asks', async () => {
    const { post } = await serve();
    const encoded = (await (await post('/encode', { payloads: [plain] })).json()) as Wire;
    expect(Buffer.from(encoded.payloads[0]?.metadata.encoding ?? '', 'base64').toString()).toBe(
      'binary/encrypted',
    );
    const answer = await post('/decode', encoded);
    expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
    expect(await answer.json()).toEqual({ payloads: [plain] });
  });

  test('lets the page of the UI ask first', async () => {
    const { url } = await serve();
    const asked = await fetch(`${url}/decode`, {
      method: 'OPTIONS',
      headers: { origin: UI, 'access-control-request-headers': 'content-type,x-namespace' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-namespace');
  });

  test('gives nothing to other pages, nor to forms, nor to what cannot be read', async () => {
    const { post } = await serve();
    const encoded = (await (await post('/encode', { payloads: [plain] })).json()) as Wire;
    const other = await post('/decode', encoded, { origin: 'https://evil.test' });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await other.text()).toBe('');
    expect((await post('/decode', encoded, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/other', encoded)).status).toBe(404);
    expect((await post('/decode', { payloads: 3 })).status).toBe(400);
    const [payload] = encoded.payloads;
    const changed = { payloads: [{ ...payload, data: plain.data }] };
    expect((await post('/decode', changed)).status).toBe(400);
  });
});
