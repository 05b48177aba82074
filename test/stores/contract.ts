/** What every store must do. */
import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../stores/key-value-store.js';

/** Registers the tests; `open` opens the same place again, under another namespace if one is given. */
export function storeContract(open: (namespace?: string) => Promise<KeyValueStore>): void {
  test('gives back what was set, and undefined for what was not', async () => {
    const store = await open();
    await store.set('key', 'value');
    expect(await store.get('key')).toBe('value');
    await store.set('key', '');
    expect(await store.get('key')).toBe('');
    expect(await store.get('another')).toBeUndefined();
    await store.close();
  });

  test('takes keys of 200 characters and values of megabytes', async () => {
    const store = await open();
    const key = 'k'.repeat(200);
    const value = 'Grüße, 世界 🌍 "\\\n'.repeat(200_000);
    await store.set(key, value);
    expect((await store.get(key)) === value).toBe(true);
    await store.close();
  });

  test('keeps namespaces apart', async () => {
    const [one, two] = await Promise.all([open('one'), open('two')]);
    await Promise.all([one.set('key', '1'), two.set('key', '2')]);
    expect([await one.get('key'), await two.get('key')]).toEqual(['1', '2']);
    await two.close();
    // Closing one store leaves another at the same place open.
    await one.set('key', '3');
    expect(await one.get('key')).toBe('3');
    await one.close();
  });

  test('takes many writes at once', async () => {
    const store = await open();
    const keys = Array.from({ length: 200 }, (_, i) => `many-${i}`);
    await Promise.all(keys.map((key) => store.set(key, `${key}!`)));
    expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual(keys.map((k) => `${k}!`));
    await store.close();
  });
}
