/** A run that is forked: what a change leaves as it is comes from the records, the rest is asked. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Ports } from '../../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { Failure } from '../../../core/failure.js';
import { completedFork, type ForkInput } from '../../../core/run/fork-input.js';
import type { RunInput } from '../../../core/run/input.js';
import { callAt } from '../../../evaluation/runs/call-names.js';
import { methods, parseRunInput } from '../../../interpreters/methods.js';
import { planRun } from '../../../interpreters/plan-run.js';
import { replay } from '../../../interpreters/replay.js';
import { contentStore } from '../../../stores/content-store.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { packageRoot } from '../../../stores/package-root.js';
import { callsOf } from '../../../stores/runs/call-records.js';
import type { RunAnswer, RunStore } from '../../../stores/runs/run-store.js';
import { temporaryFolder } from '../../support/folder.js';
import { type Harness, sharedHarness } from '../../support/harness.js';
import { answeredHere, questionText, soon, stored } from '../../support/run.js';
import { modelThatSays } from '../../support/saying.js';
import { memoryRuns } from '../../support/stores.js';

interface Asked {
  number: number;
  step: string;
  model: string;
}

/** A model whose votes go to the second passage where it is called "other"; question 3 fails at first. */
function votingModel() {
  const asked: Asked[] = [];
  let fails = true;
  const model = modelThatSays(({ prompt, step, request: { model } }) => {
    const number = Number(/Who is number (\d+)/.exec(prompt)?.[1]);
    asked.push({ number, step, model });
    if (number === 3 && step === 'summarize' && fails) throw new Failure('ContentRefused', 'No.');
    const said: Record<string, string> = {
      generateCandidates: `(a) ${model === 'other' ? 'Reis' : 'Bell'}, (b) Gray`,
      summarize: `What is known of number ${number}, told by ${/Prediction: \((.)\)/.exec(prompt)?.[1]}. [DONE]`,
      validate: 'True',
      // Whoever is asked the other way round says the other number.
      rankPair: isFirst(prompt) === (model !== 'other') ? 'Passage 1' : 'Passage 2',
    };
    return { text: said[step] ?? 'Bell', costUsd: 0.001 };
  });
  const mend = () => {
    fails = false;
  };
  return { model, asked, mend };
}

/** Whether the summary of the first candidate comes first. */
const isFirst = (prompt: string) => prompt.indexOf('told by a') < prompt.indexOf('told by b');

async function parentRun(changes: Partial<Ports> = {}, input: Partial<RunInput> = {}) {
  const { model, asked, mend } = votingModel();
  const runs = memoryRuns();
  const harness = await sharedHarness(model, { runs, ...changes });
  const lines = [0, 1, 2, 3].map((n) => ({
    id: `n/${n}`,
    question: questionText(n),
    answers: n === 1 ? ['Nobody'] : ['Bell'],
  }));
  const run = `parent-${harness.id}`;
  const dataset = await stored(lines, harness.ports);
  const spec = { run, method: 'sure', corpus: 'sample', dataset, ...input };
  await answeredHere(spec, harness.ports);
  expect((await answersOf(runs, run))[3]?.result?.failure?.type).toBe('ContentRefused');
  mend();
  asked.length = 0;
  const fork = async (input: Omit<ForkInput, 'run'>, name = `fork-${harness.id}`) => {
    const handle = await harness.client.fork({ run: name, ...input });
    return { name, progress: await handle.result() };
  };
  return { harness, runs, run, asked, fork };
}

const shipped = (prompt: string) =>
  readFile(join(packageRoot(), 'prompts', `${prompt}.txt`), 'utf8');

/** By step the calls that are certain, and those that may follow from them. */
async function plannedCalls(change: Omit<ForkInput, 'run'>, { ports }: Harness, runs: RunStore) {
  const parent = await runs.manifest(change.fork.run);
  const input = parent && completedFork({ run: 'planned', ...change }, parent.input, undefined);
  const none = async function* () {};
  const { steps } = await planRun(parseRunInput(input), { read: none }, ports as Ports);
  return Object.fromEntries(
    steps.map(({ step, calls, exact }) => [step, [exact.calls, calls - exact.calls]]),
  );
}

const answersOf = async (runs: RunStore, run: string) =>
  Object.fromEntries(
    await Promise.all(
      [0, 1, 2, 3].map(async (n) => [n, (await runs.get(run, `n/${n}`)) as RunAnswer] as const),
    ),
  );

