/** What a tune asks, step by step: its starts, halves, joint forks, and what is asked again. */
import { expect, it } from 'vitest';
import { planOfTune, readTune } from '../../activities/tune/read-tune.js';
import { adviceOf } from '../../cli/tune/advise.js';
import { type TunePlan, tunePlan } from '../../core/tune/runs.js';
import type { TuneInput } from '../../core/tune/tune.js';
import { testPorts } from '../support/ports.js';
import { questionText, stored } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { type AskedHere, askHere, tuneHere } from '../support/tune-here.js';

const numberIn = (question: string) => Number(/\d+/.exec(question)?.[0]);

/** The start knows every fourth, another model the even ones, and with a second passage all do. */
function say({ question, model, spec }: AskedHere): string {
  const number = numberIn(question);
  const isRight = number % 4 === 0 || (model !== 'start' && number % 4 === 2);
  return isRight || (spec.options.passages === 2 && number % 4 === 1) ? 'Bell' : 'Gray';
}

async function setUp() {
  const prices = new Map(
    ['start', 'good', 'other'].map((model) => [
      model,
      { prompt: 1, cachedPrompt: 1, completion: 1 },
    ]),
  );
  const ports = {
    ...testPorts(
      modelThatSays(async () => 'Bell'),
      { prices, defaultModel: 'start' },
    ),
    searchAttributes: false,
  };
  const put = (from: number, to: number, more: (number: number) => object = () => ({})) =>
    stored(
      Array.from({ length: to - from }, (_, i) => ({
        id: `n/${from + i}`,
        question: questionText(from + i),
        answers: ['Bell'],
        ...more(from + i),
      })),
      ports,
    );
  return { ports, put };
}

const base = { method: { base: { passages: 1 } }, model: 'start' };
const planned = (input: Omit<TuneInput, 'goal' | 'name'>, stored: Record<string, string> = {}) =>
  tunePlan({ name: 't', goal: 'better', ...input }, new Map(Object.entries(stored)));

async function tableOf(plan: TunePlan, ports: Awaited<ReturnType<typeof setUp>>['ports']) {
  return (await readTune(plan, ports)).table;
}

it('asks a start that is no kept run, joins changes as a fork of a fork, and confirms on other questions', async () => {
  const { ports, put } = await setUp();
  const [start, confirm] = [await put(0, 16), await put(100, 140)];
  const at = { corpus: 'sample' };
  const plan = planned({
    start: { ...base, dataset: { stored: start, ...at } },
    confirm: { stored: confirm, ...at },
    try: { models: { read: ['good'] }, options: { passages: [2] } },
  });
  const { last, paid } = await tuneHere(plan, ports, say);
  const joint = 'read: good + passages 2';
  expect(last.decisions.map(({ method, verdict }) => [method, verdict])).toContainEqual([
    joint,
    'better',
  ]);
  // Every run has paid one call a question: nothing that its parent had answered.
  expect([...paid.values()].filter((calls) => calls !== 16 && calls !== 40)).toEqual([]);
  expect(paid.size).toBe(2 * (1 + 3));
  const { rows } = await tableOf(plan, ports);
  expect(rows.map(({ candidate, scoreA, scoreB }) => [candidate, scoreA, scoreB])).toEqual([
    ['start', 0.25, 0.25],
    ['read: good', 0.5, 0.5],
    ['passages 2', 0.5, 0.5],
    [joint, 0.75, 0.75],
  ]);
  // Once more: nothing is asked, and the same is shown.
  const again = await tuneHere(plan, ports, say);
  expect(again.paid.size).toBe(0);
  expect(again.last.decisions).toEqual(last.decisions);
});

it('refuses a data set to confirm on that shares a question, whatever its id', async () => {
  const { ports, put } = await setUp();
  const at = { corpus: 'sample' };
  const start = await put(0, 20);
  const confirm = await put(19, 60, () => ({ id: undefined }));
  const plan = planned({
    start: { ...base, dataset: { stored: start, ...at } },
    confirm: { stored: confirm, ...at },
    try: { models: { read: ['good'] } },
  });
  await expect(tuneHere(plan, ports, say)).rejects.toThrow(
    /confirm: has 1 of the questions that are searched on, such as "Who is number 19\?"; take a data set/,
  );
});

