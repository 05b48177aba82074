/** A whole study on a server: what it asks, in which order, where it stops, what it goes on from. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Ports } from '../../../activities/runtime/ports.js';
import { planOfTune, readTune } from '../../../activities/tune/read-tune.js';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import type { StudyProgress } from '../../../core/study/cell.js';
import type { StudyInput } from '../../../core/study/study.js';
import type { ProposeInput } from '../../../core/tune/proposals.js';
import type { TuneInput } from '../../../core/tune/tune.js';
import { runOfStart, type StartInput, tunePlan } from '../../../core/tune/tune-runs.js';
import { planTune } from '../../../interpreters/plan-tune.js';
import { defineAction } from '../../../steps/actions.js';
import type { RunManifest } from '../../../stores/runs/run-store.js';
import { startHarness } from '../../support/harness.js';
import { handleOf } from '../../support/history.js';
import { fixedCorpora } from '../../support/ports.js';
import {
  answeredHere,
  gate,
  heldReply,
  type Reply,
  type Said,
  setUpRun,
  setUpRunShared,
  soon,
} from '../../support/run.js';
import { startInShortHistories } from '../../support/short-histories.js';
import { afterTest } from '../../support/side-by-side.js';

async function setUpStudy(questions: number, reply: Reply, more: Partial<StudyInput> = {}) {
  const { harness, model, client, spec } = await setUpRunShared(questions, reply);
  return { harness, model, client, input: { ...studyOf(spec), ...more } };
}

const studyOf = ({ dataset }: { dataset: string }): StudyInput => ({
  name: `study-${randomUUID().slice(0, 8)}`,
  methods: [{ base: { passages: 0 } }, { base: { passages: 1 }, as: 'searching' }],
  datasets: [{ stored: dataset, as: 'numbers', corpus: 'sample' }],
  baseline: 'base',
});

it('asks all runs breadth first', async () => {
  const slow = gate();
  /** Numbers in the order in which they were first asked: that of the draw, round by round. */
  const drawn: number[] = [];
  const { model, client, input } = await setUpStudy(32, async (number) => {
    if (!drawn.includes(number)) drawn.push(number);
    if (drawn.indexOf(number) === 31) await slow.opened;
    return 'Bell';
  });
  const handle = await client.study(input);
  // A question of the last round does not hold what the others have still to ask before it. Those that
  // have an answer are counted though no round has ended with them.
  const waiting = await soon(async () => {
    const progress = await handle.progress();
    expect(progress.runs.map(({ done }) => done)).toEqual([31, 31]);
    return progress;
  });
  expect(waiting).toMatchObject({ study: input.name, state: 'running', pause: null });
  slow.open();
  const ended = await handle.result();
  expect(ended).toMatchObject({
    state: 'finished',
    budgetUsd: null,
    spentUsd: 0.064,
    runs: Array(2).fill({ state: 'finished', done: 32, failed: 0 }),
  });
  // The first twenty questions of all runs come before the thirty-first of any.
  const firstOfThird = model.asked.findIndex((number) => drawn.indexOf(number) >= 30);
  const before = model.asked.slice(0, firstOfThird);
  expect(before.filter((number) => drawn.indexOf(number) < 20)).toHaveLength(40);
});

it('pauses when the budget is spent, and goes on with a larger one', async () => {
  const { model, client, input } = await setUpStudy(12, () => 'Bell', { budgetUsd: 0.01 });
  const handle = await client.study(input);
  const paused = await isPaused(handle);
  expect(paused).toMatchObject({
    spentUsd: expect.closeTo(0.01),
    pause: {
      reason: 'budget',
      message:
        'The budget of $0.01 is spent, and one more question costs about $0.001. Set a larger one and resume.',
    },
  });
  expect(model.asked).toHaveLength(10);
  const raised = await handle.set({ budgetUsd: 0.0104 });
  expect(raised.pause?.message).toBe('The budget was spent. It is $0.01 now: resume to go on.');
  await handle.resume();
  // Half of what a question costs buys none.
  await isPaused(handle);
  expect(model.asked).toHaveLength(10);
  await handle.set({ budgetUsd: null });
  await handle.resume();
  expect(await handle.result()).toMatchObject({ state: 'finished', pause: null });
  const ended = { type: 'Conflict', message: `The study "${handle.study}" is not under way.` };
  await expect(handle.pause()).rejects.toMatchObject(ended);
  expect(model.asked).toHaveLength(24);
});

