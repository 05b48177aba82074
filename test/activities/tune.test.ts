/** What a tune asks, step by step: its starts, halves, joint forks, and what is asked again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../activities/run/record-answer.js';
import { planOfTune, readTune } from '../../activities/tune/read-tune.js';
import { adviceAsTune } from '../../cli/tune/advise.js';
import { readTuneFile } from '../../cli/tune/tune-file.js';
import type { TuneInput } from '../../core/tune/tune.js';
import { type TunePlan, tunePlan } from '../../core/tune/tune-runs.js';
import { halfOf } from '../../evaluation/tune/halves.js';
import { planTune } from '../../interpreters/plan-tune.js';
import { cliContext } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';
import { testPorts } from '../support/ports.js';
import { questionText, stored } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { type AskedHere, askHere, tuneHere } from '../support/tune-here.js';

const numberIn = (question: string) => Number(/\d+/.exec(question)?.[0]);

/**
 * The start knows every fourth, another model the even ones; with a second passage, and with a schema, it
 * knows another fourth.
 */
function say({ question, model, spec }: AskedHere): string {
  const rest = numberIn(question) % 4;
  const isRight =
    rest === 0 ||
    (rest === 1 && spec.options.passages === 2) ||
    (rest === 2 && model !== 'start') ||
    (rest === 3 && Object(spec.outputs).read === 'schema');
  return isRight ? 'Bell' : 'Gray';
}

