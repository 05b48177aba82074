/** Explains a run: where its wrong answers were lost, and what perfect steps would be worth. */

import { Failure } from '../core/failure.js';
import { isScorer, type ScoredQuestion } from '../core/metric.js';
import { parseInput } from '../core/options/input.js';
import { methodNamed } from '../core/registry.js';
import type { Conclusion } from '../core/result.js';
import { BUILT_IN } from '../evaluation/metrics/built-in.js';
import { openRun } from '../evaluation/runs/run-source.js';
import { scoreEnded } from '../evaluation/score-answer.js';
import { scorePassages } from '../evaluation/score-passages.js';
import { pairedDifference } from '../evaluation/statistics/paired-difference.js';
import { type Interval, meanInterval } from '../evaluation/statistics/score-interval.js';
import { blame, type Lost } from '../interpreters/blame.js';
import { type Answered, perfected, stepNamed } from '../interpreters/oracles.js';
import { replay } from '../interpreters/replay.js';
import type { ReadTexts } from '../report/question/passage-texts.js';
import type { ModelSteps } from '../steps/define.js';
import { callsOf } from '../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../stores/runs/run-store.js';
import type { OwnMethods } from '../workflows/define-method.js';

export interface ExplainPorts {
  runs: Pick<RunStore, 'manifest' | 'questions' | 'get'>;
  texts: ReadTexts;
  methods: OwnMethods;
  /** Steps of somebody's own. */
  steps?: ModelSteps | undefined;
}

/** Why a question takes no part. */
export type LeftOut = 'unanswered' | 'withoutRecords' | 'otherVersion' | 'passagesGone' | 'notTold';

/** What perfect outputs of a step would be worth. */
export interface PerfectStep {
  step: string;
  /** Those that no call is needed for; the means are over these. */
  questions: number;
  /** Null where there is none. */
  em: Interval | null;
  /** More than the run has on the same questions, with p; null where there is none. */
  more: { mean: number; p: number } | null;
  /** The others, and the most calls that they would need. */
  needs: { questions: number; calls: number };
}

export interface Explanation {
  run: string;
  questions: number;
  /** By why the questions that take no part. */
  leftOut: Partial<Record<LeftOut, number>>;
  right: number;
  /** Where the wrong answers were lost, most first. */
  lost: (Lost & { questions: number })[];
  /** In the order of the calls. */
  steps: PerfectStep[];
}

const em = BUILT_IN.filter(isScorer).filter(({ name }) => name === 'em');

/**
 * Explains a kept run by exact match, from the records of its calls. Nothing is asked.
 *
 * @throws Failure UnknownRun; BadInput for a method that declares no algorithm.
 */
export async function explainRun(run: string, ports: ExplainPorts): Promise<Explanation> {
  const { manifest, questions, answer } = await openRun(ports.runs as RunStore, run);
  const explained = { run, questions: 0, leftOut: {}, right: 0 } as Explanation;
  const lost = new Map<string, Lost & { questions: number }>();
  const steps = new Map<string, { had: number[]; perfect: number[]; calls: number[] }>();
  const before: number[] = [];
  const { leftOut } = explained;
  for await (const question of questions()) {
    explained.questions++;
    const found = await answeredOf(question, await answer(question.id), manifest, ports);
    if (typeof found === 'string') {
      leftOut[found] = (leftOut[found] ?? 0) + 1;
      continue;
    }
    const { conclusion, answered } = found;
    const scoreOf = (ended: Conclusion<unknown>) => scoreEnd(question, ended);
    const had = scoreOf(conclusion);
    if (had === 1) explained.right++;
    else {
      const one = await blame(answered, (ended) => scoreOf(ended) === 1);
      const key = JSON.stringify(one);
      lost.set(key, { ...one, questions: (lost.get(key)?.questions ?? 0) + 1 });
    }
    for (const { step } of answered.calls) {
      if (stepNamed(step, ports.steps)?.oracle && !steps.has(step)) {
        // Questions without the step stay as they are.
        steps.set(step, { had: [...before], perfect: [...before], calls: [] });
      }
    }
    for (const [step, sums] of steps) {
      const isAsked = answered.calls.some((call) => call.step === step);
      const ended = isAsked ? await perfected(answered, new Set([step])) : { conclusion };
      if ('calls' in ended) sums.calls.push(ended.calls);
      else {
        sums.had.push(had);
        sums.perfect.push(scoreOf(ended.conclusion));
      }
    }
    before.push(had);
  }
  explained.lost = [...lost.values()].sort((a, b) => b.questions - a.questions);
  explained.steps = [...steps].map(([step, { had, perfect, calls }]) => ({
    step,
    questions: perfect.length,
    em: perfect.length === 0 ? null : meanInterval(perfect),
    more: perfect.length === 0 ? null : differenceOf(perfect, had),
    needs: { questions: calls.length, calls: calls.reduce((sum, one) => sum + one, 0) },
  }));
  return explained;
}

function differenceOf(perfect: readonly number[], had: readonly number[]) {
  const { mean, p } = pairedDifference(perfect, had);
  return { mean, p };
}

/** Returns a question as it was answered; or why it takes no part. */
async function answeredOf(
  question: RunQuestion,
  kept: RunAnswer | undefined,
  manifest: RunManifest,
  { texts, methods, steps }: ExplainPorts,
): Promise<{ answered: Answered; conclusion: Conclusion<unknown> } | LeftOut> {
  const result = kept?.result;
  if (!kept || !result || result.outcome === 'failed') return 'unanswered';
  const applies = em.every((one) => one.applies?.(question) ?? true);
  if (!applies || scorePassages(question, []) === undefined) return 'notTold';
  const records = callsOf(kept);
  if (!records) return 'withoutRecords';
  const method = methodNamed(manifest.input.method, methods);
  const asked = { question: question.question, options: manifest.input.options as object };
  const replayed = await replay(method, asked, records).catch((error: unknown) => {
    if (error instanceof Failure && error.type === 'Incompatible') return undefined;
    throw error;
  });
  if (!replayed) return 'otherVersion';
  const { calls } = replayed;
  const shown = calls.flatMap((call) =>
    (stepNamed(call.step, steps)?.passages?.(call.input as object) ?? []).flatMap((one) =>
      typeof one === 'string' ? one : [],
    ),
  );
  const ids = [...new Set(shown)];
  const found = await texts(manifest, ids);
  if (ids.some((id) => !found.has(id))) return 'passagesGone';
  const { options } = parseInput(method, asked, true);
  const answered = {
    ...{ method, question: question.question, options, calls, steps },
    ...{ answers: question.answers, texts: found },
  };
  return { answered, conclusion: result as Conclusion<unknown> };
}

function scoreEnd(question: ScoredQuestion, { outcome, answer, chain }: Conclusion<unknown>) {
  const ended =
    outcome === 'answered' ? { question, answer: answer ?? '', passages: [], chain } : outcome;
  return scoreEnded(em, question, ended).scores.em ?? 0;
}
