/** Explains a run: where wrong answers were lost, and what perfect steps would gain. */

import { applyingInRun } from '../activities/run/run-metrics.js';
import { readOf, scoreResult } from '../activities/run/score-result.js';
import { Failure } from '../core/failure.js';
import type { OwnMetric, Scorer } from '../core/metric.js';
import { parseInput } from '../core/options/input.js';
import { methodNamed } from '../core/registry.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import { type Metrics, metricRegistry } from '../evaluation/metrics/registry.js';
import { decidingFirst, decisiveScore, inOrder } from '../evaluation/runs/metrics.js';
import { isRightBy } from '../evaluation/runs/question-state.js';
import { openRun, type RunSource } from '../evaluation/runs/run-source.js';
import { scorePassages } from '../evaluation/score-passages.js';
import {
  differenceInterval,
  differencesOf,
  LEVEL,
  pairedDifference,
} from '../evaluation/statistics/paired-difference.js';
import { meanInterval } from '../evaluation/statistics/score-interval.js';
import { blame, type Lost } from '../interpreters/blame.js';
import { methodRegistry } from '../interpreters/methods.js';
import { withSteps } from '../interpreters/own-steps.js';
import { type Answered, perfected, replay } from '../interpreters/replay.js';
import type { ReadTexts } from '../report/question/passage-texts.js';
import type { OwnStep } from '../steps/actions.js';
import type { ModelSteps } from '../steps/define.js';
import { ownSteps } from '../steps/own-steps.js';
import { shownIds, soFarOf } from '../steps/perfect.js';
import { stepNamed } from '../steps/table.js';
import { callsOf } from '../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../stores/runs/run-store.js';
import type { Transcripts } from '../stores/transcripts.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';

/** Stores and methods for `explainRun`. */
export interface ExplainOptions {
  runs: RunStore;
  texts: ReadTexts;
  /** What methods that take turns have written; without it, only what stands in the records counts. */
  transcripts?: Pick<Transcripts, 'lastPiece' | 'text'> | undefined;
  /** Custom methods, metrics and steps. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
  steps?: readonly OwnStep[] | undefined;
  /** Forks with perfect outputs of a step, by step; they answer what needs calls. */
  perfectForks?: Readonly<Record<string, string>> | undefined;
}

/** All methods, steps and metrics, custom ones included. */
interface Known extends Pick<ExplainOptions, 'texts' | 'transcripts'> {
  methods: OwnMethods;
  metrics: Metrics;
  steps: ModelSteps;
}

/** Why a question is left out. */
export type LeftOut = 'unanswered' | 'withoutRecords' | 'otherVersion' | 'passagesGone' | 'notTold';

/** Places where the wrong answers of a run were lost, by step. */
export type Explanation = Awaited<ReturnType<typeof explainRun>>;
/** The gain from perfect outputs of a step. */
export type PerfectStep = Explanation['steps'][number];

/**
 * Finds where the wrong answers of a stored run were lost, and what perfect steps would gain, from
 * the records of its calls. The metric that decides whether an answer is right is used. Makes no
 * call.
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
  const known: Known = {
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
  const leftOut: Partial<Record<LeftOut, number>> = {};
  const lost = new Map<string, Lost & { questions: number }>();
  const steps = new Map<string, { had: number[]; perfect: number[]; calls: number[] }>();
  const before: number[] = [];
  const decided = new Map<string, number>();
  for await (const question of questions()) {
    all++;
    const found = await answeredOf(question, await answer(question.id), manifest, known);
    if (typeof found === 'string') {
      leftOut[found] = (leftOut[found] ?? 0) + 1;
      continue;
    }
    const { conclusion, answered, decisive, scoreOf } = found;
    const perfectly = async (steps: ReadonlySet<string>): Promise<number | { calls: number }> => {
      const ended = await perfected(answered, steps);
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
      const one = await blame(answered, async (steps) => {
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
    /** Questions left out, by reason. */
    leftOut,
    /** Titles of the metrics that decide whether its answers are right, most questions first. */
    metrics: [...decided].sort((a, b) => b[1] - a[1]).map(([title]) => title),
    right,
    /** Numbers of wrong answers by the place where they were lost, most first. */
    lost: [...lost.values()].sort((a, b) => b.questions - a.questions),
    /** Steps in the order of the calls. */
    steps: [...steps].map(([step, { had, perfect, calls }]) => ({
      step,
      /** Questions with a known result; the means are over these. */
      questions: perfect.length,
      /** Mean score with perfect outputs; null if there is no question. */
      score: perfect.length === 0 ? null : meanInterval(perfect),
      /** Paired difference from the run on the same questions; null if there is none. */
      more: perfect.length === 0 ? null : differenceOf(perfect, had),
      /**
       * The other questions, and the most calls that they would need; `perfectForks` answers them.
       */
      needs: { questions: calls.length, calls: calls.reduce((sum, one) => sum + one, 0) },
    })),
  };
}

