/** The baselines that think, summarise or read one passage at a time before they answer. Pure. */

import type { Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import {
  baseView,
  count,
  inOrder,
  note,
  passageSection,
  section,
  table,
  text,
  titlesOf,
} from '../../../report/views/parts.js';
import type { ChainOfThoughtChain } from '../chain-of-thought/options.js';
import type { SelectionInferenceChain } from '../selection-inference/options.js';
import type { SummarizeThenPredictChain } from '../summarize-then-predict/options.js';
import type { EnsembleChain } from '../voting/ensemble.js';

export function chainOfThoughtView(chain: ChainOfThoughtChain, context: ViewContext): Section[] {
  return [...section('Reasoning', text(chain.reasoning)), ...baseView(chain, context)];
}

export function summarizeThenPredictView(
  chain: SummarizeThenPredictChain,
  context: ViewContext,
): Section[] {
  return [...section('Summary', text(chain.summary)), ...baseView(chain, context)];
}

/** Rerank and RePlug: the votes, by the places of the passages that gave them, and what each read. */
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

/** The passages in the order they were added, and what they came to. */
export function selectionInferenceView(chain: SelectionInferenceChain): Section[] {
  const { passages, order, readings } = chain;
  const titleOf = titlesOf(passages);
  const rows = order
    .slice(0, readings.length)
    .map((id, i) => [`${i === 0 ? '' : '+ '}${titleOf(id)}`, readings[i] ?? 'not enough']);
  const unread = order.length - rows.length;
  return [
    ...section('Readings', [
      ...table(['Passages, one after the other', 'Answer'], rows),
      ...note(unread > 0 && `${count(unread, 'passage')} not read`),
    ]),
    ...passageSection(inOrder(passages, order)),
  ];
}
