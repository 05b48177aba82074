/** What a judge found about an answer: its statements, the claims it should make, and rubrics. Pure. */

import type { StatementVerdict } from '../../core/metric.js';
import type { RunMetric } from '../../core/run/run.js';
import type { Section } from '../../core/section.js';
import { paidCalls } from '../../core/usage.js';
import { inOrder } from '../../evaluation/runs/metrics.js';
import { count, dollars, percent } from '../../evaluation/runs/numbers.js';
import type { Judgement } from '../../stores/runs/run-store.js';
import { section, table } from '../views/parts.js';

export function judgementSections(
  { verdicts, usage }: Judgement,
  own: readonly RunMetric[],
): Section[] {
  const statements = (verdicts?.statements ?? []).map((statement) => [
    statement.claim,
    statement.supported ? 'supported' : 'not supported',
    citesOf(statement),
  ]);
  const claims = (verdicts?.claims ?? []).map(({ claim, entailed }) => [
    claim,
    entailed ? 'in the answer' : 'missing',
  ]);
  const rubrics = (verdicts?.rubrics ?? []).map(({ metric, score, said }) => [
    inOrder([metric], own)[0]?.title ?? metric,
    score === null ? 'no verdict' : percent(score),
    said,
  ]);
  const blocks = [
    ...table(['Statement', 'By what it cites', 'Cites'], statements),
    ...table(['Claim', 'Found'], claims),
    ...table(['Rubric', 'Score', 'What the judge said'], rubrics),
  ];
  const note = `${count(paidCalls(usage))} calls, ${dollars(usage.costUsd)}`;
  return section('What the judge found', blocks, { note });
}

/** Describes a statement's citations; one of a missing passage counts as none. */
function citesOf({ cited, needed, missing = [] }: StatementVerdict): string {
  const cites = [
    ...cited.map((at, i) => `[${at + 1}]${needed[i] ? '' : ' not needed'}`),
    ...missing.map((number) => `[${number}], which does not exist`),
  ];
  return cites.join(', ') || 'nothing';
}