const isPaused = (handle: { progress(): Promise<StudyProgress> }) =>
  soon(async () => {
    const progress = await handle.progress();
    expect(progress.state).toBe('paused');
    return progress;
  });

it('keeps the budget of twenty cells over two resumes', async () => {
  const first = gate();
  const reply: Reply = () => first.opened.then(() => ({ text: 'Bell', costUsd: 0.1 }));
  const models = Array.from({ length: 10 }, (_, at) => {
    return { default: { model: 'scripted-1', temperature: at / 20 }, as: `model-${at}` };
  });
  const { model, client, input } = await setUpStudy(4, reply, {
    models,
    budgetUsd: 1,
  });
  const handle = await client.study(input);
  // Each of four runs asks a question to show what it costs; the others wait for that.
  await soon(() => expect(model.flight.now).toBe(4));
  const { runs } = await handle.progress();
  expect(runs.filter(({ state }) => state === 'running')).toHaveLength(4);
  first.open();
  for (const budgetUsd of [1.02, 2, null]) {
    const { spentUsd, budgetUsd: before } = await isPaused(handle);
    // Twenty cells of unknown cost once began four questions each: $8.
    expect(spentUsd).toBeGreaterThan((before ?? 0) - 0.1);
    expect(spentUsd).toBeLessThanOrEqual((before ?? 0) + 0.4);
    expect(model.asked).toHaveLength(Math.round((spentUsd ?? 0) * 10));
    if (budgetUsd === null) break;
    await handle.set({ budgetUsd });
    await handle.resume();
  }
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
});

/** Pauses a study whose first questions are answered once the gate is opened. */
async function pausing() {
  const slow = gate();
  const { model, client, input } = await setUpStudy(12, () => slow.opened.then(() => 'Bell'), {
    concurrency: 3,
  });
  const handle = await client.study(input);
  await soon(() => expect(model.flight.now).toBe(6));
  await handle.pause();
  return { handle, model, slow };
}

it('pauses with its runs, and resumes with what is left', async () => {
  const { handle, model, slow } = await pausing();
  slow.open();
  await soon(async () => expect((await handle.progress()).state).toBe('paused'));
  expect(model.asked).toHaveLength(6);
  await handle.resume();
  expect(await handle.result()).toMatchObject({ state: 'finished' });
  expect(model.asked).toHaveLength(24);
});

it('goes on where it is resumed before its rounds have paused', async () => {
  const { handle, model, slow } = await pausing();
  await handle.resume();
  slow.open();
  expect(await handle.result()).toMatchObject({ state: 'finished', pause: null });
  expect(model.asked).toHaveLength(24);
});

it('goes on at workers that take it over in the order in which the others would have', async () => {
  const [first, second] = [gate(), gate()];
  const { harness, model, client, spec } = await setUpRun(12, async (_, step) => {
    await (step === 'generateDocument' ? second : first).opened;
    return 'Bell';
  });
  const methods = [{ base: { passages: 0 } }, { genread: { documents: 1 } }];
  const handle = await client.study({ ...studyOf(spec), methods, concurrency: 3 });
  await soon(() => expect(model.flight.now).toBe(6));
  await handle.pause();
  first.open();
  await soon(async () => expect((await handle.progress()).runs[0]?.state).toBe('waiting'));
  second.open();
  await soon(async () => expect((await handle.progress()).state).toBe('paused'));
  await harness.workers.stop();
  const { ports, taskQueue } = harness;
  const others = await startHarness(model, ports, { taskQueue });
  afterTest(() => others.close());
  // They are given the end of the last round together with the update.
  await handle.resume();
  expect(await handle.result()).toMatchObject({ state: 'finished' });
  const ofStudy = handleOf(harness.connection, `study/${handle.study}`);
  const { events } = await ofStudy.fetchHistory();
  const begun = events?.flatMap(
    (event) => event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId ?? [],
  );
  const ended = events?.flatMap(
    (event) => event.childWorkflowExecutionCompletedEventAttributes?.workflowExecution ?? [],
  );
  expect(begun?.slice(2)).toEqual(ended?.slice(0, 2).map(({ workflowId }) => workflowId));
});