async function setUp() {
  const prices = new Map(
    ['start', 'good', 'other'].map((model) => {
      const prompt = model === 'start' ? 1 : 0.1;
      return [model, { prompt, cachedPrompt: prompt, completion: prompt }];
    }),
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

it('asks a start that is no stored run, joins changes as forks of forks, and confirms on other questions', async () => {
  const { ports, put } = await setUp();
  const [A, B] = [16, 40];
  const [start, confirm] = [await put(0, A), await put(100, 100 + B)];
  const at = { corpus: 'sample' };
  const plan = planned({
    start: { ...base, dataset: { stored: start, ...at } },
    confirm: { stored: confirm, ...at },
    try: { models: { read: ['good'] }, options: { passages: [2] }, outputs: { read: ['schema'] } },
  });
  const { last, paid, planned: before } = await tuneHere(plan, ports, say);
  const joint = 'read: good + passages 2';
  const all = `${joint} + read: schema output`;
  expect(last.decisions.map(({ method, verdict }) => [method, verdict])).toContainEqual([
    all,
    'better',
  ]);
  // Every run has paid one call a question, as planned: nothing that its parent had answered.
  const calls = [...paid.values()];
  expect(calls.filter((count) => count === A)).toHaveLength(1 + 3 + 2);
  expect(calls.filter((count) => count === B)).toHaveLength(1 + 3);
  expect(calls).toHaveLength(10);
  expect([before.start.A.calls, before.start.B.calls]).toEqual([A, B]);
  expect(before.candidates.map(({ most }) => most.calls)).toEqual([1, 1, 1]);
  const { rows } = await tableOf(plan, ports);
  expect(rows.map(({ candidate, scoreA, scoreB }) => [candidate, scoreA, scoreB])).toEqual([
    ['start', 0.25, 0.25],
    ['read: good', 0.5, 0.5],
    ['passages 2', 0.5, null],
    ['read: schema output', 0.5, null],
    [joint, 0.75, 0.75],
    [all, 1, 1],
  ]);
  // Once more: nothing is asked, and the same is shown.
  const again = await tuneHere(plan, ports, say);
  expect(again.paid.size).toBe(0);
  expect(again.last.decisions).toEqual(last.decisions);
});

it('asks again in its next start what failed, and reads it as it is until then', async () => {
  const { ports, put } = await setUp();
  const at = { corpus: 'sample' };
  const plan = planned({
    start: { ...base, dataset: { stored: await put(0, 16), ...at } },
    confirm: { stored: await put(100, 140), ...at },
    try: { models: { read: ['good'] } },
  });
  const { paid, last } = await tuneHere(plan, ports, say);
  const before = await tableOf(plan, ports);
  const failure = { type: 'Connection', step: 'read', message: 'The connection failed.' } as const;
  for (const run of paid.keys()) {
    for await (const { question } of ports.runs.questions(run)) {
      const record = { result: null, failure, startedAt: 0 };
      await recordAnswer({ run, id: question.id, at: 0 }, record, ports);
      break;
    }
  }
  const { rows } = await tableOf(plan, ports);
  expect(rows.filter(({ scoreA, scoreB }) => scoreA === null || scoreB === null)).toEqual([]);
  const again = await tuneHere(plan, ports, say);
  expect([...again.paid]).toEqual([...paid.keys()].map((run) => [run, 1]));
  expect(again.last.decisions).toEqual(last.decisions);
  expect(await tableOf(plan, ports)).toEqual(before);
});

it('plans half of the questions of a start that was not asked yet', async () => {
  const { ports, put } = await setUp();
  const stored = await put(0, 300);
  const plan = planned({
    start: { ...base, dataset: { stored, corpus: 'sample' } },
    try: { models: { read: ['good'] } },
  });
  const { questions, ...before } = await planTune(plan, ports);
  const { A, B } = questions;
  expect(A + B).toBe(300);
  expect([before.start.A.calls, before.start.B.calls]).toEqual([A, B]);
  expect(before.search.most.calls).toBe(A);
  expect(before.confirmation.calls).toBe(2 * B);
});

it('refuses a stored run that has not answered all of its questions', async () => {
  const { ports } = await keptStart(60, 59);
  const plan = planned({ start: 'kept', try: { models: { read: ['good'] } } });
  await expect(tuneHere(plan, ports, say)).rejects.toThrow(
    'start: the run "kept" has answered 59 of its 60 questions; finish it first: durable-rag status kept tells how',
  );
});

it('refuses a fork that is no whole pipeline, and other methods beside any fork', async () => {
  const { ports } = await keptStart(60);
  const models = { read: 'good' };
  const forks = {
    some: { fork: { run: 'kept', at: 'read', where: 'wrong' }, models },
    told: { fork: { run: 'kept', at: 'read', perfect: true } },
    whole: { fork: { run: 'kept', at: 'read' }, models },
  };
  for (const [run, input] of Object.entries(forks)) {
    await askHere({ run, ...input }, Infinity, ports, say);
  }
  const reading = (start: string, more: TuneInput['try'] = {}) =>
    tuneHere(planned({ start, try: { models: { read: ['other'] }, ...more } }), ports, say);
  const from = (run: string) => `the run "${run}" is a fork of "kept"`;
  await expect(reading('some')).rejects.toThrow(
    `start: ${from('some')} that asks only some of its questions; start from that run`,
  );
  await expect(reading('told')).rejects.toThrow(
    `start: ${from('told')} in which a step gives what it was told to`,
  );
  await expect(reading('whole', { methods: ['chainOfThought'] })).rejects.toThrow(
    `try.methods: cannot be asked the questions of the start: ${from('whole')}`,
  );
});

it('counts equal questions once, and so those of a cluster', async () => {
  const { ports, put } = await setUp();
  const stored = await put(0, 160, (n) => ({
    question: questionText(n % 16),
    fields: { doc: `d${n % 30}` },
  }));
  const start = { ...base, dataset: { stored, corpus: 'sample' } };
  const models = { read: ['good'] };
  const tuned = (more: object = {}) =>
    planTune(planned({ start, try: { models }, ...more }), ports);
  await expect(tuned()).rejects.toThrow(
    /half B has \d+ questions, and only \d+ count: a cluster, or equal questions, are one; from fewer than 20/,
  );
  await expect(tuned({ cluster: 'doc' })).rejects.toThrow(
    /questions, and only 1\d count: a cluster,/,
  );
  await expect(tuned({ cluster: 'docs' })).rejects.toThrow(
    'cluster: no question has a field "docs"',
  );
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
    /confirm: has 1 of the questions that are searched on, such as "Who is number 19\?"; use a data set/,
  );
});

/** A stored run of so many questions, of which every three share a document. */
async function keptStart(questions: number, answered = Infinity) {
  const { ports, put } = await setUp();
  const dataset = await put(0, questions, (n) => ({ fields: { doc: `d${Math.floor(n / 3)}` } }));
  const input = {
    run: 'kept',
    method: 'base',
    options: { passages: 1 },
    corpus: 'sample',
    dataset,
  };
  await askHere(input, answered, ports, say);
  return { ports, put };
}

it('keeps the questions of a cluster in one half', async () => {
  const { ports } = await keptStart(150);
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
  expect(halves.size).toBe(50);
  expect([...halves.values()].every(({ size }) => size === 1)).toBe(true);
});

it('asks of a candidate that is added only itself, and needs new questions for another claim', async () => {
  const { ports, put } = await keptStart(60);
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
    /half B has 0 questions left, \d+ have confirmed another claim; .* name a data set by "confirm"/,
  );
  // It has joined the search, in which the others have nothing to answer again.
  expect(new Set(asked)).toEqual(new Set(['other']));
  expect((await planOfTune('t', ports)).definition).toEqual(more.definition);

  // Of a start with more questions, those of half B confirm it that have confirmed nothing.
  const dataset = await put(0, 130, (n) => ({ id: `larger/${n}` }));
  const reading = { method: 'base', options: { passages: 1 }, corpus: 'sample', dataset };
  await askHere({ run: 'larger', ...reading }, Infinity, ports, say);
  const { last: again } = await tuneHere(
    planned({ start: 'larger', try: { models: { read: ['good', 'other'] } } }),
    ports,
    say,
  );
  const texts = Array.from({ length: 130 }, (_, n) => questionText(n));
  const inB = (question: string) => halfOf({ id: '', question }) === 'B';
  const unused = texts.slice(60).filter(inB).length;
  const both = { questions: unused, asked: unused };
  expect(again.decisions).toMatchObject([both, both]);
});

