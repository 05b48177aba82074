/** A run at an endpoint whose generations do not all end well. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createOpenAiModel } from '../../../llm/openai/openai-model.js';
import { startModelServer, type TextReply } from '../../support/model-server.js';
import { questionText, setUpRunShared as setUpRun } from '../../support/run.js';

const usage = { prompt_tokens: 40, completion_tokens: 3 };
/** How the answers to each question end, the last one for ever. */
const ENDS: Partial<TextReply>[][] = [
  [{ finishReason: 'insufficient_system_resource' }],
  [{ finishReason: 'network_error' }, {}],
  [{ refusal: 'I would rather not.' }],
  [{ finishReason: 'moonset' }],
  [{}],
];

it('takes no answer that broke off or was refused, and serves none later', async () => {
  const asked = ENDS.map(() => 0);
  const server = await startModelServer({
    reply({ messages }) {
      const prompt = messages.map(({ content }) => content).join();
      const number = ENDS.findIndex((_, i) => prompt.includes(questionText(i)));
      const ends = ENDS[number] ?? [];
      const end = ends[Math.min(asked[number] ?? 0, ends.length - 1)];
      asked[number] = (asked[number] ?? 0) + 1;
      return { text: 'Bell', usage, ...end };
    },
  });
  onTestFinished(() => server.close());
  const llm = createOpenAiModel({
    baseUrl: server.baseUrl,
    timeoutMs: 60_000,
    prices: new Map(),
  });
  const limits = { attempts: 2, outageSeconds: 0 };
  const { harness, client, spec } = await setUpRun(
    ENDS.length,
    () => expect.fail('another model is asked'),
    { limits, pauseAfter: null },
    undefined,
    { llm },
  );
  const { runs } = harness.ports;
  const resultsOf = (run: string) =>
    Promise.all(ENDS.map(async (_, i) => (await runs.get(run, `n/${i}`))?.result));
  await (await client.startRun(spec)).result();
  const [broken, mended, refused, unknown, whole] = await resultsOf(spec.run);
  expect(broken).toMatchObject({
    outcome: 'failed',
    answer: null,
    failure: { type: 'MalformedResponse' },
    usage: { estimated: { attempts: 2, promptTokens: 80, completionTokens: 6 } },
  });
  expect(mended).toMatchObject({
    outcome: 'answered',
    answer: 'Bell',
    flags: [],
    usage: { promptTokens: 80, completionTokens: 6, estimated: { attempts: 1 } },
  });
  expect(refused).toMatchObject({
    outcome: 'failed',
    answer: null,
    failure: { type: 'ContentRefused' },
    usage: { estimated: { attempts: 1, promptTokens: 40, completionTokens: 3 } },
  });
  expect(unknown).toMatchObject({
    outcome: 'answered',
    answer: 'Bell',
    flags: [{ kind: 'unknownEnd', step: 'read', detail: expect.stringContaining('"moonset"') }],
  });
  expect(whole).toMatchObject({ outcome: 'answered', flags: [], usage: { cachedCalls: 0 } });

  // The next run is served what ended well, and asks for the rest.
  const before = [...asked];
  const second = { ...spec, run: `run-${randomUUID()}` };
  await (await client.startRun(second)).result();
  const again = await resultsOf(second.run);
  expect(again.map((result) => result?.usage.cachedCalls)).toEqual([0, 1, 0, 0, 1]);
  expect(again.map((result) => result?.outcome)).toEqual([
    'failed',
    'answered',
    'failed',
    'answered',
    'answered',
  ]);
  const more = asked.map((times, i) => times > (before[i] ?? 0));
  expect(more).toEqual([true, false, true, true, false]);
});