it('pauses where the workers have changed between two rounds, and goes on once they are as they were', async () => {
  const slow = heldReply();
  const { harness, model, client, input } = await setUpStudy(25, slow.reply);
  const methods = input.methods.slice(0, 1);
  const handle = await client.study({ ...input, methods });
  const run = (await handle.progress()).runs[0]?.run ?? '';
  const { runs } = harness.ports;
  // All of the first round are under way: none of them looks at the manifest any more.
  await soon(() => expect(model.asked).toHaveLength(20));
  const there = (await runs.manifest(run)) as RunManifest;
  await runs.change(run, () => ({ ...there, provider: 'another' }));
  slow.open();
  const paused = await soon(async () => {
    const progress = await handle.progress();
    expect(progress.state).toBe('paused');
    return progress;
  });
  expect(paused.pause).toMatchObject({ reason: 'RunMismatch', run });
  expect(paused.pause?.message).toMatch(/provider: "another" there.* runs delete /);
  expect(paused.pause?.message).not.toContain('--name');
  await runs.change(run, () => there);
  await handle.resume();
  const ended = await handle.result();
  expect(ended.runs).toMatchObject([{ state: 'finished', done: 25, failed: 0 }]);
});

it('is cancelled with its runs, and started again asks the rest', async () => {
  let isStuck = true;
  const { model, client, input } = await setUpStudy(6, (number) =>
    isStuck && number >= 3 ? 'hang' : 'Bell',
  );
  const handle = await client.study(input);
  await soon(() => expect(model.flight.now).toBe(6));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  await soon(() => expect(model.flight.now).toBe(0));
  isStuck = false;
  const again = await (await client.study(input)).result();
  expect(again.runs).toMatchObject([{ done: 6 }, { done: 6 }]);
});

it('goes on with the others where one cell cannot be asked', async () => {
  const { client, input } = await setUpStudy(2, () => 'Bell');
  const datasets = [...input.datasets, { stored: 'nowhere', as: 'elsewhere' }];
  const ended = await (await client.study({ ...input, datasets })).result();
  const failed = { state: 'failed', failure: expect.stringContaining('nowhere') };
  expect(ended.runs).toMatchObject([{ state: 'finished' }, { state: 'finished' }, failed, failed]);
});

it('asks what has failed once in a start, and again where it is told to', async () => {
  // More than a round has.
  const { model, client, input } = await setUpStudy(21, (number) =>
    number % 5 === 0 ? new Failure('ContentRefused', 'No.') : 'Bell',
  );
  const ended = await (await client.study(input)).result();
  expect(ended.runs).toMatchObject(Array(2).fill({ done: 21, failed: 5 }));
  expect(model.asked).toHaveLength(42);
  const again = await (await client.retryStudy(input.name)).result();
  expect(again.runs).toEqual(ended.runs);
  expect(model.asked.slice(42).every((number) => number % 5 === 0)).toBe(true);
  expect(model.asked).toHaveLength(42 + 10);
});

it('stops where there is a difference, and a cell that is added asks only itself', async () => {
  // The chain of thought is right where the baseline is wrong.
  const reply: Reply = (number, step) => {
    if (step === 'read') return number % 3 === 0 ? 'Bell' : 'Gray';
    return 'So it is.\nAnswer: Bell';
  };
  const { model, client, input } = await setUpStudy(32, reply, {
    methods: [{ base: { passages: 0 } }, { chainOfThought: { passages: 0 }, as: 'thought' }],
    untilDecided: {},
  });
  const ended = await (await client.study(input)).result();
  expect(ended).toMatchObject({
    state: 'finished',
    pause: null,
    decisions: [{ method: 'thought', against: 'base', verdict: 'better', questions: 32 }],
    runs: Array(2).fill({ state: 'decided', done: 20 }),
  });
  // All cells ask the same questions, which are not the first ones of the file.
  expect(model.asked).toHaveLength(40);
  expect(new Set(model.asked).size).toBe(20);
  expect(Math.max(...model.asked)).toBeGreaterThan(20);

  // Once more: it reads what is there, and decides the same.
  const again = await (await client.study(input)).result();
  expect(again.decisions).toEqual(ended.decisions);
  expect(model.asked).toHaveLength(40);

  const methods = [...input.methods, { base: { passages: 1 }, as: 'searching' }];
  const more = await (await client.study({ ...input, methods })).result();
  // It is as good as the baseline, which goes on with it.
  expect(more.decisions).toMatchObject([
    { method: 'thought', verdict: 'better' },
    { method: 'searching', verdict: 'cannot' },
  ]);
  const [base, thought, searching] = more.runs;
  expect(thought).toMatchObject({ state: 'decided', done: 20 });
  expect(searching?.done).toBe(base?.done);
  expect(model.asked).toHaveLength((base?.done ?? 0) * 2 + 20);
});

