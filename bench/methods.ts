/**
 * Asks methods a few questions with the local model, with the commands a person would type: what
 * they score and take, and how the outputs of each step were read.
 */
import path from 'node:path';
import { openResults } from '../client/open-results.js';
import { addUsage, NO_USAGE } from '../core/usage.js';
import { callFigures } from '../evaluation/runs/call-figures.js';
import { openRuns } from '../evaluation/runs/run-source.js';
import { type MethodName, methods } from '../interpreters/methods.js';
import { callsOf } from '../stores/runs/call-records.js';
import { figuresTable } from './figures-table.js';
import { benchFlags } from './flags.js';
import { startLocalCommands } from './local-commands.js';
import { measuredOn } from './machine.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/methods.js --data FOLDER --out FOLDER [--dataset NAME] [--methods A,B] [--questions N] [--outputs FORM]
  --data       the evaluation data (or EVALUATION_DATA); it has corpora/wiki.jsonl.gz and dev/NAME.jsonl.gz
  --dataset    the questions (nq)
  --out        where the index and every answer are kept; the next start goes on from there
  --methods    only these, with commas between them (all)
  --questions  so many a method (3)
  --outputs    "text" (as left out) or "schema"
DURABLE_RAG_LOCAL_MODEL says which local model. What could not be read: durable-rag show RUN QUESTION --raw`;

const CORPUS = 'wiki';

/** Fields that every data set of the folder has. */
const FIELDS = 'id=id,question=question,answers=answers[]';

/** Small enough for a model that reads a hundred tokens a second and writes ten. */
const REDUCED: { [M in MethodName]?: object } = {
  allies: { subQueries: 1, depth: 1 },
  llatrieval: { supporting: 2, passages: 4, window: 4, iterations: 2 },
  ircot: { passages: 2, maxPassages: 6, maxThoughts: 3 },
  selfVerification: { passages: 3, samples: 3, conditions: 1 },
  selfAsk: { passages: 2, maxFollowUps: 2 },
  multiChain: { passages: 2, maxFollowUps: 2, chains: 2 },
  searchO1: { passages: 3, maxSearches: 2, maxTurns: 4 },
  react: { maxTurns: 4 },
  corag: { passages: 2, length: 2 },
  adaptiveRag: { base: { passages: 3 }, ircot: { passages: 2, maxPassages: 6, maxThoughts: 3 } },
  decompose: { passages: 2, subQuestions: 2 },
  lamer: { passages: 3, queries: 2, context: 3, candidates: 10 },
  rankGpt: { passages: 3, candidates: 6, window: 4, stride: 2 },
  rerankPassages: {
    passages: 3,
    candidates: 6,
    by: 'sureSummary',
    compare: ['embedding', 'genericSummary'],
  },
  genread: {},
  noRetrieval: {},
};

/** The flags of a method's options. */
function optionsOf(method: MethodName): string[] {
  const options = Object.entries(REDUCED[method] ?? { passages: 3 });
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return options.flatMap(([name, value]) => ['--option', `${name}=${text(value)}`]);
}

interface Asked {
  data: string;
  out: string;
  dataset: string;
  questions: string;
  outputs: string;
}

function measure(asked: Asked, chosen: readonly MethodName[]): Promise<string> {
  const { data, out, dataset, questions, outputs } = asked;
  return onTemporal(async (stage) => {
    const { run, env, model } = await startLocalCommands(stage, out);
    const corpora: { name: string }[] = JSON.parse(await run('corpora', '--json'));
    if (!corpora.some(({ name }) => name === CORPUS)) {
      await run('index', path.join(data, 'corpora', `${CORPUS}.jsonl.gz`), '--into', CORPUS);
    }
    const file = path.join(data, 'dev', `${dataset}.jsonl.gz`);
    const about = ['--dataset', file, '--fields', FIELDS, '--limit', questions, '--corpus', CORPUS];
    const form = ['--no-own-passages', '--outputs', outputs];
    const names: string[] = [];
    for (const method of chosen) {
      const name = `${method}-${dataset}-${outputs}-${questions}-${model}`;
      const flags = [...about, ...form, ...optionsOf(method), '--name', name];
      await run('eval', '--method', method, ...flags);
      names.push(name);
    }
    const tables = [await run('compare', ...names), await readings(env, names)];
    return `${measuredOn(model)}\n\n${tables.join('\n\n')}`;
  });
}

/** How many outputs of each step were read at once, asked for again, and given up, in Markdown. */
async function readings(env: NodeJS.ProcessEnv, names: readonly string[]): Promise<string> {
  const results = await openResults({ ...process.env, ...env });
  const steps = new Map<string, ReturnType<typeof callFigures>>();
  for (const source of await openRuns(results.runs, names)) {
    for await (const { id } of source.questions()) {
      const calls = callsOf((await source.answer(id)) ?? { id }) ?? [];
      for (const call of callFigures(calls).filter(({ usage }) => usage.calls > 0)) {
        steps.set(call.step, [...(steps.get(call.step) ?? []), call]);
      }
    }
  }
  await results.close();
  return figuresTable([
    ['step', 'asked', 'read', 'asked again', 'fallen back', 'prompt tokens', 'of these cached'],
    ...[...steps].map(([step, calls]) => {
      const again = calls.filter(({ reasked, fallback }) => reasked > 0 || fallback);
      const { promptTokens, cachedPromptTokens } = calls
        .map(({ usage }) => usage)
        .reduce(addUsage, NO_USAGE);
      const share = `${Math.round((100 * cachedPromptTokens) / Math.max(promptTokens, 1))} %`;
      const fallen = calls.filter(({ fallback }) => fallback).length;
      const counts = [calls.length, calls.length - again.length, again.length, fallen];
      return [`\`${step}\``, ...[...counts, promptTokens].map(String), share];
    }),
  ]);
}

const { flags, number, refuse } = benchFlags(USAGE, {
  data: process.env.EVALUATION_DATA,
  out: undefined,
  dataset: 'nq',
  methods: Object.keys(methods).join(','),
  questions: '3',
  outputs: 'text',
});
const { data = refuse(), out = refuse() } = flags;
number(flags.questions);
const chosen = flags.methods.split(',').map((name) => (name in methods ? name : refuse()));
const folders = { data: path.resolve(data), out: path.resolve(out) };
console.log(await measure({ ...flags, ...folders }, chosen as MethodName[]));
