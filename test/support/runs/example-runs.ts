/** Runs as `eval` leaves them, in memory. */

import type { MethodResult, Outcome, StepUsage } from '../../../core/result.js';
import type { RunInput } from '../../../core/run/input.js';
import { seededRandom } from '../../../core/sampler.js';
import { addUsage, NO_USAGE, type Usage } from '../../../core/usage.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { scorePassages } from '../../../evaluation/score-passages.js';
import { methodRegistry, parseRunInput } from '../../../interpreters/methods.js';
import type {
  RunAnswer,
  RunManifest,
  RunQuestion,
  RunStore,
} from '../../../stores/runs/run-store.js';
import { builtInScores } from '../built-in-scores.js';
import { type Chained, tell } from './chains.js';
import { type Fact, facts } from './facts.js';

export interface ExampleRun {
  run: string;
  method: Chained;
  /** Questions asked. @default 20 */
  questions?: number;
  /** Share answered right. @default 0.6 */
  right?: number;
  /** @default the run's name */
  luck?: string;
  /** Share of calls served from the cache. @default 0 */
  cached?: number;
  input?: Partial<RunInput>;
  /** Changes the facts before they are asked. */
  change?: (fact: Fact) => Fact;
}

export function manifestOf({ run, method, input = {}, questions = 20 }: ExampleRun): RunManifest {
  const dataset = `sha256:${'ab'.repeat(32)}`;
  const spec = parseRunInput({ run, method, dataset, corpus: 'sample', ...input });
  const answerForm = methodRegistry().get(method)?.cites?.(spec.options);
  return {
    run,
    createdAt: '2026-11-20T08:00:00.000Z',
    input: { ...spec, dataset },
    ...(answerForm && { answerForm }),
    questions,
    questionsSha256: 'ef'.repeat(32),
    dataset: {
      file: 'bridges.jsonl',
      sha256: 'ab'.repeat(32),
      questions: 12_000,
      selected: questions,
      rule: `the first ${questions} questions of the file`,
      kinds: { span: questions },
    },
    corpus: { name: 'sample', passages: 60_000 },
    prompts: { 'read.txt': 'cd'.repeat(6) },
    provider: 'https://models.example',
    models: { default: 'example-model' },
    normaliser: 'squad',
    embedding: { provider: 'https://models.example', model: 'example-embedding' },
    reranker: null,
    prices: {},
    versions: { durableRag: '0.1.0', node: '20.20.0' },
  };
}

/** A run over the first facts; of thirty questions one is unknown, unreadable, failed or gone. */
export function exampleRun(example: ExampleRun): RunSource {
  const { run, questions = 20, change = (fact) => fact, luck = run } = example;
  const manifest = manifestOf(example);
  const asked = facts(questions).map(change);
  const at = new Map(asked.map(({ id }, i) => [id, i]));
  return {
    manifest,
    async *questions() {
      for (const fact of asked) yield questionOf(fact);
    },
    async answer(id) {
      const i = at.get(id);
      const fact = i === undefined ? undefined : asked[i];
      return fact && answerOf(example, fact, i ?? 0, seededRandom(`${luck}/${id}`));
    },
  };
}

export function questionOf({ id, question, answer }: Fact): RunQuestion {
  return { id, question, answers: [answer], answerKind: 'span' };
}

const OUTCOMES: Record<number, Outcome> = { 7: 'unknown', 13: 'unreadable', 21: 'failed' };
/** The place in thirty of a question whose workflow was terminated. */
const GONE = 27;

function answerOf(
  { run, method, right = 0.6, cached = 0 }: ExampleRun,
  fact: Fact,
  i: number,
  random: () => number,
): RunAnswer {
  const isRight = random() < right;
  const startedAt = Date.parse('2026-11-20T08:00:00Z') + i * 700;
  const seconds = 1.5 * tellCalls(method, fact) ** 0.5 * Math.exp(random() * 1.4);
  const times = {
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(startedAt + seconds * 1000).toISOString(),
  };
  const question = questionOf(fact);
  const zero = builtInScores(question, 'failed');
  if (i % 30 === GONE) {
    const failure = { type: 'Terminated', message: 'The workflow was terminated.', step: null };
    return { id: fact.id, result: null, failure, scores: zero, ...times };
  }
  const outcome = OUTCOMES[i % 30] ?? 'answered';
  const result = resultOf(run, method, fact, isRight, outcome, cached);
  const isAnswered = outcome === 'answered';
  const retrieval =
    method === 'genread' || outcome === 'failed'
      ? undefined
      : scorePassages(
          question,
          fact.passages.map(({ text }) => text),
        );
  return {
    id: fact.id,
    result,
    ...(result.failure && { failure: result.failure }),
    scores: isAnswered ? builtInScores(question, { answer: result.answer ?? '' }) : zero,
    ...(retrieval && { retrieval }),
    ...times,
  };
}

