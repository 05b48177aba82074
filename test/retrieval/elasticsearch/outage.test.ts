/** An Elasticsearch that goes away and comes back: under a run, a search and a build. */
import { expect, onTestFinished, test } from 'vitest';
import { buildElasticsearchIndex } from '../../../retrieval/elasticsearch/build.js';
import { elasticsearchCorpora } from '../../../retrieval/elasticsearch/elasticsearch-corpora.js';
import { cableTo } from '../../support/cable.js';
import {
  corpusName,
  elasticsearchConnection,
  sharedElasticsearch,
} from '../../support/elasticsearch.js';
import { failureOf } from '../../support/failure-of.js';
import { gate, setUpRun } from '../../support/run.js';
import { memoryRuns } from '../../support/stores.js';
import { animals, corpusFile } from '../helpers.js';

const QUESTIONS = 24;
const CONCURRENCY = 8;
/** A failing provider is tried this often: a search engine has to be waited for longer. */
const ATTEMPTS = 2;

const numbers = Array.from({ length: QUESTIONS }, (_, i) => i);
const answerTo = (number: number) => `Bell the ${number}th`;
/** Every other question brings its passages. */
const bringsPassages = (number: number) => number % 2 === 0;
const text = (number: number) => `Number ${number} is ${answerTo(number)}.`;

const url = await sharedElasticsearch();
if (url !== undefined) outages(url);

function outages(url: string): void {
  test('a run loses nothing and asks nothing twice, and a search and a build go on', async () => {
    const { host } = new URL(url);
    const cable = await cableTo(host);
    onTestFinished(() => cable.close());
    const connection = await elasticsearchConnection(url.replace(host, cable.address));
    const [corpus, water] = [corpusName('numbers'), corpusName('water')];
    const records = numbers.map((number) => ({ id: `p${number}`, text: text(number) }));
    const file = await corpusFile(records);
    await buildElasticsearchIndex(connection, { file, into: corpus });
    const retriever = await elasticsearchCorpora(connection).open(corpus);
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

    const [inTheMiddle, away] = [gate(), gate()];
    const { client, spec, model } = await setUpRun(
      QUESTIONS,
      async (number) => {
        if (model.asked.length === QUESTIONS / 4) inTheMiddle.open();
        // However long the build takes to begin, some have not begun by then.
        if (model.asked.length > QUESTIONS / 2) await away.opened;
        return answerTo(number);
      },
      {
        corpus,
        options: { passages: 2 },
        concurrency: CONCURRENCY,
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
    const otters = await corpusFile(animals(8_000, 'otter'));
    const isBuilding = gate();
    const build = buildElasticsearchIndex(connection, {
      file: otters,
      into: water,
      onProgress: ({ stage, passages }) => {
        if (stage === 'reading' && passages >= 5_000) isBuilding.open();
      },
    });
    await isBuilding.opened;
    cable.cut();
    away.open();
    const failure = await failureOf(retriever.search('Bell', 1));
    expect(failure).toMatchObject({ type: 'Connection', retryable: true });
    // Some question was refused more often than a failing provider may refuse it.
    await expect.poll(() => refused).toBeGreaterThan(ATTEMPTS * CONCURRENCY);
    expect(await handle.progress()).toMatchObject({ state: 'running', outcomes: { failed: 0 } });
    expect(model.asked.length).toBeLessThan(QUESTIONS);
    cable.mend();

    expect(await build).toMatchObject({ passages: 8_000 });
    expect(await retriever.search('Bell', 1)).toHaveLength(1);
    const built = await elasticsearchCorpora(connection).open(water);
    expect(await built.search('otter', 1)).toHaveLength(1);
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