it('claims nothing on questions that another tune uses at the same time', async () => {
  const {
    ports: { confirmations, ...ports },
  } = await keptStart(60);
  const use: typeof confirmations.use = async (contents, claim) => {
    const all = [...contents];
    await confirmations.use(all.slice(5), 'another:claim');
    return confirmations.use(all, claim);
  };
  const plan = planned({ start: 'kept', try: { models: { read: ['good'] } } });
  await expect(
    tuneHere(plan, { ...ports, confirmations: { ...confirmations, use } }, say),
  ).rejects.toThrow(/half B has 5 questions left, \d+ have confirmed another claim/);
  const asked = (await ports.runs.list()).filter(({ input: { half } }) => half?.of === 'B');
  expect(asked).toEqual([]);
});

it('confirms what a search shows that has spent its part, and goes on with the rest of it later', async () => {
  const { ports } = await keptStart(80);
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
  const { ports } = await keptStart(60);
  const flags = { models: ['good', 'other'], margin: 30 };
  const { input, datasets } = adviceAsTune('kept', flags, {} as never);
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
  const small = adviceAsTune('kept', { ...flags, margin: 3 }, {} as never);
  await expect(tuneHere(tunePlan(small.input), ports, say)).rejects.toThrow(
    /margin: 3 points cannot be decided: .* About 2,0\d\d questions in all would do, .* The present ones decide a margin of [\d.]+ points$/,
  );
});

