/** A process of its own that writes a run, and is killed while it does. */
import { runnerImport } from 'vite';

const [, , folder, run] = process.argv;
// The runner is closed once it has run, so what it runs must not import anything later.
const entry = new URL('../../../stores/runs/file-runs.ts', import.meta.url).pathname;
const { module } = await runnerImport(entry, { configFile: false, logLevel: 'error' });
const store = module.fileRuns(folder);

async function* questions() {
  for (let i = 0; i < 20; i++) {
    yield { id: `q${i}`, question: `Who is ${i}?`, answers: ['Bell'], answerKind: 'span' };
  }
}
await store.begin(run, questions(), () => ({ run, input: { run }, dataset: {}, createdAt: 'now' }));

/** Twenty answers at once, long enough that some are half written at any moment. */
const put = (round) =>
  Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      store.put(run, { id: `q${i}`, round, text: `${round} `.repeat(100_000) }),
    ),
  );
await put(1);
process.send('again');
for (let round = 2; ; round++) await put(round);