it('stops where the budget cannot decide it', async () => {
  const reply: Reply = (number) => (number % 3 === 0 ? 'Bell' : 'Gray');
  const { model, client, input } = await setUpStudy(80, reply, {
    untilDecided: {},
    budgetUsd: 0.05,
  });
  const ended = await (await client.study(input)).result();
  expect(ended).toMatchObject({ state: 'finished', decisions: [{ verdict: 'cannot' }] });
  expect(model.asked).toHaveLength(40);
});

it('goes on in new histories between its rounds', async () => {
  const reply: Reply = (number) => {
    if (number === 5) return new Failure('ContentRefused', 'No.');
    return number % 3 === 0 ? 'Bell' : 'Gray';
  };
  const rule = { untilDecided: {}, budgetUsd: 1 };
  const { harness, model, client, input } = await setUpStudy(32, reply, rule);
  const histories = await startInShortHistories(harness, input, 2);
  const handle = await client.getStudy(input.name);
  const ended = await handle.result();
  const failed = model.asked.includes(5) ? 1 : 0;
  expect(ended).toMatchObject({
    state: 'finished',
    pause: null,
    budgetUsd: 1,
    decisions: [{ method: 'searching', against: 'base', verdict: 'cannot', questions: 32 }],
    runs: Array(2).fill({ state: 'decided', rounds: 2, done: 30, failed }),
  });
  expect(model.asked).toHaveLength(60);
  expect(ended.spentUsd).toBeCloseTo(0.06 - 0.002 * failed);
  expect(await histories()).toHaveLength(3);
});

/** Half B has twenty of them, from fewer of which nothing is concluded. */
const TUNED = 40;

const pricesOf = (...models: string[]) =>
  new Map(models.map((model) => [model, { prompt: 1, cachedPrompt: 1, completion: 1 }]));

interface SetUpTune extends Partial<Ports>, Pick<RunInput, 'limits'> {
  /** Whether the start is a stored run. */
  isKept?: boolean;
}

/** A stored run, and models that answer by their names. */
async function setUpTune(
  right: Record<string, (number: number) => boolean>,
  other: Reply = () => '',
  { limits, isKept = true, ...changes }: SetUpTune = {},
) {
  const asked = new Map<string, number>();
  const reply: Reply = async (number, step, request) => {
    const { model } = request;
    asked.set(model, (asked.get(model) ?? 0) + 1);
    const said = await other(number, step, request);
    if (said !== '') return said;
    const isRight = right[model]?.(number) ?? number % 2 === 0;
    const costUsd = model === 'scripted-1' ? 0.01 : 0.001;
    return { text: isRight ? 'Bell' : 'Gray', costUsd, servedModel: model };
  };
  const prices = pricesOf('scripted-1', ...Object.keys(right));
  const asking = { options: { passages: 1 }, ...(limits && { limits }) };
  const corpora = fixedCorpora([{ id: 'p1', title: 'Names', text: 'It was Bell, not Gray.' }]);
  const parts = { prices, corpora, ...changes };
  const more = await setUpRunShared(TUNED, reply, asking, undefined, parts);
  if (isKept) await answeredHere(more.spec, more.harness.ports);
  const name = `tune-${randomUUID().slice(0, 8)}`;
  const tune = (given: Partial<TuneInput>): TuneInput => {
    return { name, start: more.spec.run, goal: 'better', try: {}, ...given };
  };
  return { ...more, asked, tune };
}

