/** The chains of the baselines that read passages, for a terminal. Pure. */
import type { ChainOfThoughtChain } from '../../../methods/baselines/chain-of-thought.js';
import type { ConditionalSummariesChain } from '../../../methods/baselines/conditional-summaries.js';
import type { EnsembleChain } from '../../../methods/baselines/ensemble.js';
import type { FinalReading } from '../../../methods/baselines/final-reading.js';
import type { McqChain } from '../../../methods/baselines/mcq.js';
import type { SelectionInferenceChain } from '../../../methods/baselines/selection-inference.js';
import type { SelfVerificationChain } from '../../../methods/baselines/self-verification.js';
import type { SummarizeThenPredictChain } from '../../../methods/baselines/summarize-then-predict.js';
import type { PassageRef } from '../../../methods/vocabulary.js';
import { clip, count, mark, passageList, section, textSection, titlesOf } from './layout.js';
import { candidateSection } from './sure.js';

/** What an answer cites, where it was to cite. */
export function citedSection(
  { citations = [] }: FinalReading,
  passages: readonly PassageRef[],
): string[] {
  const title = titlesOf(passages);
  return section(
    'Cited',
    citations.map(({ number, passage }) => clip(`  [${number}] ${title(passage)}`)),
  );
}

/** Passages, and what was read from them: base, and whatever has no view of its own. */
export function readingChain(chain: FinalReading & { passages?: PassageRef[] }): string[] {
  const { passages = [] } = chain;
  return [...citedSection(chain, passages), ...passageList('Passages', passages)];
}

export function chainOfThoughtChain({ reasoning, passages }: ChainOfThoughtChain): string[] {
  return [...textSection('Reasoning', reasoning), ...passageList('Passages', passages)];
}

export function mcqChain({ candidates, choice, passages }: McqChain): string[] {
  return [
    ...section(
      'Choices',
      candidates.map(({ text }, i) => `${mark(i === choice)} ${clip(text, 70)}`),
    ),
    ...passageList('Passages', passages),
  ];
}

export function summarizeThenPredictChain(chain: SummarizeThenPredictChain): string[] {
  return [...textSection('Summary', chain.summary), ...passageList('Passages', chain.passages)];
}

export function conditionalSummariesChain(
  { candidates, passages }: ConditionalSummariesChain,
  answer: string | null,
): string[] {
  return [...candidateSection(candidates, [], answer), ...passageList('Passages', passages)];
}

/** The answers with their votes, and the places of the passages that gave them. */
export function ensembleChain(
  { passages, readings, answers }: EnsembleChain,
  answer: string | null,
): string[] {
  const silent = readings.length - answers.reduce((sum, { ballots }) => sum + ballots.length, 0);
  return [
    ...section('Votes', [
      ...answers.map(({ answer: text, weight, ballots }) => {
        const from = ballots.map((i) => i + 1).join(', ');
        return `${mark(text === answer)} ${clip(`${weight.toFixed(2)}  ${text}  from ${from}`, 78)}`;
      }),
      ...(silent > 0 ? [`  ${count(silent, 'passage')} without a vote`] : []),
    ]),
    ...passageList('Passages', passages),
  ];
}

/** The passages in the order they were added, and what they came to. */
export function selectionInferenceChain(chain: SelectionInferenceChain): string[] {
  const { passages, order, readings } = chain;
  const title = titlesOf(passages);
  const lines = order.slice(0, readings.length).map((id, i) => {
    const reading = readings[i] ?? 'not enough';
    return clip(`  + ${title(id)}: ${reading}`);
  });
  const unread = order.length - lines.length;
  const rest = unread > 0 ? [`  ${count(unread, 'passage')} not read`] : [];
  return section('Passages, one after the other', [...lines, ...rest]);
}

export function selfVerificationChain(
  { candidates, conditions, passages }: SelfVerificationChain,
  answer: string | null,
): string[] {
  return [
    ...section(
      'Candidates',
      candidates.map(({ text, samples, verified }) => {
        const recovered =
          verified === undefined ? '' : `, ${verified} of ${conditions.length} parts recovered`;
        return `${mark(text === answer)} ${clip(`${text}  ${count(samples, 'sample')}${recovered}`, 78)}`;
      }),
    ),
    ...section(
      'Parts of the question that were masked',
      conditions.map((condition) => clip(`    ${condition}`)),
    ),
    ...passageList('Passages', passages),
  ];
}