it('asks one step anew with another model, and what failed as a whole', async () => {
  const { runs, run, asked, fork, harness } = await parentRun();
  const models = { rankPair: 'other' };
  const change = { fork: { run, at: 'rankPair' }, models };
  expect(await plannedCalls(change, harness, runs)).toEqual({
    // Of the failed question only the candidates were answered.
    generateCandidates: [0, 0],
    summarize: [2, 0],
    validate: [0, 2],
    rankPair: [6, 2],
  });
  const { name, progress } = await fork(change);
  expect(progress.outcomes).toMatchObject({ answered: 4, failed: 0 });
  const votes = asked.filter(({ number }) => number !== 3);
  expect(votes).toHaveLength(6);
  expect(votes.every(({ step, model }) => step === 'rankPair' && model === 'other')).toBe(true);
  // The one that had failed is asked with the other model at that step alone.
  const whole = asked.filter(({ number }) => number === 3);
  expect(whole.filter(({ model }) => model === 'other').map(({ step }) => step)).toEqual([
    'rankPair',
    'rankPair',
  ]);
  const [before, after] = [await answersOf(runs, run), await answersOf(runs, name)];
  expect(before[0]?.result?.answer).toBe('Bell');
  expect(after[0]?.result?.answer).toBe('Gray');
  expect(after[0]?.result?.usage).toMatchObject({ calls: 2, costUsd: 0.002 });
  expect(await runs.manifest(name)).toMatchObject({
    questions: 4,
    input: { method: 'sure', models: { rankPair: 'other' } },
    fork: { whole: 1, prompts: (await runs.manifest(run))?.prompts },
  });

  // The parent is needed no more: its fork is replayed, forked again and gone on with.
  await runs.remove(run);
  const calls = callsOf(after[0] as RunAnswer) ?? [];
  expect(calls.filter(({ taken }) => taken)).toHaveLength(6);
  const again = await replay(methods.sure, { question: questionText(0), options: {} }, calls);
  expect(again.result).toMatchObject({ answer: 'Gray', usage: { calls: 2, costUsd: 0.002 } });
  expect(again.result.chain).toEqual(after[0]?.result?.chain);
  asked.length = 0;
  const grand = await fork(
    { fork: { run: name, at: 'validate' }, models: { validate: 'third' } },
    `${name}-2`,
  );
  expect(grand.progress.outcomes).toMatchObject({ answered: 4 });
  expect(new Set(asked.map(({ step, model }) => `${step} ${model}`))).toEqual(
    new Set(['validate third']),
  );
  expect((await runs.get(grand.name, 'n/0'))?.result?.answer).toBe('Gray');
  expect(
    await (
      await harness.client.fork({ run: name, fork: { run, at: 'rankPair' }, models })
    ).result(),
  ).toEqual(progress);
});

it('asks only what has another address, where the options are changed', async () => {
  const { run, asked, fork, runs } = await parentRun();
  const { name } = await fork({
    fork: { run, where: 'wrong' },
    options: { selection: 'validity' },
  });
  // Of the wrong answer all is known; the failed one is asked.
  expect(new Set(asked.map(({ number }) => number))).toEqual(new Set([3]));
  expect(await runs.manifest(name)).toMatchObject({ questions: 2, fork: { whole: 1 } });
});

it('answers one question by what somebody says of one of its calls', async () => {
  const { run, asked, fork, runs } = await parentRun();
  const calls = callsOf((await runs.get(run, 'n/0')) as RunAnswer) ?? [];
  const address = calls.find(
    ({ step, output }) => step === 'summarize' && `${output}`.includes('told by a'),
  )?.address;
  const { name } = await fork({
    fork: {
      run,
      at: 'summarize',
      question: 'n/0',
      ...(address && { address }),
      output: 'Nothing at all.',
    },
  });
  // What reads it is asked, and nothing else.
  expect(asked.map(({ step }) => step).sort()).toEqual(['rankPair', 'rankPair', 'validate']);
  expect(await runs.manifest(name)).toMatchObject({ questions: 1 });
  const chain = (await runs.get(name, 'n/0'))?.result?.chain;
  expect(JSON.stringify(chain)).toContain('Nothing at all.');
});

it('asks a step with other prompts, and stops where those behind it are no more the same', async () => {
  const overrides = await temporaryFolder();
  const set = async (name: string, file: string, text: string) => {
    await mkdir(join(overrides, name), { recursive: true });
    await writeFile(join(overrides, name, file), text);
  };
  await set('ours', 'validate.txt', await shipped('validate'));
  const prompts = createPromptLibrary(overrides, {}, contentStore(new MemoryStore()));
  const { run, asked, fork, runs, harness } = await parentRun({ prompts }, { prompts: 'ours' });
  await set('ours', 'summarize.txt', `Think hard. ${await shipped('summarize')}`);
  await set('mine', 'rank-pair.txt', `Choose well. ${await shipped('rank-pair')}`);
  await new Promise((done) => setTimeout(done, 300));

  // What is behind nothing of the edited step is taken, whatever its prompts are by now.
  const { name } = await fork({
    fork: { run, at: 'rankPair', question: 'n/0' },
    prompts: { rankPair: 'mine' },
  });
  expect(asked.map(({ step }) => step)).toEqual(['rankPair', 'rankPair']);
  expect(await runs.manifest(name)).toMatchObject({
    input: { prompts: { default: 'ours', rankPair: 'mine' } },
    prompts: { 'mine/rank-pair.txt': expect.stringMatching(/^[0-9a-f]{12}$/) },
  });

  // Another candidate has to be summarized, which would be asked otherwise than before.
  const behind = await harness.client.fork({
    run: `${run}-behind`,
    fork: { run, at: 'generateCandidates', question: 'n/0' },
    models: { generateCandidates: 'other' },
  });
  const { pause } = await soon(async () => {
    const progress = await behind.progress();
    expect(progress.pause).not.toBeNull();
    return progress;
  });
  expect(pause).toMatchObject({
    reason: 'RunMismatch',
    message: expect.stringContaining('summarize'),
  });
  await behind.cancel();
  await expect(behind.result()).rejects.toThrow();

  await set('ours', 'summarize.txt', await shipped('summarize'));
  await new Promise((done) => setTimeout(done, 300));
  const again = { models: { generateCandidates: 'other' }, acceptChange: true };
  await fork(
    { fork: { run, at: 'generateCandidates', question: 'n/0' }, ...again },
    `${run}-behind`,
  );
  expect((await runs.get(`${run}-behind`, 'n/0'))?.result?.outcome).toBe('answered');
});

