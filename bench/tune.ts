/**
 * Tunes runs by twenty changes, with the commands a person would type, and tells what that takes
 * beside a grid of whole runs, and beside the same search made of whole runs.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openResults } from '../client/open-results.js';
import { addUsage, NO_USAGE, paidCalls, type Usage } from '../core/usage.js';
import type { RunStore } from '../stores/runs/run-store.js';
import { figuresTable } from './figures-table.js';
import { MODEL, OTHER_MODEL, startCommands } from './five/commands.js';
import { PRICE, writeQuestions } from './five/questions.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { CORPUS } from './speed/corpus.js';
import { workerEnv } from './speed/worker-env.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/tune.js [--questions N] [--methods A,B]
  --questions  of each run that is tuned (400)
  --methods    sure, llatrieval (both)`;

const METHODS = ['sure', 'llatrieval'] as const;
type Method = (typeof METHODS)[number];
const CANDIDATES = 20;
/** Half of the start's price. */
const CHEAPER = { prompt: 0.075, cachedPrompt: 0.0375, completion: 0.3 };
/** Points that may be lost: as much as the questions of the smallest bench decide. */
const MARGIN = 60;

/** What some runs took, how many questions they answered, and which steps they asked. */
interface Took {
  usage: Usage;
  questions: number;
  steps: Set<string>;
}

function measure(count: number, chosen: readonly Method[]): Promise<string> {
  return onTemporal(async (stage) => {
    const { folder } = stage;
    const prices = { [MODEL]: PRICE, [OTHER_MODEL]: CHEAPER };
    const { file, lines, env } = await writeQuestions(folder, count * chosen.length, prices);
    const run = await startCommands(stage, file, env);
    const { runs, close } = await openResults({ ...workerEnv(stage, '', MODEL), ...env });
    stage.takeDown(close);

    const rows: string[][] = [];
    for (const [i, method] of chosen.entries()) {
      // Questions that have confirmed one tune confirm no other.
      const own = path.join(folder, `${method}.jsonl`);
      await writeFile(own, lines.slice(i * count, (i + 1) * count).join('\n'));
      const about = ['--dataset', own, '--corpus', CORPUS];
      await run('eval', '--method', method, ...about, '--name', method);
      const tune = path.join(folder, `${method}.json`);
      const name = `${method}-tune`;
      const start = await tookBy(runs, (one) => one === method);
      const tried = { models: modelsOf([...start.steps]) };
      const input = { name, start: method, goal: 'cheaper', margin: MARGIN, try: tried };
      await writeFile(tune, JSON.stringify(input));
      await run('tune', 'run', tune);
      const took = await tookBy(runs, (_, study) => study === name);
      rows.push(...rowsOf(method, { start, took }, count));
    }
    return figuresTable([
      ['`try.models`: 20 changes', 'questions answered', 'calls', 'dollars', 'of the grid’s calls'],
      ...rows,
    ]);
  });
}

/** Returns twenty cheaper models in all, spread over steps; each draws its own answers. */
function modelsOf(steps: readonly string[]): Record<string, object[]> {
  const all = Array.from({ length: CANDIDATES }, (_, n) => ({
    step: steps[n % steps.length] ?? '',
    model: { model: OTHER_MODEL, temperature: (n + 1) / CANDIDATES },
  }));
  return Object.fromEntries(
    steps.map((step) => [step, all.filter((one) => one.step === step).map(({ model }) => model)]),
  );
}

async function tookBy(
  runs: RunStore,
  isMeant: (run: string, study: string | undefined) => boolean,
): Promise<Took> {
  const took: Took = { usage: NO_USAGE, questions: 0, steps: new Set() };
  for (const { run, input } of await runs.list()) {
    if (!isMeant(run, input.study?.name)) continue;
    for await (const { question } of runs.questions(run)) {
      const result = (await runs.get(run, question.id))?.result;
      if (!result) continue;
      took.usage = addUsage(took.usage, result.usage);
      took.questions++;
      for (const step of Object.keys(result.steps)) took.steps.add(step);
    }
  }
  return took;
}

/** A whole run of a candidate takes about the calls of the start. */
function rowsOf(
  method: Method,
  { start, took }: { start: Took; took: Took },
  count: number,
): string[][] {
  const each = paidCalls(start.usage) / start.questions;
  const grid = CANDIDATES * count;
  const dollars = (start.usage.costUsd ?? 0) / start.questions;
  const row = (what: string, questions: number, calls: number, usd: number) => [
    `\`${method}\`, ${what}`,
    questions.toLocaleString('en-US'),
    Math.round(calls).toLocaleString('en-US'),
    usd.toFixed(4),
    `${((100 * calls) / (grid * each)).toFixed(1)} %`,
  ];
  const whole = (what: string, questions: number) =>
    row(what, questions, questions * each, questions * dollars);
  return [
    whole('a grid of whole runs', grid),
    whole('halving with whole runs', took.questions),
    row('tuned', took.questions, paidCalls(took.usage), took.usage.costUsd ?? 0),
  ];
}

const { flags, number, refuse } = benchFlags(USAGE, {
  questions: '400',
  methods: METHODS.join(','),
});
const named = METHODS.filter((method) => flags.methods.split(',').includes(method));
const chosen = named.length > 0 ? named : refuse();
const count = number(flags.questions);
const text = await measure(count, chosen);
console.log(`${text}\n\n${count} questions. ${measuredOn('a scripted reader')}`);
