/** Shows the scores, cost, flags and failures of an answer. Pure. */

import { dollars } from '../../core/dollars.js';
import type { StatementVerdict } from '../../core/metric.js';
import type { MethodResult } from '../../core/result.js';
import type { RunMetric } from '../../core/run/run.js';
import type { Section } from '../../core/section.js';
import { paidCalls } from '../../core/usage.js';
import { chainMetricsOf, metricsInOrder } from '../../evaluation/runs/metrics.js';
import {
  count,
  dollarsOrUnknown,
  paidText,
  percent,
  seconds,
} from '../../evaluation/runs/number-text.js';
import { failureOf, secondsOf } from '../../evaluation/runs/run-figures.js';
import type { Judgement, RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { section, table, text } from '../views/section-parts.js';

/** A figure of an answer, such as a score or its cost: a label, and the value as text. */
export interface Fact {
  label: string;
  value: string;
}

/**
 * Returns the figures of an answer, each as label and text, in the order in which they are shown:
 * its scores in per cent, the values of chain metrics, then confidence, calls, searches, tokens,
 * cost and time, as far as they are known.
 */
export function factsOf(
  answer: RunAnswer,
  manifest: Pick<RunManifest, 'metrics' | 'chainMetrics'>,
): Fact[] {
  const { result, scores, judgement } = answer;
  const scored: Record<string, number> = { ...scores, ...judgement?.scores };
  const took = secondsOf(answer);
  return [
    ...metricsInOrder(Object.keys(scored), manifest.metrics).map(({ metric, title }) => ({
      label: title,
      value: percent(scored[metric] ?? 0),
    })),
    ...toldFacts(answer, manifest),
    ...(result ? takenBy(result) : []),
    ...(result?.workingSeconds === undefined
      ? []
      : [{ label: 'working time', value: seconds(result.workingSeconds) }]),
    ...(result && took !== null ? [{ label: 'wall time', value: seconds(took) }] : []),
  ];
}

function toldFacts(
  { chainScores = {} }: RunAnswer,
  manifest: Pick<RunManifest, 'metrics' | 'chainMetrics'>,
): Fact[] {
  return chainMetricsOf(manifest).flatMap(({ metric, title, range }) => {
    const value = chainScores[metric];
    if (value === undefined) return [];
    if (typeof value !== 'number')
      return [{ label: title, value: `${value.part} of ${value.whole}` }];
    return [{ label: title, value: range ? count(value) : percent(value) }];
  });
}

function takenBy({ usage, retrievals, confidence }: MethodResult): Fact[] {
  const { cachedCalls, promptTokens, completionTokens } = usage;
  const cached = cachedCalls > 0 ? `, ${count(cachedCalls)} more from the cache` : '';
  return [
    ...(confidence === undefined ? [] : [{ label: 'confidence', value: confidence.toFixed(2) }]),
    ...(usage.answersWithoutUsage === undefined
      ? [
          { label: 'calls', value: `${count(paidCalls(usage))}${cached}` },
          { label: 'searches', value: count(retrievals) },
          { label: 'tokens', value: `${count(promptTokens)} in, ${count(completionTokens)} out` },
        ]
      : [{ label: 'calls, tokens and time', value: 'unknown: the answer was imported' }]),
    ...(usage.uncounted === undefined
      ? []
      : [{ label: 'calls without a token count', value: count(usage.uncounted) }]),
    { label: 'cost', value: paidText(usage) },
    ...(usage.statedUsd === undefined
      ? []
      : [{ label: 'of which stated by the provider', value: dollars(usage.statedUsd) }]),
    ...(usage.estimated
      ? [{ label: 'of which estimated', value: dollarsOrUnknown(usage.estimated.costUsd) }]
      : []),
  ];
}

/** Returns an array with one section, the failure of a question; empty if it did not fail. */
export function failureSections(answer: RunAnswer): Section[] {
  const { result } = answer;
  const failed = result === null || result.outcome === 'failed' ? [failureOf(answer)] : [];
  return failed.flatMap(({ type, message, step }) =>
    section(
      'Failure',
      text(message || 'No message.', type),
      step === null ? {} : { note: `in ${step}` },
    ),
  );
}

/**
 * Returns an array of the sections below an answer, in this order: the judge's verdicts, missing
 * scores, flags, usage by step, and the id of the workflow. Sections without content are left out.
 *
 * @param own Custom metrics of the run, for their titles.
 */
export function accountSections(answer: RunAnswer, own: readonly RunMetric[] = []): Section[] {
  const { result, judgement, unscored = {} } = answer;
  const reasons = metricsInOrder(Object.keys(unscored), own).map(({ metric, title }) => [
    title,
    unscored[metric] ?? '',
  ]);
  const rows = Object.entries(result?.steps ?? {}).map(([step, usage]) => [
    step,
    count(paidCalls(usage)),
    count(usage.cachedCalls),
    count(usage.promptTokens),
    count(usage.completionTokens),
    paidText(usage),
    usage.models.join(', '),
  ]);
  const flags = (result?.flags ?? []).map(({ kind, step, detail }) => [kind, step, detail]);
  const head = [
    'Step',
    'Paid calls',
    'From the cache',
    'Prompt tokens',
    'Completion tokens',
    'Cost',
    'Model',
  ];
  return [
    ...(judgement ? judgementSections(judgement, own) : []),
    ...section('Without a score', table(['Metric', 'Why'], reasons)),
    ...section('Flags', table(['Flag', 'Step', 'Detail'], flags)),
    ...section('Usage', table(head, rows), { closed: true }),
    ...section('History', text(result?.workflowId, 'Workflow'), { closed: true }),
  ];
}

function judgementSections({ verdicts, usage }: Judgement, own: readonly RunMetric[]): Section[] {
  const statements = (verdicts?.statements ?? []).map((statement) => [
    statement.claim,
    statement.supported ? 'supported' : 'not supported',
    citesOf(statement),
  ]);
  const claims = (verdicts?.claims ?? []).map(({ claim, entailed }) => [
    claim,
    entailed ? 'in the answer' : 'missing',
  ]);
  const rubrics = (verdicts?.rubrics ?? []).map(({ metric, score, reply }) => [
    metricsInOrder([metric], own)[0]?.title ?? metric,
    score === null ? 'no verdict' : percent(score),
    reply,
  ]);
  const blocks = [
    ...table(['Statement', 'Support', 'Cites'], statements),
    ...table(['Claim', 'Found'], claims),
    ...table(['Rubric', 'Score', 'What the judge said'], rubrics),
  ];
  const note = `${count(paidCalls(usage))} calls, ${dollarsOrUnknown(usage.costUsd)}`;
  return section('What the judge found', blocks, { note });
}

/** Returns a statement's citations as text. */
function citesOf({ cited, needed, missing = [] }: StatementVerdict): string {
  const cites = [
    ...cited.map((at, i) => `[${at + 1}]${needed[i] ? '' : ' not needed'}`),
    ...missing.map((number) => `[${number}], which does not exist`),
  ];
  return cites.join(', ') || 'nothing';
}