it('searches with options that ask for passages, though its parent searched nothing', async () => {
  const runs = memoryRuns();
  const harness = await sharedHarness(votingModel().model, { runs });
  const question = { id: 'n/0', question: questionText(0), answers: ['Bell'] };
  const dataset = await stored([question], harness.ports);
  const [run, name] = [`closed-${harness.id}`, `open-${harness.id}`];
  const spec = {
    run,
    method: 'base',
    options: { passages: 0 },
    corpus: 'sample',
    dataset,
  } as const;
  await answeredHere(spec, harness.ports);
  expect((await runs.get(run, 'n/0'))?.result).toMatchObject({ answer: 'Bell', retrievals: 0 });

  const forked = await harness.client.fork({ run: name, fork: { run }, options: { passages: 2 } });
  expect((await forked.result()).outcomes).toMatchObject({ answered: 1 });
  const { result } = (await runs.get(name, 'n/0')) ?? {};
  expect(result).toMatchObject({ answer: 'Bell', retrievals: 1 });
  expect(result?.evidence).toHaveLength(2);
  expect((await runs.manifest(name))?.corpus).not.toBeNull();
});

it('takes from a cell of a study what it asks, and not how far the study had it go', async () => {
  const study = { name: 's', method: 'sure', dataset: 'd', model: 'm', place: 0, repeat: 1 };
  const { runs, run, fork } = await parentRun(
    {},
    {
      study,
      upTo: 4,
      retryBefore: 1,
      endsAtPause: true,
      costsSeen: { usd: 1, questions: 2 },
      budgetPerQuestionUsd: 5,
    },
  );
  expect((await runs.manifest(run))?.input).toMatchObject({ study });
  const { name } = await fork({ fork: { run, at: 'rankPair' }, models: { rankPair: 'other' } });
  const { input = {} } = { ...(await runs.manifest(name)) };
  for (const field of ['study', 'upTo', 'retryBefore', 'endsAtPause', 'costsSeen'] as const) {
    expect(input).not.toHaveProperty(field);
  }
  expect(input).not.toHaveProperty('budgetPerQuestionUsd');
});

it('goes on from a turn in the middle, and takes the turns before it from the parent', async () => {
  const asked: string[] = [];
  const model = modelThatSays(({ prompt, request: { model } }) => {
    const turn = prompt.split('</search>\n\n<information>').length;
    asked.push(`${model} ${turn}`);
    if (turn < 4) return { text: `<search>query ${turn} of ${model}</search>` };
    return { text: `<answer>${prompt.includes('query 3 of other') ? 'Reis' : 'Bell'}</answer>` };
  });
  const runs = memoryRuns();
  const harness = await sharedHarness(model, { runs });
  const question = { id: 'n/0', question: questionText(0), answers: ['Bell'] };
  const dataset = await stored([question], harness.ports);
  const [run, name] = [`turns-${harness.id}`, `turns-fork-${harness.id}`];
  const spec = { run, method: 'taggedSearch', corpus: 'sample', dataset } as const;
  await answeredHere(spec, harness.ports);
  const { result: before, ...answer } = (await runs.get(run, 'n/0')) as RunAnswer;
  expect(before?.answer).toBe('Bell');
  const third = callAt(callsOf(answer) ?? [], 'think[3]', '--at');
  expect(third).toMatchObject({
    output: { action: { argument: expect.stringMatching(/^query 3/) } },
  });

  asked.length = 0;
  const fork = { run, at: 'think', question: 'n/0', address: third.address };
  const models = { think: 'other' };
  await (await harness.client.fork({ run: name, fork, models })).result();
  const { result } = (await runs.get(name, 'n/0')) ?? {};
  expect(asked).toEqual(['other 3', 'other 4']);
  expect(result).toMatchObject({ answer: 'Reis', chain: { turns: { length: 4 } } });
  expect(JSON.stringify(result?.chain)).toMatch(/query 2 of (?!other).*query 3 of other/);
});
