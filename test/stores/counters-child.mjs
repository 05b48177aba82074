/** A process of its own that adds to counts in a folder, as often as its parent says. */
import { runnerImport } from 'vite';

const [, , folder] = process.argv;
const load = async (file) => {
  const entry = new URL(`../../stores/${file}`, import.meta.url).pathname;
  return (await runnerImport(entry, { configFile: false, logLevel: 'error' })).module;
};
const { openLmdbStore } = await load('lmdb-store.ts');
const { storeCounters } = await load('counters.ts');
const counters = storeCounters(await openLmdbStore(folder, 'rates'));

process.on('message', async ({ key, times }) => {
  const adding = Array.from({ length: times }, () => counters.add(key, 1, 60));
  process.send(await Promise.all(adding));
});
process.send([]);
