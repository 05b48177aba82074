/** An Elasticsearch that goes away and comes back: under a run, a search and a build. */
import { expect, onTestFinished, test } from 'vitest';
import { buildElasticsearchIndex } from '../../../retrieval/elasticsearch/build.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/corpora.js';
import { elasticsearchConnection, sharedElasticsearch } from '../../support/elasticsearch.js';
import { startElasticsearchNode } from '../../support/elasticsearch-node.js';
import { failureOf } from '../../support/failure-of.js';
import { temporaryFolder } from '../../support/folder.js';
import { memoryRuns } from '../../support/memory-runs.js';
import { gate, setUpRun } from '../../support/run.js';
import { animals, corpusFile } from '../helpers.js';

/** A node starts in half a minute, and in two on a busy machine. */
const START_MS = 240_000;
const QUESTIONS = 40;
const CONCURRENCY = 8;
/** A failing provider is tried this often: a search engine has to be waited for longer. */
const ATTEMPTS = 2;

const numbers = Array.from({ length: QUESTIONS }, (_, i) => i);
const answerTo = (number: number) => `Bell the ${number}th`;
/** Every other question brings its passages. */
const bringsPassages = (number: number) => number % 2 === 0;
const text = (number: number) => `Number ${number} is ${answerTo(number)}.`;

// Where the shared one cannot be had, neither can this, which the others must not share.
if ((await sharedElasticsearch()) !== undefined) outages();

function outages(): void {
  test('a run loses nothing and asks nothing twice, and a search and a build go on', {
    timeout: 2 * START_MS,
  }, async () => {
    const node = await startElasticsearchNode();
    onTestFinished(() => node.remove());
    const connection = await elasticsearchConnection(node.url);
    const records = numbers.map((number) => ({ id: `p${number}`, text: text(number) }));
    const folder = await temporaryFolder();
    const file = await corpusFile(folder, records);
    await buildElasticsearchIndex(connection, { file, into: 'numbers' });
    const retriever = await elasticsearchCorpora(connection).open('numbers');
    expect(await retriever.search('Bell', 1)).toHaveLength(1);
    const runs = memoryRuns();
    let refused = 0;
    const corpora = elasticsearchCorpora({
      ...connection,
      request: (call, signal) =>
        connection.request(call, signal).catch((error: unknown) => {
          refused += 1;
          throw error;
        }),
    });

    const [inTheMiddle, killed] = [gate(), gate()];
    const { client, spec, model } = await setUpRun(
      QUESTIONS,
      async (number) => {
        if (model.asked.length === QUESTIONS / 4) inTheMiddle.open();
        // However long the killing takes, some have not begun by then.
        if (model.asked.length > QUESTIONS / 2) await killed.opened;
        return answerTo(number);
      },
      {
        ...{ corpus: 'numbers', options: { passages: 2 }, concurrency: CONCURRENCY },
        limits: { attempts: ATTEMPTS },
      },
      (number) => ({
        answers: [answerTo(number)],
        ...(bringsPassages(number) && { passages: [{ title: 'Own', text: text(number) }] }),
      }),
      {
        runs,
        corpora,
        describeCorpus: async (name) => ({ ...(await corpora.describe(name)) }),
      },
    );
    const handle = await client.startRun(spec);
    await inTheMiddle.opened;
    const otters = await corpusFile(folder, animals(12_000, 'otter'), 'otters.jsonl');
    const isBuilding = gate();
    const build = buildElasticsearchIndex(connection, {
      ...{ file: otters, into: 'water' },
      onProgress: ({ stage, passages }) => {
        if (stage === 'reading' && passages >= 5_000) isBuilding.open();
      },
    });
    await isBuilding.opened;
    await node.kill();
    killed.open();
    const failure = await failureOf(retriever.search('Bell', 1));
    expect(failure).toMatchObject({ type: 'Connection', retryable: true });
    const patience = { timeout: START_MS, interval: 1000 };
    // Some question was refused more often than a failing provider may refuse it.
    await expect.poll(() => refused, patience).toBeGreaterThan(ATTEMPTS * CONCURRENCY);
    expect(await handle.progress()).toMatchObject({ state: 'running', outcomes: { failed: 0 } });
    expect(model.asked.length).toBeLessThan(QUESTIONS);
    await node.start();

    expect(await build).toMatchObject({ passages: 12_000 });
    expect(await retriever.search('Bell', 1)).toHaveLength(1);
    const water = await elasticsearchCorpora(connection).open('water');
    expect(await water.search('otter', 1)).toHaveLength(1);
    expect(await handle.result()).toMatchObject({
      state: 'finished',
      done: QUESTIONS,
      outcomes: { answered: QUESTIONS, failed: 0 },
      usage: { calls: QUESTIONS, cachedCalls: 0 },
      scores: { em: { questions: QUESTIONS, sum: QUESTIONS } },
    });
    expect(model.asked.toSorted((a, b) => a - b)).toEqual(numbers);
    for (const number of numbers) {
      const answer = await runs.get(spec.run, `n/${number}`);
      expect(answer).toMatchObject({
        result: { outcome: 'answered', answer: answerTo(number) },
        retrieval: { recall: { 1: 1 } },
        scores: { em: 1 },
      });
    }
  });
}
