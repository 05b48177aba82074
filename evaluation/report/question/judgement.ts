/** What a judge found about an answer: its statements, the claims it should make, and rubrics. Pure. */
import type { RunMetric } from '../../../methods/batch/batch.js';
import type { StatementVerdict } from '../../../methods/metric.js';
import type { Section } from '../../../methods/section.js';
import { paidCalls } from '../../../methods/usage.js';
import type { Judgement } from '../../../results/run-store.js';
import { section, table } from '../../../views/parts.js';
import { inOrder } from '../../runs/metrics.js';
import { count, dollars, percent } from '../../runs/numbers.js';

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

/** A statement that cites a passage that does not exist is judged as one that cites none. */
function citesOf({ cited, needed, missing = [] }: StatementVerdict): string {
  const cites = [
    ...cited.map((at, i) => `[${at + 1}]${needed[i] ? '' : ' not needed'}`),
    ...missing.map((number) => `[${number}], which does not exist`),
  ];
  return cites.join(', ') || 'nothing';
}