it('finds a better pipeline on half A, and claims it on half B alone', async () => {
  const { client, model, asked, tune, harness } = await setUpTune({
    good: () => true,
    bad: (number) => number % 4 === 0,
  });
  const input = tune({ try: { models: { read: ['good', 'bad'] } } });
  const ended = await (await client.tune(input)).result();
  expect(ended).toMatchObject({
    state: 'finished',
    pause: null,
    decisions: [{ method: 'read: good', against: 'start', verdict: 'better' }],
  });
  const [{ questions = 0 } = {}] = ended.decisions ?? [];
  // Both are asked all of half A, and the better one half B; each question is asked once.
  expect(asked.get('good')).toBe(TUNED);
  expect(asked.get('bad')).toBe(TUNED - questions);
  expect(asked.get('scripted-1')).toBe(TUNED);

  // Once more: it asks nothing, and claims the same.
  const again = await (await client.tune(input)).result();
  expect(again.decisions).toEqual(ended.decisions);
  expect(model.asked).toHaveLength(3 * TUNED - questions);

  // Another candidate changes what is claimed, and half B has been used.
  const other = await client.tune(tune({ try: { options: { passages: [2] }, ...input.try } }));
  await expect(other.result()).resolves.toMatchObject({ decisions: ended.decisions });
  const renamed = { ...input, name: `${input.name}-again` };
  await expect((await client.tune(renamed)).result()).rejects.toThrow(
    /have confirmed another claim/,
  );
  const manifests = await harness.ports.runs.list();
  expect(manifests.filter(({ input: { half } }) => half?.of === 'B')).toHaveLength(1);
});

it('is joined, paused, cancelled and begun again, and asks again only what was in flight', async () => {
  const held = gate();
  let said = held.opened.then((): Said => '');
  const { client, model, asked, tune, harness } = await setUpTune(
    { good: () => true },
    (_, __, { model: name }) => (name === 'good' ? said : ''),
  );
  const input = tune({ concurrency: 2, try: { models: { read: ['good'] } } });
  const [handle, joined] = await Promise.all([client.tune(input), client.tune(input)]);
  expect(joined.workflowId).toBe(handle.workflowId);
  await expect(client.tune(tune({ try: { options: { passages: [2] } } }))).rejects.toThrow(
    /under way with a different file; wait for its end or cancel it first/,
  );
  await soon(() => expect(model.flight.now).toBe(2));
  await handle.pause();
  held.open();
  await isPaused(handle);
  expect(asked.get('good')).toBe(2);
  said = Promise.resolve('hang');
  await joined.resume();
  await soon(() => expect(asked.get('good')).toBe(3));
  await (await client.getStudy(input.name)).cancel();
  await expect(handle.result()).rejects.toThrow();
  said = Promise.resolve('');
  // What was begun with other workers is not left out as if nothing had been tried.
  const { runs } = harness.ports;
  const there = (await runs.list())[0] as RunManifest;
  const { run } = there;
  await runs.change(run, () => ({ ...there, provider: 'another' }));
  const again = await client.tune(input);
  expect((await isPaused(again)).pause).toMatchObject({ reason: 'RunMismatch', run });
  await runs.change(run, () => there);
  await again.resume();
  expect(await again.result()).toMatchObject({
    state: 'finished',
    decisions: [{ verdict: 'better' }],
  });
  expect(asked.get('good')).toBe(TUNED + 1);
  expect(asked.get('scripted-1')).toBe(TUNED);
});

it('pauses where its start cannot be asked, and goes on once it can', async () => {
  let said: Said = 'hang';
  const { client, model, spec, asked, tune } = await setUpTune({ good: () => true }, () => said, {
    isKept: false,
  });
  const dataset = { stored: spec.dataset, corpus: 'sample' };
  const start = { method: { base: { passages: 2 } }, dataset };
  const input = tune({ start, try: { models: { read: ['good'] } } });
  const plan = tunePlan(input);
  const of = { plan, start: (plan.start as { input: StartInput }).input };
  // Somebody asks the same run by itself.
  const outside = await client.startRun(runOfStart(of, 'A').input as RunInput);
  await soon(() => expect(model.flight.now).toBeGreaterThan(0));
  const handle = await client.tune(input);
  const { pause } = await isPaused(handle);
  expect(pause).toMatchObject({ reason: 'decision', run: outside.run });
  await outside.cancel();
  await expect(outside.result()).rejects.toThrow();
  said = '';
  asked.clear();
  await handle.resume();
  expect(await handle.result()).toMatchObject({ decisions: [{ verdict: 'better' }] });
  expect(asked).toEqual(new Map(['scripted-1', 'good'].map((name) => [name, TUNED])));
});

