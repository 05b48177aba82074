/** What a run would pay for where responses are kept, held against what a model is then asked. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Ports } from '../../activities/runtime/ports.js';
import { answered } from '../../core/result.js';
import type { Passage } from '../../core/vocabulary.js';
import { methodRegistry, parseRunInput } from '../../interpreters/methods.js';
import { planRun } from '../../interpreters/plan-run.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import type { StepPlan } from '../../interpreters/step-plans.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { defineMethod, type OwnMethod } from '../../workflows/define-method.js';
import { fakeEmbeddings } from '../support/fake-embeddings.js';
import { givenQuestions } from '../support/plan.js';
import { fixedCorpora, testPorts } from '../support/ports.js';
import { gate, soon } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { keysOf } from '../support/stores.js';

const QUESTIONS = ['Who patented the telephone?', 'Who wrote Faust?', 'Who found radium?'];

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE();

/** What the prompt decides, and nothing else. */
function replyOf(step: string, prompt: string): string {
  const hash = hashOf(prompt);
  const replies: Record<string, string> = {
    generateCandidates: '(a) Bell, (b) Gray',
    summarize: `It was ${hash}. [DONE]`,
    validate: hash % 2 ? 'True' : 'False',
    rankPair: `Passage ${1 + (hash % 2)}`,
    selectDocuments: `Selected passages: ${1 + (hash % 4)} ${5 + (hash % 3)}`,
    verifyClassify: hash % 4 ? '[NO]' : '[YES]',
    answerWithCitations: `Bell ${hash} [1].`,
    scoreAnswer: `0.${1 + (hash % 8)}`,
    askSubQueries: `1. What is ${hash}?\n2. Who is ${hash}?`,
    nextThought: `Thought: It is ${hash}.`,
    reason: 'Answer: Bell',
    takeNote: `(contextual) Note ${hash}.`,
    answerFromNotes: 'Answer: Bell',
  };
  return replies[step] ?? `Said ${hash}.`;
}

interface Asked extends LanguageModel {
  /** The steps of its requests. */
  readonly asked: string[];
  /** Lets it answer; it answers at once unless it was told to wait. */
  open(): void;
}

function model({
  waits = false,
  reply = replyOf,
}: { waits?: boolean } & Pick<More, 'reply'> = {}): Asked {
  const asked: string[] = [];
  const { open, opened } = gate();
  const said = modelThatSays(async ({ step, prompt }) => {
    asked.push(step);
    if (waits) await opened;
    return reply(step, prompt);
  });
  return { ...said, asked, open };
}

const corpus: Passage[] = Array.from({ length: 60 }, (_, i) => ({
  id: `p${i}`,
  title: `Title ${i}`,
  text: `Text ${i}.`,
}));
/** Another query finds other passages. */
const corpora: Corpora = {
  async open(name) {
    const { get } = await fixedCorpora(corpus).open(name);
    const search = async (query: string, k: number) =>
      Array.from({ length: k }, (_, i) => corpus[(hashOf(query) + i) % corpus.length])
        .flatMap((passage) => passage ?? [])
        .map(({ id, title }, i) => ({ id, title, score: 100 - i }));
    return { get, search };
  },
};

type Asking = Parameters<typeof parseRunInput>[0] & { method: string; options: object };

interface More {
  questions?: string[] | undefined;
  reply?: typeof replyOf | undefined;
}

interface Asks extends More {
  llm?: Asked;
}

/** Asks the same twice at a time. */
const twice = defineMethod({
  name: 'twice',
  title: 'Reads twice',
  options: z.object({}),
  searches: () => false,
  async algorithm({ question, step }) {
    const input = { question, passages: [], demonstrations: [] };
    const [answer] = await Promise.all([step.read(input), step.read(input)]);
    return answered(answer ?? '', [], null);
  },
});

/** A store of responses, a way to ask all questions with it, and the plan of the same. */
function world() {
  const store = new MemoryStore();
  const embeddings = new EmbeddingCache(fakeEmbeddings(), store);
  const methods = methodRegistry([twice as OwnMethod<unknown>]);
  const responses = new ResponseCache(store);
  const portsOf = (llm: LanguageModel): Ports =>
    testPorts(llm, { corpora, responses, embeddings, methods }) as Ports;
  return {
    store,
    async ask(asking: object, { llm = model(), questions = QUESTIONS }: Asks = {}) {
      const { method, ...input } = asking as Asking;
      const all = questions.map((question) =>
        answerInProcess(method, { ...input, question }, portsOf(llm)),
      );
      return { llm, results: Promise.all(all) };
    },
    plan(asking: object, { questions = QUESTIONS }: More = {}) {
      const input = { run: 'r', dataset: 'd', corpus: 'sample', requireAnswers: false, ...asking };
      const lines = questions.map((question, i) => ({ id: `${i}`, question }));
      const read = givenQuestions(lines);
      return planRun(parseRunInput(input, methods), { read }, portsOf(model()));
    },
  };
}

/** The number of calls by step. */
const countOf = (steps: readonly string[]) =>
  Object.fromEntries(steps.map((step) => [step, steps.filter((one) => one === step).length]));
