/** A store that comes back empty in the middle of a run: what can be put there again is. */
import { expect, it } from 'vitest';
import { createPromptLibrary, type PromptLibrary } from '../../activities/runtime/prompts.js';
import { snapshots } from '../../evaluation/dataset/snapshots.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { ResponseCache } from '../../llm/response-cache.js';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { contentStore } from '../../stores/content-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { testPorts } from '../support/ports.js';
import { gate, type Reply, setUpRunShared, soon } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';

/** Parts of a worker over one store, which another worker with an empty one takes the place of. */
function worker() {
  let library: PromptLibrary;
  const [passages, responses] = [{}, {}] as [
    ReturnType<typeof passageStore>,
    Pick<ResponseCache, keyof ResponseCache>,
  ];
  function start() {
    const store = new MemoryStore();
    library = createPromptLibrary(undefined, {}, contentStore(store));
    Object.assign(passages, passageStore(store));
    const cache = new ResponseCache(store);
    for (const name of ['find', 'text', 'lease', 'probe', 'store'] as const) {
      responses[name] = cache[name].bind(cache) as never;
    }
  }
  start();
  const prompts: PromptLibrary = {
    load: (...given) => library.load(...given),
    hashes: (...given) => library.hashes(...given),
    pin: (...given) => library.pin(...given),
    pinWith: (...given) => library.pinWith(...given),
  };
  return { parts: { prompts, passages, responses: responses as ResponseCache }, restart: start };
}

const SAY = {
  generateCandidates: '(a) Bell, (b) Gray',
  summarize: 'It was Bell, as the sources say. [DONE]',
  validate: 'True',
  rankPair: 'Passage 1',
} as Partial<Record<string, string>>;

/** A run of SuRe over passages of its questions, held in the first question after its first call. */
async function begun(questions: number) {
  const { parts, restart } = worker();
  const slow = gate();
  const reply: Reply = async (number, step) => {
    if (number === 0 && step === 'generateCandidates') await slow.opened;
    return SAY[step] ?? 'Bell';
  };
  const input = { method: 'sure' as const, concurrency: 1, options: { passages: 2 } };
  const own = (number: number) => ({
    passages: [
      { title: 'Bell', text: `Bell was granted patent ${number}.` },
      { title: 'Gray', text: `Gray filed caveat ${number}.` },
    ],
  });
  const set = await setUpRunShared(questions, reply, input, own, parts);
  const handle = await set.client.startRun(set.spec);
  await soon(() => expect(set.model.asked).toHaveLength(1));
  return { ...set, handle, restart, go: slow.open };
}

it('puts prompts and passages there again, and goes on as if nothing had been', async () => {
  const { handle, harness, spec, model, restart, go } = await begun(3);
  restart();
  go();
  const ended = await handle.result();
  expect(ended).toMatchObject({ done: 3, outcomes: { answered: 3, failed: 0 }, pause: null });
  expect(ended.usage.calls).toBe(model.asked.length);
  const answer = await harness.ports.runs.get(spec.run, 'n/0');
  expect(answer).toMatchObject({ result: { answer: 'Bell' }, retrieval: { hits: [true, false] } });
});

it('pauses where the data set is gone as well, and asks the question as a whole once it is back', async () => {
  const { handle, harness, model, restart, go } = await begun(2);
  const { datasets } = harness.ports;
  const before = { ...datasets };
  Object.assign(datasets, snapshots(new MemoryStore()));
  restart();
  go();
  const isPaused = async () => expect((await handle.progress()).pause?.reason).toBe('UnknownText');
  await soon(isPaused);
  const { pause, done } = await handle.progress();
  expect(done).toBe(0);
  expect(pause?.message).toContain('There is no data set with the content');

  Object.assign(datasets, before);
  restart();
  await handle.resume();
  const ended = await handle.result();
  expect(ended).toMatchObject({ done: 2, outcomes: { answered: 2, failed: 0 }, pause: null });
  // The first question's first call was paid for twice.
  expect(ended.usage.calls).toBe(model.asked.length);
  expect(model.asked.filter((number) => number === 0).length).toBe(
    model.asked.filter((number) => number === 1).length + 1,
  );
});

it('puts the passages of a question that nobody else asks there again', async () => {
  const { parts, restart } = worker();
  const llm = modelThatSays(({ step }) => {
    if (step === 'generateCandidates') restart();
    return SAY[step] ?? 'Bell';
  });
  const retrieval = { passages: [{ title: 'Bell', text: 'Bell was granted it.' }] };
  const result = await answerInProcess(
    'sure',
    { question: 'Who?', retrieval },
    testPorts(llm, parts),
  );
  expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', flags: [] });
});