it('confirms with what it set aside once the rest is spent, and searches on if that is raised under way', async () => {
  let held: { opened: Promise<void> } = { opened: Promise.resolve() };
  const { client, asked, tune, harness } = await setUpTune(
    { 'scripted-1': () => false, good: () => true, bad: () => false },
    async (_, __, { model: name }) => {
      if (name === 'scripted-1') return '';
      await held.opened;
      return { text: name === 'good' ? 'Bell' : 'Gray', costUsd: 0.0001, servedModel: name };
    },
  );
  const given = tune({ try: { models: { read: ['good', 'bad'] } } });
  const { confirmation, questions } = await planTune(tunePlan(given), harness.ports);
  const budgetUsd = (confirmation.usd ?? 0) + 0.0009;
  const input = { ...given, budgetUsd };
  const stopped = await (await client.tune(input)).result();
  const better = [{ method: 'read: good', verdict: 'better', questions: questions.B }];
  expect(stopped).toMatchObject({ state: 'finished', pause: null, decisions: better });
  expect(stopped.spentUsd).toBeLessThanOrEqual(budgetUsd);
  const inSearch = (asked.get('bad') ?? 0) + (asked.get('good') ?? 0) - questions.B;
  expect(inSearch).toBe(9);

  const raised = gate();
  held = raised;
  const handle = await client.tune(input);
  await soon(() =>
    expect((asked.get('bad') ?? 0) + (asked.get('good') ?? 0)).toBeGreaterThan(questions.B + 9),
  );
  await handle.set({ budgetUsd: 1 });
  raised.open();
  const ended = await handle.result();
  expect(ended).toMatchObject({ state: 'finished', budgetUsd: 1, decisions: better });
  expect(asked.get('good')).toBe(TUNED);
  expect(asked.get('bad')).toBe(questions.A);
});

it('has an action write the prompts, and goes on once one is mended that throws', async () => {
  const given: ProposeInput[] = [];
  let isBroken = true;
  const mine = defineAction<ProposeInput, string[]>({
    name: 'mine',
    act(input) {
      given.push(input);
      const { prompt, refused, before } = input;
      if (isBroken) throw new Error('There is no optimiser.');
      if (before.length > 0) return [];
      if (refused.length > 0) return [`Read with care.\n${prompt}`];
      return [prompt, 'Answer it.', `${prompt}\n{{nothing}}`];
    },
    longest: () => [],
  });
  const reply: Reply = (_, __, { messages: [{ content = '' } = {}] }) =>
    content.includes('Read with care.') ? 'Bell' : '';
  const parts = { actions: { mine }, limits: { attempts: 1 } };
  const { client, asked, tune, harness } = await setUpTune({}, reply, parts);
  const propose = { by: 'mine', steps: ['read'], each: 3, rounds: 2 };
  const input = tune({ try: { propose } });
  const handle = await client.tune(input);
  const { pause } = await isPaused(handle);
  expect(pause?.message).toMatch(/There is no optimiser\./);
  isBroken = false;
  await handle.resume();
  expect(await handle.result()).toMatchObject({ decisions: [{ verdict: 'better' }] });
  const [, first, again, second] = given;
  expect(given).toHaveLength(4);
  expect(first).toMatchObject({ step: 'read', count: 3, refused: [], before: [] });
  expect(again?.refused.map(({ problem }) => problem)).toEqual([
    'is the current prompt',
    `lacks ${first?.keep.join(', ')}`,
    'has {{nothing}}, which the current prompt does not have',
  ]);
  expect(second?.before).toMatchObject([{ text: `Read with care.\n${first?.prompt}`, score: 1 }]);
  expect(asked.get('scripted-1')).toBe(2 * TUNED);
  const { runs } = harness.ports;
  const { table } = await readTune(await planOfTune(input.name, { runs }), harness.ports);
  const twice = { step: 'read', by: 'mine', problem: 'could not be used, twice' };
  expect(table.proposed).toMatchObject({
    written: [{ by: 'mine', round: 1 }],
    refused: [twice, twice, { by: 'mine', problem: 'no prompt came back' }],
  });
});

