/** A study and a tune whose workers are killed and stopped, and the command of the study as well. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createClient } from '../../../client/create-client.js';
import { seededRandom } from '../../../core/sampler.js';
import type { TuneInput } from '../../../core/tune/tune.js';
import { halfOf } from '../../../evaluation/tune/halves.js';
import { commandLineOver } from '../../support/command-line.js';
import { numberFiles, rightWithPassage } from '../../support/number-files.js';
import { gate, soon } from '../../support/run.js';
import { promptOf } from '../../support/telephone.js';

const STUDY = (name: string, file: string) =>
  [
    `name: ${name}`,
    'methods: [{ base: { passages: 0 }, as: closed }, { base: { passages: 1 }, as: open }]',
    `datasets: [${file}]`,
    'models: [some-model]',
    'repeats: 2',
    'baseline: closed',
    'budgetUsd: 100',
    'concurrency: 4',
    '',
  ].join('\n');

const KILLS = 2;

/** A study of 64 answers, and what its table says at the end. */
async function setUp(name: string) {
  const { cli, server } = await numberFiles(16, rightWithPassage);
  const file = join(cli.home, 'study.yaml');
  await writeFile(file, STUDY(name, join(cli.home, 'numbers.jsonl')));
  const prices = join(cli.home, 'prices.json');
  await writeFile(prices, JSON.stringify({ 'some-model': { prompt: 1, completion: 1 } }));
  const env = { DURABLE_RAG_PRICES: prices };
  const table = async () => (await cli.ok(['study', 'table', name, '--format', 'csv'], env)).stdout;
  // As a process: a command that starts a worker of its own has the code of the others.
  async function run(): Promise<{ state: string }> {
    const { code, stdout, stderr } = await cli.start(['study', 'run', file, '--json'], env)
      .finished;
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  }
  return { cli, server, file, env, run, table };
}

it('has the table of one that nobody disturbed, and pays again only for what was in flight', async () => {
  const quiet = await setUp('undisturbed-numbers');
  await quiet.cli.workerProcess(quiet.env);
  await quiet.run();

  const { cli, server, file, env, run, table } = await setUp('disturbed-numbers');
  const random = seededRandom(7);
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await cli.workerProcess(env);
    const command = cli.start(['study', 'run', file], env);
    await sleep(random() * 4_000);
    // Whichever is killed, both begin anew: the same is typed again.
    await Promise.all([worker.end('SIGKILL'), command.end('SIGKILL')]);
  }
  await cli.workerProcess(env);
  expect(await run()).toMatchObject({ state: 'finished', pause: null, budgetUsd: 100 });
  expect(await table()).toBe(await quiet.table());
  // Of each kill, what was in flight may be paid for again: four questions in each of four runs.
  const more = server.requests.length - quiet.server.requests.length;
  expect(more).toBeLessThanOrEqual(KILLS * 4 * 4);
});

/** What a call of the tune is about. */
interface TunedCall {
  number: number;
  isNano: boolean;
  /** Whether it is shown the second passage. */
  isSecond: boolean;
}

const numberText = (number: number) => `Who was number ${number}?`;
const isInB = ({ number }: TunedCall) => halfOf({ id: '', question: numberText(number) }) === 'B';

/** Each change knows another quarter of the answers, and so do both of them joined. */
const knows = ({ number, isNano, isSecond }: TunedCall) =>
  number % 4 === 0 || (number % 4 === 1 && isNano) || (number % 4 === 2 && isSecond);

/** Half B has 20 of them. */
const TUNED = 48;

it('claims the same of a tune whose workers are killed and stopped, and pays for no answer twice', async () => {
  let hold = { isHeld: (_: TunedCall): boolean => false, opened: Promise.resolve() };
  const { server, cli } = await commandLineOver(async (request) => {
    const prompt = promptOf(request);
    const call = {
      number: Number(/number (\d+)\?/.exec(prompt)?.[1]),
      isNano: request.model === 'nano',
      isSecond: prompt.includes('Gray was another.'),
    };
    if (hold.isHeld(call)) await hold.opened;
    return { text: knows(call) ? 'Bell' : 'Gray' };
  });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = await createClient({ connection, taskQueue: cli.taskQueue });
  const dataset = Array.from({ length: TUNED }, (_, number) => ({
    id: `${number}`,
    question: numberText(number),
    answers: ['Bell'],
    passages: [
      { title: 'Bell', text: 'Bell was a number.' },
      { title: 'Gray', text: 'Gray was another.' },
    ],
  }));
  let worker = await cli.workerProcess();
  const reading = { method: 'base', options: { passages: 1 }, mode: 'given', dataset } as const;
  await (await client.startRun({ run: 'tuned-numbers', ...reading })).result();
  const asked = server.requests.length;

  /** Ends the worker while so many of these calls are open, and starts another one. */
  async function endWhile(signal: 'SIGKILL' | 'SIGTERM', open: number, isHeld: typeof hold.isHeld) {
    const { open: letGo, opened } = gate();
    hold = { isHeld, opened };
    await soon(() => expect(server.inFlight).toBe(open));
    const ended = worker.end(signal);
    if (signal === 'SIGKILL') await soon(() => expect(server.inFlight).toBe(0));
    hold = { isHeld: () => false, opened };
    letGo();
    await ended;
    worker = await cli.workerProcess();
  }

  const input: TuneInput = {
    name: 'killed-tune',
    start: 'tuned-numbers',
    goal: 'better',
    concurrency: 1,
    try: { models: { read: ['nano'] }, options: { passages: [2] } },
  };
  // In the search, where each of two candidates has a call open; in their joint fork; and on half B.
  const isChanged = ({ isNano, isSecond }: TunedCall) => isNano || isSecond;
  const isJoint = ({ isNano, isSecond }: TunedCall) => isNano && isSecond;
  const handle = await client.tune(input);
  await endWhile('SIGKILL', 2, isChanged);
  await endWhile('SIGKILL', 1, isJoint);
  await endWhile('SIGTERM', 2, (call) => isInB(call) && isChanged(call));
  await endWhile('SIGKILL', 1, (call) => isInB(call) && isJoint(call));
  const ended = await handle.result();

  const inB = dataset
    .map((_, number) => ({ number, isNano: false, isSecond: false }))
    .filter(isInB);
  const gain = (of: Partial<TunedCall>) =>
    inB.filter((call) => knows({ ...call, ...of }) && !knows(call)).length / inB.length;
  const all = { questions: inB.length, asked: inB.length };
  const shown = ended.decisions?.map(({ method, ...one }) => [method, one] as const);
  expect(Object.fromEntries(shown ?? [])).toMatchObject({
    'read: nano': { ...all, difference: { mean: gain({ isNano: true }) } },
    'passages 2': { ...all, difference: { mean: gain({ isSecond: true }) } },
  });
  expect(ended.decisions?.[0]).toMatchObject({
    method: expect.stringContaining(' + '),
    verdict: 'better',
    difference: { mean: gain({ isNano: true, isSecond: true }) },
  });
  const calls = server.requests.slice(asked);
  const received = calls.filter(({ aborted }) => !aborted);
  const distinct = new Set(received.map(({ body }) => body.model + promptOf(body)));
  // Two changes and both of them joined, of each question.
  expect(distinct.size).toBe(3 * TUNED);
  expect(received).toHaveLength(distinct.size);
  expect(calls).toHaveLength(distinct.size + 2 + 1 + 1);

  // The same again asks nothing.
  const again = await (await client.tune(input)).result();
  expect(again.decisions).toEqual(ended.decisions);
  expect(server.requests).toHaveLength(asked + calls.length);
}, 480_000);
