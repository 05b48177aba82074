/** Explains a run: the steps at which wrong answers were lost, and the gain from perfect steps. */

import type { OwnMetric } from '../core/metric.js';
import { metricRegistry } from '../evaluation/metrics/registry.js';
import { decisiveScore } from '../evaluation/runs/metrics.js';
import { isRightBy } from '../evaluation/runs/question-state.js';
import { openRun, type RunSource } from '../evaluation/runs/run-source.js';
import {
  differenceInterval,
  differencesOf,
  LEVEL,
  pairedDifference,
} from '../evaluation/statistics/paired-difference.js';
import { meanInterval } from '../evaluation/statistics/score-interval.js';
import { type AnswerLoss, findAnswerLoss } from '../interpreters/blame.js';
import {
  type ExclusionReason,
  type ReplaySources,
  reconstructQuestion,
} from '../interpreters/explained.js';
import { withSteps } from '../interpreters/find-own-steps.js';
import { methodRegistry } from '../interpreters/methods.js';
import { answerWithPerfectSteps } from '../interpreters/replay.js';
import type { ReadTexts } from '../report/question/passage-texts.js';
import type { OwnStep } from '../steps/actions.js';
import { ownSteps } from '../steps/own-steps.js';
import { stepNamed } from '../steps/table.js';
import type { RunStore } from '../stores/runs/run-store.js';
import type { Transcripts } from '../stores/transcripts.js';
import type { OwnMethod } from '../workflows/define-method.js';

export type { ExclusionReason as LeftOut };

/**
 * Stores of `explainRun`, the names of forks of the run with perfect outputs, and custom methods,
 * metrics and steps.
 */
export interface ExplainOptions {
  runs: RunStore;
  texts: ReadTexts;
  /** Transcripts of methods that take turns. Without them, only the records count. */
  transcripts?: Pick<Transcripts, 'lastPiece' | 'text'> | undefined;
  /** Custom methods, metrics and steps. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
  steps?: readonly OwnStep[] | undefined;
  /**
   * Names of stored forks of the run in which the output of a step is perfect, by the name of the
   * step. They answer questions that would otherwise need new calls.
   */
  perfectForks?: Readonly<Record<string, string>> | undefined;
}

/**
 * The result of `explainRun`: the steps at which wrong answers were lost, and the gain from perfect
 * outputs of each step.
 */
export type Explanation = Awaited<ReturnType<typeof explainRun>>;
/**
 * The effect of perfect outputs of one step: the mean score with them (`score`) and its paired
 * difference from the run (`more`), each with its 95 % interval and null if no result is known,
 * and the questions and model calls that the others would need (`needs`).
 */
export type PerfectStep = Explanation['steps'][number];

/**
 * Returns the numbers of wrong answers of a stored run by the step at which they were lost
 * (`lost`, most frequent first), and the mean score that perfect outputs would give of each step
 * for which they are known by its oracle (`steps`, in the order of the calls). Replays the recorded
 * calls and makes none. An answer is right or wrong by the metric that decides.
 *
 * @throws Failure UnknownRun; BadInput for a method that declares no algorithm.
 * @example
 * const { lost, steps } = await explainRun('nq-sure', await openResults());
 */
export async function explainRun(
  run: string,
  { runs, texts, transcripts, metrics, perfectForks = {}, ...given }: ExplainOptions,
) {
  const { methods, steps: own = [] } = await withSteps(given);
  const known: ReplaySources = {
    texts,
    transcripts,
    methods: methodRegistry(methods),
    metrics: metricRegistry(metrics),
    steps: ownSteps(own).steps,
  };
  const { manifest, questions, answer } = await openRun(runs, run);
  const forks = new Map<string, RunSource>();
  for (const [step, name] of Object.entries(perfectForks)) {
    forks.set(step, await openRun(runs, name));
  }
  let [all, right] = [0, 0];
  const leftOut: Partial<Record<ExclusionReason, number>> = {};
  const lost = new Map<string, AnswerLoss & { questions: number }>();
  const steps = new Map<string, { had: number[]; perfect: number[]; calls: number[] }>();
  const before: number[] = [];
  const decided = new Map<string, number>();
  for await (const question of questions()) {
    all++;
    const found = await reconstructQuestion(question, await answer(question.id), manifest, known);
    if (typeof found === 'string') {
      leftOut[found] = (leftOut[found] ?? 0) + 1;
      continue;
    }
    const { conclusion, answered, decisive, scoreOf } = found;
    const perfectly = async (steps: ReadonlySet<string>): Promise<number | { calls: number }> => {
      const ended = await answerWithPerfectSteps(answered, steps);
      if (!('calls' in ended)) return scoreOf(ended.conclusion);
      const [step = ''] = steps.size === 1 ? steps : [];
      const forked = await forks.get(step)?.answer(question.id);
      if (!forked?.result || forked.result.outcome === 'failed') return ended;
      return decisiveScore(forked.scores, manifest.metrics) ?? 0;
    };
    decided.set(decisive, (decided.get(decisive) ?? 0) + 1);
    const had = await scoreOf(conclusion);
    if (isRightBy(had)) right++;
    else {
      const one = await findAnswerLoss(answered, async (steps) => {
        const score = await perfectly(steps);
        return typeof score === 'number' ? isRightBy(score) : undefined;
      });
      const key = JSON.stringify(one);
      lost.set(key, { ...one, questions: (lost.get(key)?.questions ?? 0) + 1 });
    }
    for (const { step } of answered.calls) {
      if (stepNamed(step, known.steps)?.oracle && !steps.has(step)) {
        // Questions without the step keep their score.
        steps.set(step, { had: [...before], perfect: [...before], calls: [] });
      }
    }
    for (const [step, sums] of steps) {
      const isAsked = answered.calls.some((call) => call.step === step);
      const score = isAsked ? await perfectly(new Set([step])) : had;
      if (typeof score === 'number') {
        sums.had.push(had);
        sums.perfect.push(score);
      } else sums.calls.push(score.calls);
    }
    before.push(had);
  }
  return {
    run,
    questions: all,
    /** Number of questions left out, by reason. */
    leftOut,
    /** Titles of the metrics that decide whether its answers are right, most frequent first. */
    metrics: [...decided].sort((a, b) => b[1] - a[1]).map(([title]) => title),
    right,
    /** Number of wrong answers by the place where they were lost, most frequent first. */
    lost: [...lost.values()].sort((a, b) => b.questions - a.questions),
    /** Steps in the order of the calls. */
    steps: [...steps].map(([step, { had, perfect, calls }]) => ({
      step,
      /** Number of questions with a known result; the means are over these. */
      questions: perfect.length,
      /** Mean score with perfect outputs, with its 95 % interval; null without questions. */
      score: perfect.length === 0 ? null : meanInterval(perfect),
      /** Paired difference from the run on the same questions; null without questions. */
      more: perfect.length === 0 ? null : differenceOf(perfect, had),
      /**
       * Number of other questions, and the most calls that they would need; `perfectForks` answers
       * them.
       */
      needs: { questions: calls.length, calls: calls.reduce((sum, one) => sum + one, 0) },
    })),
  };
}

function differenceOf(perfect: readonly number[], had: readonly number[]) {
  const difference = pairedDifference(differencesOf(perfect, had));
  return { ...differenceInterval(difference, LEVEL), p: difference.p };
}