it('claims a cheaper pipeline that loses less than the margin, within its budget', async () => {
  const { client, asked, tune } = await setUpTune({
    cheap: (number) => number % 2 === 0,
    poor: () => false,
  });
  const given = { goal: 'cheaper', margin: 35, budgetUsd: 1 } as const;
  const ended = await (
    await client.tune(tune({ ...given, try: { models: ['cheap', 'poor'] } }))
  ).result();
  expect(ended).toMatchObject({
    state: 'finished',
    decisions: [{ method: 'read: cheap', verdict: 'PASS', difference: { mean: 0 } }],
  });
  expect(asked.get('cheap')).toBe(TUNED);
  const small = tune({ ...given, name: 'small', margin: 3, try: { models: ['cheap'] } });
  await expect((await client.tune(small)).result()).rejects.toThrow(
    /margin: 3 points cannot be decided: .* About 2,0\d\d questions in all would do/,
  );
});

it('has a model write prompts from what half A lost, and claims one that half B shows', async () => {
  const shown: string[] = [];
  const { client, asked, tune, harness } = await setUpTune(
    { writer: () => false },
    (_, step, { messages }) => {
      const prompt = messages.map(({ content }) => content).join();
      if (step !== 'proposePrompt') return prompt.includes('Read with care.') ? 'Bell' : '';
      shown.push(prompt);
      const [, present = ''] = /<prompt>\n(.*?)\n<\/prompt>/s.exec(prompt) ?? [];
      // The first one lacks what it has to contain, and the third one is the same again.
      return shown.length === 1 ? 'Answer it.' : `Read with care.\n${present}`;
    },
  );
  const propose = { model: 'writer', steps: ['read'], each: 2, rounds: 1 };
  const input = tune({ try: { propose } });
  const ended = await (await client.tune(input)).result();
  expect(ended).toMatchObject({ state: 'finished', pause: null });
  const [decision] = ended.decisions ?? [];
  expect(decision).toMatchObject({ verdict: 'better', against: 'start' });
  expect(decision?.method).toMatch(/^read: prompt \w{6}$/);
  // Two prompts, one of which was asked for again; each question of both halves is asked once.
  expect(asked.get('writer')).toBe(3);
  expect(asked.get('scripted-1')).toBe(2 * TUNED);
  expect(ended.spentUsd).toBeCloseTo(TUNED * 0.001 + 3 * 0.001, 6);
  expect(shown[0]).toMatch(/The step was shown: .*It was Bell, not Gray\./);
  expect(shown[0]).toMatch(/It wrote: .*Gray/);
  const { runs } = harness.ports;
  const read = await readTune(await planOfTune(input.name, { runs }), harness.ports);
  expect(read.table.proposed).toMatchObject({
    written: [{ candidate: decision?.method, by: 'writer', round: 1 }],
    refused: [{ step: 'read', problem: 'is equal to another one' }],
  });
  // No question of half B was shown.
  const confirmed = (await runs.list()).find(({ input: { half } }) => half?.of === 'B');
  for await (const { question } of runs.questions(confirmed?.run ?? '')) {
    expect(shown.some((one) => one.includes(question.question))).toBe(false);
  }
  expect(confirmed?.input.study?.tune).toMatchObject({ proposed: [{ round: 1 }] });

  // Once more: nothing is asked, and the same is claimed.
  const again = await (await client.tune(input)).result();
  expect(again.decisions).toEqual(ended.decisions);
  expect(asked.get('writer')).toBe(3);
  expect(asked.get('scripted-1')).toBe(2 * TUNED);

  // What was shown answers as an input of its own.
  const { prompts } = read.pipelines.get(decision?.method ?? '') ?? {};
  const question = 'Who is number 1?';
  const kept = { prompts: prompts as string, retrieval: { corpus: 'sample' } };
  const answer = await client.ask('base', { question, options: { passages: 1 }, ...kept });
  expect(answer).toMatchObject({ answer: 'Bell' });
});
