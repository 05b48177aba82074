/** A process of its own that opens an lmdb store and does as its parent says. */
import { runnerImport } from 'vite';

const [, , folder, namespace] = process.argv;
// The runner is closed once it has run, so what it runs must not import anything later.
const entry = new URL('../../stores/lmdb-store.ts', import.meta.url).pathname;
const { module } = await runnerImport(entry, { configFile: false, logLevel: 'error' });
const store = await module.openLmdbStore(folder, namespace);

process.on('message', async ({ set, get, setIfAbsent, compareAndSet }) => {
  if (set) {
    await Promise.all(set.map(([key, value]) => store.set(key, value)));
    process.send({ done: true });
  } else if (setIfAbsent) {
    process.send({ value: await store.setIfAbsent(...setIfAbsent) });
  } else if (compareAndSet) {
    process.send({ value: await store.compareAndSet(...compareAndSet) });
  } else {
    process.send({ value: await store.get(get) });
  }
});
process.send({ ready: true });
