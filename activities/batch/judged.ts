/** What a run's judge is asked of an answer. Pure. */
import type { JudgedMetric } from '../../evaluation/citations/scores.js';
import type { OwnMetrics } from '../../evaluation/own/registry.js';
import { applyingTo } from '../../evaluation/own/score.js';
import type { Batch } from '../../methods/batch/input.js';
import type { Rubric } from '../../methods/own-metric.js';
import type { MethodRegistry } from '../../methods/registry.js';
import type { RunAnswer, RunQuestion } from '../../results/run-store.js';

export interface Judged {
  /** Whether the passages it cites say what it says. */
  citations: boolean;
  /** Whether it says what the reference claims. */
  claims: boolean;
  /** What else it is to be read by. */
  rubrics: Rubric[];
}

/** What there is to judge by. */
export interface Known {
  metrics: OwnMetrics;
  methods: MethodRegistry;
}

/** Told by the form of the run's answers and by the question, whatever came of it. */
export function judgedOf(
  batch: Batch,
  question: RunQuestion,
  { metrics: own, methods }: Known,
): Judged {
  const { judge, metrics } = batch;
  const { claims = [] } = question;
  return {
    citations: judge !== undefined && citingForm(batch, methods) !== undefined,
    claims: judge !== undefined && claims.length > 0,
    rubrics: judge === undefined ? [] : applyingTo(question, metrics, own).rubrics,
  };
}

/** The form of the answers of a run where they cite. */
export function citingForm(
  { method, options }: Pick<Batch, 'method' | 'options'>,
  methods: MethodRegistry,
): 'prose' | 'list' | undefined {
  return methods.get(method)?.cites?.(options);
}

/** Whether the judge is still to be asked of an answer. */
export function isToJudge(
  { citations, claims, rubrics }: Judged,
  { result, judgement }: Pick<RunAnswer, 'result' | 'judgement'>,
): boolean {
  const asks = citations || claims || rubrics.length > 0;
  return asks && result?.outcome === 'answered' && judgement === undefined;
}

/** What a question without an answer scores with the judge, unasked. */
export function zeroScores({ citations, claims, rubrics }: Judged): Record<string, number> {
  const zeros: Partial<Record<JudgedMetric, number>> = {
    ...(citations && { citationRecall: 0, citationPrecision: 0, citationF1: 0 }),
    ...(claims && { claimRecall: 0 }),
  };
  return { ...zeros, ...Object.fromEntries(rubrics.map(({ name }) => [name, 0])) };
}