const paid = (steps: StepPlan[], of: (step: StepPlan) => number) =>
  Object.fromEntries(steps.flatMap((one) => (of(one) > 0 ? [[one.step, of(one)]] : [])));
const exact = (steps: StepPlan[]) => paid(steps, (step) => step.exact.calls);
const atMost = (steps: StepPlan[]) => paid(steps, (step) => step.calls);

const METHODS = [
  { method: 'sure', options: { candidates: 2 } },
  { method: 'allies', options: {} },
  { method: 'llatrieval', options: { iterations: 3, passages: 8, window: 6, supporting: 2 } },
  { method: 'chainOfNote', options: { form: 'per-passage' } },
  { method: 'ircot', options: {} },
  { method: 'genread', options: { generation: 'sampled', documents: 3 } },
];

/** Waits until a model that does not answer has been asked that often, and is asked no more. */
async function standing({ asked }: Asked, least: number): Promise<void> {
  await soon(() => expect(asked.length).toBeGreaterThanOrEqual(least));
  for (let before = -1, still = 0; still < 10; still = asked.length === before ? still + 1 : 0) {
    before = asked.length;
    await setTimeout(5);
  }
}

describe.each(METHODS)('$method', (asking) => {
  it('pays for nothing that a run before it has paid for', async () => {
    const { ask, plan } = world();
    const all = (await (await ask(asking)).results).flatMap((result) =>
      Object.entries(result.steps).flatMap(([step, { calls }]) => Array<string>(calls).fill(step)),
    );
    const { steps } = await plan(asking);
    expect(atMost(steps)).toEqual({});
    expect(paid(steps, ({ answered }) => answered)).toEqual(countOf(all));
    const anew = await plan({ ...asking, cache: false });
    expect(paid(anew.steps, ({ answered }) => answered)).toEqual({});
  });

  it('pays for what is lost of a store', async () => {
    const { store, ...kept } = world();
    await (await kept.ask(asking)).results;
    const lost = (await keysOf(store, 'v1-')).filter((key) => hashOf(key) % 10 < 3);
    for (const key of lost) await store.delete(key);
    await planned(asking, kept);
  });
});

/** Plans what is then asked: what is certain before anything is answered, and never more at last. */
async function planned(
  asking: object,
  { plan, ask }: Pick<ReturnType<typeof world>, 'ask' | 'plan'>,
  { questions, reply }: More = {},
) {
  const { steps } = await plan(asking, { questions });
  const llm = model({ waits: true, reply });
  const { results } = await ask(asking, { llm, questions });
  const wanted = exact(steps);
  await standing(
    llm,
    Object.values(wanted).reduce((sum, calls) => sum + calls, 0),
  );
  const certain = countOf(llm.asked);
  expect(wanted).toEqual(certain);
  llm.open();
  await results;
  for (const [step, calls] of Object.entries(countOf(llm.asked))) {
    expect(atMost(steps)[step], step).toBeGreaterThanOrEqual(calls);
  }
  return { exact: certain, atMost: atMost(steps), asked: countOf(llm.asked) };
}

it('counts equal calls once, of one question and of several', async () => {
  const asking = { method: 'twice', options: {} };
  const questions = ['Who?', 'Who?', 'Whose?'];
  const found = await planned(asking, world(), { questions });
  expect(found).toEqual({ exact: { read: 2 }, atMost: { read: 2 }, asked: { read: 2 } });
});

it('counts an output again that nobody could read, as a run asks for it', async () => {
  const reply = (step: string, prompt: string) =>
    step === 'scoreAnswer' && !prompt.includes('could not be read')
      ? 'Good.'
      : replyOf(step, prompt);
  const asking = { method: 'allies', options: { evidence: 'none' } };
  const kept = world();
  await (await kept.ask(asking, { llm: model({ reply }) })).results;
  const found = await planned(asking, kept, { reply });
  expect(found.exact).toEqual({ scoreAnswer: 18 });
});

it('counts what is paid again since a store of an earlier version does not say how it ended', async () => {
  const asking = { method: 'sure', options: { candidates: 2 } };
  const kept = world();
  await (await kept.ask(asking)).results;
  for (const key of await keysOf(kept.store, 'v1-')) {
    const entry = JSON.parse((await kept.store.get(key)) ?? '');
    const { end: _, ...completion } = entry.completion;
    if (/^\(a\)|^It was/.test(completion.text)) continue;
    await kept.store.set(
      key,
      JSON.stringify({ ...entry, completion: { ...completion, cut: false } }),
    );
  }
  const { steps } = await kept.plan(asking);
  const again = { validate: 6, rankPair: 6 };
  expect(paid(steps, ({ unended }) => unended)).toEqual(again);
  expect(exact(steps)).toEqual(again);
  await planned(asking, kept);
});

it('embeds what is not kept, and finds what it is near to where it is', async () => {
  const asking = { method: 'base', options: {}, mode: 'dense' };
  const kept = world();
  const before = await kept.plan(asking);
  expect(exact(before.steps)).toEqual({ embedTexts: 3 });
  expect(atMost(before.steps)).toEqual({ embedTexts: 3, read: 3 });
  const { mode, ...base } = asking;
  await (await kept.ask({ ...base, retrieval: { mode } })).results;
  expect(atMost((await kept.plan(asking)).steps)).toEqual({});
});
