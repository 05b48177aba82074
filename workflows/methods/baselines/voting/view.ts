import type { Section } from '../../../../core/section.js';
import type { ViewContext } from '../../../../core/view.js';
import {
  count,
  note,
  passageSection,
  section,
  table,
  titlesOf,
} from '../../../../report/views/section-parts.js';
import type { EnsembleChain } from './ensemble.js';

/** Returns report sections for `rerank` and `replug`: the votes, the readings and the passages. */
export function ensembleView(
  { passages, readings, answers }: EnsembleChain,
  { answer: taken }: ViewContext,
): Section[] {
  const titleOf = titlesOf(passages);
  const silent = readings.length - answers.reduce((sum, { ballots }) => sum + ballots.length, 0);
  const votes = answers.map(({ answer, weight, ballots }) => [
    weight.toFixed(2),
    answer,
    ballots.map((i) => i + 1).join(', '),
  ]);
  const chosen = answers.findIndex(({ answer }) => answer === taken);
  const read = readings.map(({ passage, answer, weight }, i) => [
    passage === null ? 'no passage' : `${i + 1}. ${titleOf(passage)}`,
    answer ?? 'unreadable',
    weight.toFixed(2),
  ]);
  return [
    ...section('Votes', [
      ...table(['Weight', 'Answer', 'From passages'], votes, chosen),
      ...note(silent > 0 && `${count(silent, 'reading')} without a vote`),
    ]),
    ...section('Readings', table(['Passage', 'Answer', 'Weight'], read), { detail: true }),
    ...passageSection(passages),
  ];
}
