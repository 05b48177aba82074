/** Redis and Postgres as stores, against real servers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ResponseCache } from '../../llm/response-cache.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { openStore } from '../../stores/open-store.js';
import { keyValueRuns } from '../../stores/runs/key-value-runs.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import { runStoreContract } from '../../testing/run-store-contract.js';
import { holdsTo } from '../support/contract.js';
import { isHere } from '../support/is-here.js';
import { countersContract } from './counters-contract.js';
import { PASSWORD, type TestServer } from './servers.js';
import { STORE_SERVERS } from './store-servers.js';

describe.each(STORE_SERVERS)('$name', ({ scheme, found, start, takeWrites, empty, get }) => {
  if (!isHere(found, get)) return;

  let server: TestServer;
  let opened: KeyValueStore[];
  beforeAll(async () => {
    server = await start(found);
    // Workers may open an empty one at the same time.
    opened = await Promise.all([1, 2, 3, 4].map(() => openStore(server.url, 'runs')));
  });
  afterAll(async () => {
    await Promise.all((opened ?? []).map((store) => store.close()));
    await server?.remove();
  });

  holdsTo(keyValueStoreContract({ open: (namespace) => openStore(server.url, namespace) }));
  holdsTo(runStoreContract({ open: async () => keyValueRuns(opened[0] as KeyValueStore) }));
  countersContract(() => openStore(server.url, 'counts'));

  test('that takes no writes for a while is told before anything is paid for, and read', async () => {
    const store = await openStore(server.url, 'responses');
    await store.set('key', 'value');
    const probed = () =>
      new ResponseCache(store).probe().then(
        () => 'written',
        (error) => error.type,
      );
    for (const takes of [false, true]) {
      await takeWrites(server.url, takes);
      await expect.poll(probed).toBe(takes ? 'written' : 'StoreUnwritable');
      expect(await store.get('key')).toBe('value');
    }
    await store.close();
  });

  test('nothing is written once it was emptied, until it is opened again', async () => {
    const store = await openStore(server.url, 'emptied');
    await store.set('key', 'value');
    await empty(server.url);
    const another = await openStore(server.url, 'another');
    for (const write of [
      () => store.set('key', 'other'),
      () => store.setIfAbsent('absent', 'value'),
      () => store.compareAndSet('key', 'value', 'other'),
      () => store.delete('key'),
    ]) {
      const error = await write().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ type: 'Connection', retryable: true });
      expect(String(error)).toContain('restart');
      expect(String(error)).not.toContain(PASSWORD);
    }
    expect(await store.get('key')).toBeUndefined();
    const again = await openStore(server.url, 'emptied');
    await Promise.all([again.set('key', 'new'), another.set('key', 'of another')]);
    expect(await again.get('key')).toBe('new');
    await Promise.all([store, another, again].map((one) => one.close()));
  });

  test('a server that goes away fails reads and writes, and is found when it comes back', async () => {
    const store = await openStore(server.url, 'outage');
    await store.set('key', 'value');
    await server.kill();
    for (const attempt of [() => store.get('key'), () => store.set('key', 'other')]) {
      const error = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ type: 'Connection', retryable: true });
      expect(String(error)).not.toContain(PASSWORD);
    }
    await server.start();
    await expect.poll(() => store.get('key').catch(() => 'away')).toBe('value');
    await store.close();
  });

  test('a wrong password is told at once, and not shown', async () => {
    const url = server.url.replace(PASSWORD, 'wrong-password');
    const error = await openStore(url, 'main').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(new RegExp(`127.0.0.1:${server.port}.*DURABLE_RAG_STORE`));
    expect(String(error)).not.toContain('wrong-password');
  });

  test('no server is told at once', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const error = await openStore(`${scheme}://me:${PASSWORD}@${host}`, 'main').catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ type: 'Connection' });
    expect(String(error)).toContain(`${scheme}://${host}`);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(String(error)).not.toContain(PASSWORD);
  });
});
