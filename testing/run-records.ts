/** Makes runs, questions and answers that tests write into a store of runs. */
import { randomUUID } from 'node:crypto';
import type { MethodResult } from '../core/result.js';
import { NO_USAGE } from '../core/usage.js';
import { parseRunInput } from '../interpreters/methods.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../stores/runs/run-store.js';

/** Returns a name of a run for a test, another one at each call. */
export function uniqueRunName(): string {
  return `run-${randomUUID()}`;
}

/**
 * Returns the manifest of a run of SuRe over three questions.
 *
 * @param changes Fields that differ.
 */
export function manifestFor(run: string, changes: Partial<RunManifest> = {}): RunManifest {
  const dataset = 'sha256:abc';
  const input = { ...parseRunInput({ run, method: 'sure', dataset }), dataset };
  return {
    run,
    input,
    questions: 3,
    createdAt: '2026-01-02T03:04:05.678Z',
    corpus: null,
    questionsSha256: 'abc',
    dataset: {
      file: 'nq.jsonl',
      sha256: 'abc',
      questions: 3,
      selected: 3,
      rule: 'all questions',
      kinds: { span: 3 },
    },
    prompts: { 'read.txt': '0123456789ab' },
    provider: 'p',
    models: { default: 'm' },
    embedding: { provider: 'p', model: 'e' },
    reranker: null,
    prices: {},
    normaliser: 'SQuAD',
    versions: { durableRag: '1.0.0', node: 'v20' },
    ...changes,
  };
}

/** Returns a question with the answer "Bell". @param changes Fields that differ. */
export function question(id: string, changes: Partial<RunQuestion> = {}): RunQuestion {
  return { id, question: `Who is ${id}?`, answers: ['Bell'], answerKind: 'span', ...changes };
}

/** Yields the items of an array one by one, as an asynchronous iterable. */
export async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/**
 * Returns the record of the answer "Bell" to a question: its id, result, scores and times.
 *
 * @param changes Fields of the result that differ.
 */
export function answer(id: string, changes: Partial<MethodResult> = {}): RunAnswer {
  const result: MethodResult = {
    workflowId: `eval/${id}`,
    method: 'sure',
    question: `Who is ${id}?`,
    outcome: 'answered',
    answer: 'Bell',
    evidence: [],
    chain: { passages: [] },
    usage: { ...NO_USAGE, calls: 7, costUsd: 0.25 },
    retrievals: 1,
    steps: {},
    flags: [],
    ...changes,
  };
  const times = { startedAt: '2026-01-02T03:04:05.678Z', endedAt: '2026-01-02T03:04:06.000Z' };
  return { id, result, scores: { em: 1, f1: 1 }, ...times };
}