describe('a tune file with one thing wrong', async () => {
  const { ports } = await keptStart(40);
  const folder = await temporaryFolder();
  const RIGHT = {
    name: 't',
    start: 'kept',
    goal: 'cheaper',
    margin: '60',
    try: '{ models: { read: [good] } }',
  };

  /** Returns what a user is told of a file: its path is left out. */
  async function toldOf(changes: Record<string, string>): Promise<string> {
    const file = join(folder, 'tune.yaml');
    const lines = Object.entries({ ...RIGHT, ...changes }).filter(([, value]) => value !== '');
    await writeFile(file, lines.map(([name, value]) => `${name}: ${value}\n`).join(''));
    const told = async () => {
      const read = await readTuneFile(file, cliContext());
      await planTune(tunePlan(read.input), ports).catch((error: unknown) => {
        throw read.named(error);
      });
    };
    const error = await told().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    return error?.message.replace(`${file}: `, '') ?? 'nothing is wrong';
  }

  it.each([
    [{}, 'nothing is wrong'],
    [{ name: 'a b' }, 'line 1, name: '],
    [{ start: 'kep' }, 'There is no run "kep" to begin with'],
    [
      { start: '[kept]' },
      'line 2, start: must be text that is not empty, or an object with method',
    ],
    [{ goal: 'cheeper' }, 'line 3, goal: must be one of better, cheaper, not "cheeper"; did you'],
    [{ goal: 'better' }, 'line 4, margin: has no effect: nothing may be lost'],
    [{ margin: '' }, 'margin: is missing: say how many points may be lost'],
    [{ margin: '0' }, 'line 4, margin: must be a number above 0 and below 100, not 0'],
    [{ margin: '-3' }, 'line 4, margin: must be a number above 0 and below 100, not -3'],
    [{ margin: '150' }, 'line 4, margin: must be a number above 0 and below 100, not 150'],
    [{ margin: '2' }, 'line 4, margin: 2 points cannot be decided: half B has '],
    [{ metric: 'emm' }, 'line 6, metric: no question has a score in "emm"; did you mean em?'],
    [{ try: '' }, 'try: is missing; it must be an object with models'],
    [{ try: '{}' }, 'line 5, try: names no change'],
    [{ try: '{ models: [start] }' }, 'line 5, try: changes nothing'],
    [{ try: '{ models: good }' }, 'line 5, try.models: must be a list'],
    [{ try: '{ models: { read: good } }' }, 'line 5, try.models.read: must be a list'],
    [
      { try: '\n  models:\n    read: [good]\n    raed: [good]' },
      'line 8, try.models.raed: is not a step in which base asks a model with these options; did you mean read?',
    ],
    [{ try: '{ models: [good, good] }' }, 'line 5, try.models: names read: good twice'],
    [{ try: '{ options: { pasages: [2] } }' }, 'line 5, try.options.pasages: is no option of base'],
    [
      { try: '{ options: { passages: [999] } }' },
      'line 5, try.options.passages: must be a whole number from 0 to 200, not 999',
    ],
    [{ try: '{ options: { passages: [] } }' }, 'line 5, try.options.passages: must be a list'],
    [
      { try: '{ prompts: [nowhere] }' },
      'prompts: the worker has no prompt set "nowhere"; set DURABLE_RAG_PROMPTS',
    ],
    [{ try: '{ outputs: [scheme] }' }, 'line 5, try.outputs.0: must be one of text, schema'],
    [{ try: '{ methods: [basse] }' }, 'line 5, try.methods.basse: '],
    [
      { try: '{ methods: [{ ircot: { passages: 999 } }] }' },
      'line 5, try.methods.ircot.options.passages: ',
    ],
    [{ try: '{ propose: { steps: [read] } }' }, 'line 5, try.propose: needs either a model'],
    [
      { try: '{ propose: { model: good, steps: [raed] } }' },
      'line 5, try.propose.steps.0: is not a step in which base asks a model with these options',
    ],
    [{ try: '{ propose: { model: good, each: 40 } }' }, 'try.propose.each: must be a whole number'],
    [{ try: '{ propose: { by: nobody } }' }, 'line 5, try.propose.by: is not an action'],
    [{ confirm: 'halff' }, 'line 6, confirm: must be half, or an object with file'],
    [{ cluster: '""' }, 'line 6, cluster: must be text that is not empty'],
    [{ concurrency: '0' }, 'line 6, concurrency: must be a whole number from 1'],
    [{ budgetUsd: '-1' }, 'line 6, budgetUsd: must be a number above 0, not -1'],
    [{ budgetUsd: '0.000001' }, 'line 6, budgetUsd: must be more than $'],
    [
      { try: '{ models: [unpriced] }', budgetUsd: '9' },
      'budgetUsd: the price of unpriced is not known',
    ],
    [{ bugdetUsd: '9' }, 'line 6, bugdetUsd: there is no such field; did you mean budgetUsd?'],
    [{ goal: '[' }, 'is not YAML: '],
  ])('%j: %s', async (changes, told) => {
    const said = await toldOf(changes as Record<string, string>);
    expect(said).toContain(told);
  });
});