function differenceOf(perfect: readonly number[], had: readonly number[]) {
  const difference = pairedDifference(differencesOf(perfect, had));
  return { ...differenceInterval(difference, LEVEL), p: difference.p };
}

/** Returns a question as it was answered, or why it is left out. */
async function answeredOf(
  question: RunQuestion,
  kept: RunAnswer | undefined,
  manifest: RunManifest,
  known: Known,
) {
  const { texts, transcripts, methods, steps } = known;
  const result = kept?.result;
  if (!kept || !result || result.outcome === 'failed') return 'unanswered';
  const decider = deciderOf(question, manifest, known);
  if (!decider || scorePassages(question, []) === undefined) return 'notTold';
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
  const ids = [...new Set(calls.flatMap((call) => shownIds(call, steps)))];
  const found = await texts(manifest, ids);
  if (ids.some((id) => !found.has(id))) return 'passagesGone';
  const { options } = parseInput(method, asked, true);
  const answered: Answered = {
    method,
    question: question.question,
    options,
    calls,
    steps,
    answers: question.answers,
    answerGroups: question.answerGroups,
    ...(await textsByTurns(calls, found, steps, transcripts)),
  };
  async function scoreOf(ended: Conclusion<unknown>): Promise<number> {
    const made = { ...result, ...ended } as MethodResult;
    const read = await readOf(made, methods, async (refs) =>
      refs.map(({ id, title }) => {
        const text = found.get(id);
        if (text !== undefined) return { id, title, text };
        throw new Failure('UnknownPassage', `The passage ${id} was shown to no step.`);
      }),
    );
    const applying = { scorers: decider?.scorers ?? [], judged: [], chain: [], unscored: {} };
    const { scores } = scoreResult(question, made, { applying, read, calls: () => calls });
    return decisiveScore(scores, manifest.metrics) ?? 0;
  }
  const conclusion = result as Conclusion<unknown>;
  return { answered, conclusion, decisive: decider.title, scoreOf };
}

/**
 * Returns the texts that calls were shown, with those that grow by turns, and what the calls have
 * written. A text that is no longer kept is left out.
 */
async function textsByTurns(
  calls: Answered['calls'],
  passages: ReadonlyMap<string, string>,
  steps: ModelSteps,
  transcripts: ExplainOptions['transcripts'],
): Promise<Pick<Answered, 'texts' | 'written'>> {
  const [texts, written] = [new Map(passages), new Map<string, string>()];
  for (const call of calls) {
    const step = stepNamed(call.step, steps);
    if (!transcripts || !step?.transcript) continue;
    const [before, { soFar }] = [soFarOf(call, steps), Object(call.output)];
    try {
      if (before !== null) texts.set(before, await transcripts.text(before));
      if (typeof soFar === 'string') written.set(soFar, await transcripts.lastPiece(soFar));
    } catch (error) {
      if (!(error instanceof Failure && error.type === 'UnknownText')) throw error;
    }
  }
  return { texts, written };
}

/** Returns what decides whether an answer is right; undefined if nothing does, or a judge would. */
function deciderOf(
  question: RunQuestion,
  { input, metrics }: RunManifest,
  known: Known,
): { title: string; scorers: Scorer[] } | undefined {
  const { scorers, judged } = applyingInRun(input, question, known);
  const names = [...scorers, ...judged].map(({ name }) => name);
  const [main] = decidingFirst(inOrder(names, metrics));
  if (main?.group !== 'answer') return undefined;
  return { title: main.title, scorers };
}