function tellCalls(method: Chained, fact: Fact): number {
  return Object.values(tell(method, fact, true).calls).reduce((a, b) => a + b, 0);
}

function resultOf(
  run: string,
  method: Chained,
  fact: Fact,
  isRight: boolean,
  outcome: Outcome,
  cached: number,
): MethodResult {
  const { answer, chain, calls, retrievals, confidence } = tell(method, fact, isRight);
  const steps = Object.fromEntries(
    Object.entries(calls)
      .filter(([, count]) => count > 0)
      .map(([step, count]) => [step, stepOf(count, Math.round(count * cached))]),
  );
  const isFailed = outcome === 'failed';
  return {
    workflowId: `eval/${run}/${fact.id}`,
    method,
    question: fact.question,
    outcome,
    answer: outcome === 'answered' ? answer : null,
    ...(outcome === 'answered' && confidence !== undefined && { confidence }),
    evidence: fact.passages.slice(0, 1).map(({ id }) => id),
    chain: isFailed ? null : chain,
    usage: Object.values(steps).reduce<Usage>(addUsage, NO_USAGE),
    retrievals,
    steps,
    flags: isRight ? [] : [{ kind: 'reasked', step: 'read', detail: 'the answer: "I think that"' }],
    ...(isFailed && {
      failure: {
        type: 'ContextTooLong',
        message: 'The prompt has 9,000 tokens of 8,192.',
        step: 'read',
      },
    }),
  };
}

function stepOf(calls: number, cachedCalls: number): StepUsage {
  const paid = calls - cachedCalls;
  return {
    calls,
    cachedCalls,
    promptTokens: 820 * paid,
    cachedPromptTokens: 400 * paid,
    completionTokens: 38 * paid,
    costUsd: Math.round(paid * 0.00015 * 1e12) / 1e12,
    ...(cachedCalls > 0 && { savedUsd: Math.round(cachedCalls * 0.00015 * 1e12) / 1e12 }),
    models: ['example-model-2026'],
    prompts: ['ef'.repeat(32)],
  };
}

/** Texts of the passages that the facts came with. */
export function textsOf(count: number, change: (fact: Fact) => Fact = (fact) => fact) {
  const texts = new Map(
    facts(count)
      .map(change)
      .flatMap(({ passages }) => passages.map(({ id, text }) => [id, text])),
  );
  return async (_run: RunManifest, ids: readonly string[]) =>
    new Map(ids.flatMap((id) => [[id, texts.get(id) ?? ''] as const]));
}

/** A store that holds these runs and takes no others. */
export function storeOf(runs: readonly RunSource[]): RunStore {
  const find = (name: string) => runs.find(({ manifest }) => manifest.run === name);
  const refuse = async () => {
    throw new Error('These runs are only read.');
  };
  return {
    begin: refuse,
    change: refuse,
    remove: async () => {},
    put: refuse,
    manifest: async (run) => find(run)?.manifest,
    list: async () => runs.map(({ manifest }) => manifest),
    async *questions(run) {
      let next = 0;
      for await (const question of find(run)?.questions() ?? []) yield { question, next: ++next };
    },
    get: async (run, id) => find(run)?.answer(id),
    mark: refuse,
    marks: async () => new Map(),
  };
}

const METHODS: [Chained, right: number][] = [
  ['genread', 0.45],
  ['sure', 0.65],
  ['allies', 0.55],
  ['chainOfNote', 0.5],
];
const MODELS = ['gpt-5-mini', 'gpt-5-nano'];
const FILES = ['nq.jsonl', 'hotpotqa.json'];

/**
 * 16 runs are 2 methods x 2 data sets x 2 models x 2 repeats, 48 are 4 x 2 x 2 x 3.
 *
 * @param questions of each data set, of which all have the same ids.
 */
export function studyRuns(runs: 16 | 48, questions = 60): RunSource[] {
  const [methods, repeats] = runs === 16 ? [2, 2] : [4, 3];
  return FILES.flatMap((file, d) =>
    METHODS.slice(0, methods).flatMap(([method, right]) =>
      MODELS.flatMap((model, m) =>
        Array.from({ length: repeats }, (_, repeat): RunSource => {
          const run = `study.${method}.${d}.${m}.r${repeat + 1}`;
          const source = exampleRun({
            run,
            method,
            questions,
            right: right - 0.1 * m - 0.05 * d,
            input: { seed: repeat + 1 },
          });
          const sha256 = `${d}`.repeat(64);
          const dataset = { ...source.manifest.dataset, file, sha256 };
          return {
            ...source,
            manifest: { ...source.manifest, dataset, models: { default: model } },
          };
        }),
      ),
    ),
  );
}
