/** Checks the answers of a run: recomputes each from its calls, and scores it again. */
import { rescoreAnswer, type TextsOf } from '../activities/run/rescore-answer.js';
import { Failure } from '../core/failure.js';
import type { Metric, OwnMetric } from '../core/metric.js';
import { type Difference, firstDifference } from '../core/object-differences.js';
import type { MethodResult } from '../core/result.js';
import { sumUsage } from '../core/usage.js';
import { metricRegistry, storedMetric } from '../evaluation/metrics/registry.js';
import { plural } from '../evaluation/runs/number-text.js';
import { hasOldScores } from '../evaluation/runs/question-state.js';
import { type OtherCall, recompute } from '../interpreters/recompute.js';
import { callsOf } from '../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../stores/runs/run-store.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';

/**
 * One value of a stored run that differs from the recomputed one: its field, both values, and the
 * question and step that it belongs to.
 */
export interface RunDifference extends Difference {
  /** Id of the question; undefined if it concerns the run as a whole. */
  question?: string;
  /** Damaged part of the archive; undefined without damage. */
  part?: string;
  /** Step of the call that differs; undefined if it is not a call. */
  step?: string;
  /** Sentence to show instead of the two values. */
  message?: string;
}

/**
 * The numbers of a run's answers that were recomputed without a difference, of their calls, and of
 * the scores that were recomputed.
 */
export interface CheckedCounts {
  /** Number of answers that were recomputed from their calls. */
  replayed: number;
  /** Number of calls of these answers. */
  calls: number;
  /** Number of scores that were recomputed. */
  scores: number;
}

/**
 * The checks of a run's answers: `check` recomputes one answer from its calls, scores it again and
 * returns the first difference. Counts what was recomputed, and what could not be.
 */
export class AnswerChecks {
  /** The numbers of values recomputed so far. */
  readonly counts: CheckedCounts = { replayed: 0, calls: 0, scores: 0 };
  private readonly method: OwnMethod<unknown> | undefined;
  /** Whether the method's code here is not the code that the run was made with. */
  private readonly isOtherCode: boolean;
  private readonly metrics: Map<string, Metric>;
  /** Number of answers that could not be checked, by reason. */
  private readonly unchecked = { otherCode: 0, withoutCalls: 0, oldScores: 0, toJudge: 0 };
  /** Number of scores that could not be computed again, by metric. */
  private readonly keptScores = new Map<string, number>();

  constructor(
    private readonly manifest: RunManifest,
    private readonly methods: OwnMethods,
    private readonly texts: TextsOf,
    ownMetrics: readonly OwnMetric[] | undefined,
  ) {
    const { input, code } = manifest;
    this.method = methods.get(input.method);
    this.isOtherCode = code !== undefined && this.method?.code?.()?.version !== code.version;
    this.metrics = sameMetrics(manifest, ownMetrics);
  }

  /**
   * Returns the first difference of an answer from the recomputed one; undefined if there is none.
   */
  async check(question: RunQuestion, answer: RunAnswer): Promise<RunDifference | undefined> {
    const { failure } = answer.result ?? {};
    return (
      firstDifference(answer.id, question.id, 'id') ??
      (failure && firstDifference(answer.failure, failure, 'failure')) ??
      (await damageOr(() => this.checkResult(question, answer))) ??
      this.checkScores(question, answer)
    );
  }

  /** Runs the method again over the recorded calls. */
  private async checkResult(
    question: RunQuestion,
    answer: RunAnswer,
  ): Promise<RunDifference | undefined> {
    const { manifest, method, unchecked } = this;
    const { result } = answer;
    if (!result || manifest.predictions) return undefined;
    const records = callsOf(answer);
    if (!method?.algorithm || this.isOtherCode || !records) {
      unchecked[records ? 'otherCode' : 'withoutCalls']++;
      return undefined;
    }
    const asked = { question: question.question, options: manifest.input.options as object };
    const again = await recompute(method, asked, records, result);
    if ('at' in again) return otherCall(again);
    const { workflowId: _, build: __, ...kept } = result;
    const { workflowId: ___, ...computed } = again.result;
    const difference =
      firstStepDifference(kept.steps, computed.steps) ?? firstDifference(kept, computed, 'result');
    if (difference) return difference;
    this.counts.replayed++;
    this.counts.calls += records.length;
    return undefined;
  }