/** A kept run of so many questions, of which every three share a document. */
async function keptStart(questions: number) {
  const { ports, put } = await setUp();
  const dataset = await put(0, questions, (n) => ({ fields: { doc: `d${Math.floor(n / 3)}` } }));
  const input = {
    run: 'kept',
    method: 'base',
    options: { passages: 1 },
    corpus: 'sample',
    dataset,
  };
  await askHere(input, Infinity, ports, say);
  return ports;
}

it('keeps the questions of a cluster in one half', async () => {
  const ports = await keptStart(120);
  const plan = planned({ start: 'kept', cluster: 'doc', try: { models: { read: ['good'] } } });
  const { last } = await tuneHere(plan, ports, say);
  expect(last.decisions).toMatchObject([{ method: 'read: good' }]);
  const halves = new Map<string, Set<string>>();
  for (const { run, input } of await ports.runs.list()) {
    const { half } = input;
    for await (const { question } of ports.runs.questions(run)) {
      if (!half) continue;
      const doc = question.fields?.doc ?? '';
      halves.set(doc, (halves.get(doc) ?? new Set()).add(half.of));
    }
  }
  expect(halves.size).toBe(40);
  expect([...halves.values()].every(({ size }) => size === 1)).toBe(true);
});

it('asks of a candidate that is added only itself, and needs new questions for another claim', async () => {
  const ports = await keptStart(60);
  const once = planned({ start: 'kept', try: { models: { read: ['good'] } } });
  const { last } = await tuneHere(once, ports, say);
  expect(last.decisions).toMatchObject([{ method: 'read: good', verdict: 'better' }]);
  const more = planned({ start: 'kept', try: { models: { read: ['good', 'other'] } } });
  const asked: string[] = [];
  const adding = tuneHere(more, ports, (one) => {
    asked.push(one.model);
    return say(one);
  });
  await expect(adding).rejects.toThrow(
    /half B has 0 questions left, beside \d+ that have confirmed/,
  );
  // It has joined the search, in which the others have nothing to answer again.
  expect(new Set(asked)).toEqual(new Set(['other']));
  expect((await planOfTune('t', ports)).definition).toEqual(more.definition);
});

it('confirms what a search shows that has spent its part, and goes on with the rest of it later', async () => {
  const ports = await keptStart(80);
  const models = { read: ['good', 'other'] };
  const plan = planned({ start: 'kept', try: { models } });
  // The other model is as the start on half of the questions.
  const saying = (one: AskedHere) =>
    say({ ...one, model: one.model === 'good' ? 'good' : 'start' });
  const stopped = await tuneHere(plan, ports, saying, 5);
  expect(stopped.last.decisions).toMatchObject([{ method: 'read: good', verdict: 'better' }]);
  const before = await tableOf(plan, ports);
  expect(before.rows[1]?.questionsA).toBeLessThan(before.rows[0]?.questionsA ?? 0);
  const later = await tuneHere(plan, ports, saying);
  expect(later.last.decisions).toMatchObject([{ method: 'read: good', verdict: 'better' }]);
  const { rows } = await tableOf(plan, ports);
  expect(rows[1]?.questionsA).toBe(rows[0]?.questionsA);
  // Half B was answered before, and so were the first questions of half A.
  const [all = 0] = rows.map(({ questionsA }) => questionsA);
  expect([...later.paid.values()].every((calls) => calls < all)).toBe(true);
});

it('is given by advise each model at each step, and shows which lose less than the margin', async () => {
  const ports = await keptStart(60);
  const flags = { models: ['good', 'other'], margin: 0.3 };
  const { input, datasets } = adviceOf('kept', flags, {} as never);
  expect(datasets).toBeUndefined();
  expect(input).toEqual({
    name: 'kept-advice',
    start: 'kept',
    goal: 'cheaper',
    margin: 30,
    try: { models: ['good', 'other'] },
  });
  const { last } = await tuneHere(tunePlan(input), ports, say);
  expect(last.decisions).toMatchObject([{ verdict: 'PASS' }, { verdict: 'PASS' }]);
  const small = adviceOf('kept', { ...flags, margin: 0.03 }, {} as never);
  await expect(tuneHere(tunePlan(small.input), ports, say)).rejects.toThrow(
    /margin: cannot be decided: .* about 19\d\d questions in all/,
  );
});
