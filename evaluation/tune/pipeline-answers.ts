/**
 * Reads the scores of a tuned pipeline by question, and the cost of each question in production.
 */
import { badInput } from '../../core/options/problems.js';
import { addCall, fullUsd, NO_USAGE } from '../../core/usage.js';
import type { CallRecord } from '../../steps/call-record.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer } from '../../stores/runs/run-store.js';
import { checkMetricNames, testedMetrics } from '../comparisons/tested-metrics.js';
import type { ShownMetric } from '../runs/metrics.js';
import { outcomeOf } from '../runs/question-state.js';
import { answersOf, type RunSource } from '../runs/run-source.js';
import type { Scores } from '../statistics/compare-scores.js';
import { type CellFigures, cellFigures } from '../study/cell-figures.js';
import type { MeanFigures } from './search.js';

/**
 * The figures of one pipeline's answers: its scores, the cost of each question, the failed
 * questions, and the names of its steps.
 */
export interface PipelineAnswers {
  /** Figures of the run as a cell of its own. */
  figures: CellFigures;
  /**
   * US dollars that each ended question would cost in production, by question id, without savings
   * by caches or forks; null if a price is unknown.
   */
  usd: ReadonlyMap<string, number | null>;
  /** Ids of the questions that failed. */
  failed: ReadonlySet<string>;
  /** Names of the steps that the pipeline has called. */
  steps: ReadonlySet<string>;
}

/**
 * Reads the answers of a run, and returns the figures of its pipeline: `figures` with its scores,
 * the cost of each question in US dollars by id (`usd`), the ids of `failed` questions, and the
 * names of the called `steps`.
 */
export async function pipelineAnswers(source: RunSource): Promise<PipelineAnswers> {
  const { run } = source.manifest;
  const labels = { method: run, dataset: 'tune', model: '', runs: [run] };
  const figures = await cellFigures(labels, [source]);
  const usd = new Map<string, number | null>();
  const failed = new Set<string>();
  const steps = new Set<string>();
  for await (const { question, answer } of answersOf(source)) {
    const calls = callsOf(answer);
    for (const { step } of calls ?? []) steps.add(step);
    usd.set(question.id, wholeUsd(answer, calls));
    if (outcomeOf(answer) === 'failed') failed.add(question.id);
  }
  return { figures, usd, failed, steps };
}

/**
 * Returns the full cost of an answer's calls in US dollars, null if unknown. Calls that a fork or a
 * cache has served count with their original cost.
 */
function wholeUsd({ result }: RunAnswer, calls: readonly CallRecord[] | undefined): number | null {
  if (!calls) return result ? fullUsd(result.usage) : 0;
  let usage = NO_USAGE;
  for (const event of calls.flatMap(({ events }) => events)) {
    if ('output' in event) usage = addCall(usage, event.output.usage);
  }
  return fullUsd(usage);
}

/**
 * Returns the metric that a tune compares, described for display: the one with the given name,
 * otherwise the main metric of the questions.
 *
 * @throws Failure BadInput if the start has no score in it, and for a chain metric, of which a
 * higher value is neither better nor worse.
 */
export function tunedMetric({ figures }: PipelineAnswers, name: string | undefined): ShownMetric {
  const names = name === undefined ? undefined : [name];
  checkMetricNames('metric', names ?? [], figures.metrics);
  const metric = testedMetrics([figures], names).get(figures.data)?.[0];
  if (!metric) throw badInput('metric', 'the start has no score in any metric on its questions');
  if (metric.group === 'chain') {
    const what = `"${metric.metric}" describes the chain, and a higher value is neither better nor worse`;
    throw badInput('metric', `${what}; name a metric of the answers`);
  }
  return metric;
}

/** Returns a pipeline's scores in a metric, from 0 to 1, by question id; empty if it has none. */
export function scoresIn({ figures }: PipelineAnswers, { metric }: ShownMetric): Scores {
  return figures.metrics.find((one) => one.metric === metric)?.scores ?? new Map();
}

/** Returns the weights of questions in a metric by question id; undefined if all are 1. */
export function wholesIn(
  { figures }: PipelineAnswers,
  { metric }: ShownMetric,
): Scores | undefined {
  return figures.metrics.find((one) => one.metric === metric)?.wholes;
}

/**
 * Returns the mean score over some questions, as a fraction, and the mean cost of one of them in US
 * dollars. The score is 0 if the metric applies to none of them, the cost null if a price is
 * unknown.
 *
 * @param ids Ids of the questions. One without a score counts 0 if the start has a score, otherwise
 * it is left out of the mean score.
 * @param start Answers of the start, which determine the questions to which the metric applies.
 */
export function figuresOn(
  answers: PipelineAnswers,
  ids: readonly string[],
  metric: ShownMetric,
  start: PipelineAnswers = answers,
): MeanFigures {
  const [scores, scored] = [scoresIn(answers, metric), scoresIn(start, metric)];
  const wholes = wholesIn(start, metric);
  let [sum, of, usd] = [0, 0, 0 as number | null];
  for (const id of ids) {
    const one = answers.usd.get(id) ?? (answers.usd.has(id) ? null : 0);
    usd = usd === null || one === null ? null : usd + one;
    if (!scored.has(id)) continue;
    const whole = wholes?.get(id) ?? 1;
    sum += whole * (scores.get(id) ?? 0);
    of += whole;
  }
  return { mean: of === 0 ? 0 : sum / of, usd: usd === null ? null : usd / ids.length };
}
