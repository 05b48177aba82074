/** A search engine that is away for a while: what costs nothing is tried for longer than a call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure, type FailureType } from '../../core/failure.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { type Harness, startHarness } from '../support/harness.js';
import { fixedCorpora } from '../support/ports.js';
import { numberModel, questionText } from '../support/run.js';

/** More often than a provider may fail here. */
const TIMES = 3;
const limits = { attempts: 2 };

/** Corpora by how they fail, each so many times in searching and as often in reading texts. */
const away: Record<string, { type: FailureType; times: number; number: number }> = {
  connection: { type: 'Connection', times: TIMES, number: 0 },
  overloaded: { type: 'Overloaded', times: TIMES, number: 1 },
  timeout: { type: 'Timeout', times: TIMES, number: 2 },
  forever: { type: 'Connection', times: 1000, number: 3 },
  unexpected: { type: 'Unexpected', times: TIMES, number: 4 },
};

const failed: string[] = [];
const failures = (corpus: string) => failed.filter((one) => one.startsWith(`${corpus}.`));

const corpora: Corpora = {
  async open(name) {
    const { search, get } = await fixedCorpora().open('sample');
    const failing =
      <A extends unknown[], R>(what: string, call: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        const { type, times } = away[name] ?? { type: 'UnknownCorpus', times: 1 };
        const place = `${name}.${what}`;
        if (failed.filter((one) => one === place).length >= times) return call(...args);
        failed.push(place);
        throw new Failure(type, 'The node is away.', { retryAfterMs: 1 });
      };
    return { search: failing('search', search), get: failing('get', get) };
  },
};

const model = numberModel(() => 'Bell');
const callsFor = (number: number) => model.asked.filter((one) => one === number).length;
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness(model, { corpora });
});
afterAll(() => harness.close());

/** What comes of a question to one of the corpora, and how often the model was asked. */
async function ask(corpus: string) {
  const number = away[corpus]?.number ?? -1;
  const result = await harness.client.ask(
    'base',
    { question: questionText(number), retrieval: { corpus }, limits },
    { workflowId: `${harness.taskQueue}-${corpus}` },
  );
  return { result, calls: callsFor(number) };
}

describe.concurrent('a search engine that is away', () => {
  it.for(['connection', 'overloaded', 'timeout'])('is waited for: %s', async (corpus) => {
    const { result, calls } = await ask(corpus);
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', usage: { calls: 1 } });
    expect(calls).toBe(1);
    expect(failures(corpus)).toHaveLength(2 * TIMES);
  });

  it('is given up at last', async () => {
    const { result, calls } = await ask('forever');
    expect(result).toMatchObject({
      outcome: 'failed',
      failure: {
        type: 'Connection',
        step: 'retrieve',
        message: 'The node is away. Given up after 30 failed searches.',
      },
    });
    expect(calls).toBe(0);
  });

  it('is tried no more often than a provider where it fails in another way', async () => {
    const { result } = await ask('unexpected');
    expect(result).toMatchObject({ outcome: 'failed', failure: { type: 'Unexpected' } });
    expect(failures('unexpected')).toHaveLength(limits.attempts);
  });
});