  /** Scores the answer again. */
  private async checkScores(
    question: RunQuestion,
    answer: RunAnswer,
  ): Promise<RunDifference | undefined> {
    const { manifest, methods, metrics, texts, unchecked, keptScores } = this;
    if (hasOldScores(answer, manifest)) {
      unchecked.oldScores++;
      return undefined;
    }
    const again = await rescoreAnswer(answer, question, manifest, { methods, metrics, texts });
    if (again.toJudge) unchecked.toJudge++;
    for (const name of Object.keys(again.kept)) {
      keptScores.set(name, (keptScores.get(name) ?? 0) + 1);
    }
    const { verdicts, usage } = answer.judgement ?? {};
    const took = verdicts ? sumUsage(Object.values(verdicts.steps)) : usage;
    const difference =
      firstDifference(scoredIn(answer), scoredIn(again.answer)) ??
      firstDifference(usage, took, 'judgement.usage');
    this.counts.scores += Object.keys(answer.scores).length - Object.keys(again.kept).length;
    return difference;
  }

  /** Returns a sentence for each kind of value that could not be checked so far. */
  notChecked(): string[] {
    const { input, code, versions } = this.manifest;
    const { otherCode, withoutCalls, oldScores, toJudge } = this.unchecked;
    const version = `durable-rag ${versions.durableRag}${code ? `, method code ${code.version}` : ''}`;
    const answers: [count: number, which: string][] = [
      [otherCode, `of ${input.method} made by ${version}`],
      [withoutCalls, 'without calls'],
      [oldScores, 'with old scores'],
      [toJudge, "not judged by the run's judge"],
    ];
    return [
      ...answers.flatMap(([count, which]) =>
        count > 0 ? [`${plural(count, 'answer')} ${which}: not checked`] : [],
      ),
      ...[...this.keptScores].map(
        ([name, count]) =>
          `${plural(count, 'score')} in ${name}, whose passages or code are missing here: not checked`,
      ),
    ];
  }
}

/**
 * Returns the metrics that are here in the version of the run. Another version of a metric counts
 * as missing: its scores are not checked.
 */
function sameMetrics(
  manifest: RunManifest,
  own: readonly OwnMetric[] | undefined,
): Map<string, Metric> {
  const metrics = new Map(metricRegistry(own));
  for (const { name, version } of manifest.metrics ?? []) {
    const metric = metrics.get(name);
    if (metric && storedMetric(metric as OwnMetric).version !== version) metrics.delete(name);
  }
  return metrics;
}

/** Returns the difference of a call that the method does not make, or makes with another input. */
function otherCall({ at, step, kept, asked }: OtherCall): RunDifference {
  const isSame = kept !== undefined && kept === asked;
  return {
    field: `calls[${at}]`,
    step,
    kept,
    computed: asked,
    ...(isSame && { message: `${kept} is asked with another input: ${OTHER_INPUT}` }),
  };
}

/** Returns the first difference in the usage of steps, with the step's name. */
function firstStepDifference(
  kept: MethodResult['steps'],
  computed: MethodResult['steps'],
): RunDifference | undefined {
  for (const step of new Set([...Object.keys(kept), ...Object.keys(computed)])) {
    const difference = firstDifference(kept[step], computed[step], `result.steps.${step}`);
    if (difference) return { ...difference, step };
  }
  return undefined;
}

const OTHER_INPUT = 'the output of an earlier call, the question or an option has been changed';

/** Returns the fields of an answer that contain scores. */
function scoredIn({ scores, chainScores, unscored, retrieval, gold, judgement }: RunAnswer) {
  return { scores, chainScores, unscored, retrieval, gold, judgement };
}

/** Returns the result of a check; unreadable records are returned as a difference. */
async function damageOr(
  check: () => Promise<RunDifference | undefined>,
): Promise<RunDifference | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    return { field: 'calls', kept: undefined, computed: undefined, message: error.message };
  }
}
