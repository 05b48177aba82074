/** Answers of a run written by hand, with no more in them than a test looks at. */

import type { MethodResult, Outcome, StepUsage } from '../../../core/result.js';
import { NO_USAGE, type Usage } from '../../../core/usage.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import type { RunAnswer, RunQuestion, RunStore } from '../../../stores/runs/run-store.js';
import { type ExampleRun, manifestOf } from './example-runs.js';

export function usageOf(rest: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, ...rest };
}

export function stepUsage(rest: Partial<StepUsage> = {}): StepUsage {
  return { ...NO_USAGE, models: ['m'], prompts: [], ...rest };
}

export function questionOf(id: string, rest: Partial<RunQuestion> = {}): RunQuestion {
  return { id, question: `What is ${id}?`, answers: [id], answerKind: 'span', ...rest };
}

/** @param rest of the answer, and of its result. */
export function answerOf(
  id: string,
  outcome: Outcome,
  scores: RunAnswer['scores'],
  { result, ...rest }: Partial<Omit<RunAnswer, 'result'>> & { result?: Partial<MethodResult> } = {},
): RunAnswer {
  return {
    id,
    scores,
    startedAt: '2026-11-20T08:00:00.000Z',
    endedAt: '2026-11-20T08:00:04.000Z',
    ...rest,
    result: {
      workflowId: `eval/run/${id}`,
      method: 'base',
      question: `What is ${id}?`,
      outcome,
      answer: outcome === 'answered' ? 'something' : null,
      evidence: [],
      chain: null,
      usage: usageOf(),
      retrievals: 0,
      steps: {},
      flags: [],
      ...result,
    },
  };
}

/** A question of a run, and what came of it. */
export type Entry = readonly [RunQuestion, RunAnswer | undefined];

/** Questions q0 on, with what came of each. */
export function numbered(
  count: number,
  answer: (id: string, i: number) => RunAnswer | undefined,
  more: Partial<RunQuestion> = {},
): Entry[] {
  const ids = Array.from({ length: count }, (_, i) => `q${i}`);
  return ids.map((id, i) => [questionOf(id, more), answer(id, i)]);
}

/** A run of these questions; those without an answer have not ended. */
export function runOf(
  run: string,
  entries: readonly Entry[],
  rest: Partial<ExampleRun> = {},
): RunSource {
  return {
    manifest: manifestOf({ run, method: 'base', questions: entries.length, ...rest }),
    async *questions() {
      for (const [question] of entries) yield question;
    },
    answer: async (id) => entries.find(([question]) => question.id === id)?.[1],
  };
}

/** Puts a run into a store. */
export async function keepRun(
  store: RunStore,
  { manifest, questions, answer }: RunSource,
): Promise<void> {
  const all: RunQuestion[] = [];
  for await (const question of questions()) all.push(question);
  async function* each() {
    yield* all;
  }
  await store.begin(manifest.run, each(), () => manifest);
  for (const { id } of all) {
    const found = await answer(id);
    if (found) await store.put(manifest.run, found);
  }
}
