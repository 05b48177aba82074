/** The baselines that choose among named candidates. Pure. */

import type { Card, Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import {
  baseView,
  cards,
  chip,
  count,
  passageSection,
  section,
  table,
  text,
} from '../../../report/views/parts.js';
import { candidateSection } from '../../sure/view.js';
import type { ConditionalSummariesChain } from '../conditional-summaries/options.js';
import type { McqChain } from '../mcq/options.js';
import type { SelfVerificationChain } from '../self-verification/options.js';

export function mcqView(chain: McqChain, context: ViewContext): Section[] {
  const { candidates, choice } = chain;
  const choices = candidates.map((candidate, i) => ({
    title: candidate.text,
    chips: [],
    chosen: i === choice,
    blocks: [],
  }));
  return [...section('Choices', cards(choices)), ...baseView(chain, context)];
}

export function conditionalSummariesView(
  chain: ConditionalSummariesChain,
  context: ViewContext,
): Section[] {
  const isChosen = ({ text: name }: { text: string }) => ({ chosen: name === context.answer });
  return [...candidateSection(chain.candidates, [], isChosen), ...baseView(chain, context)];
}

export function selfVerificationView(
  { passages, samples, conditions, candidates }: SelfVerificationChain,
  { answer }: ViewContext,
): Section[] {
  const named = candidates.map(
    ({ text: name, samples: times, recovered = [], verified }): Card => ({
      title: name,
      chosen: name === answer,
      chips: [
        chip(count(times, 'sample')),
        ...(verified === undefined
          ? []
          : [chip(`${verified} of ${count(conditions.length, 'part')} recovered`)]),
      ],
      blocks: table(
        ['Masked part', 'Recovered as'],
        recovered.map((part, i) => [conditions[i] ?? '', part ?? 'unreadable']),
      ),
    }),
  );
  const sampled = samples.map((sample, i) => ({
    title: sample?.answer ?? 'unreadable',
    chips: [chip(`sample ${i + 1}`)],
    blocks: text(sample?.reasoning),
  }));
  return [
    ...section('Candidates', cards(named), { note: `${named.length}` }),
    ...section('Parts of the question that were masked', text(conditions.join('; '))),
    ...section('Samples', cards(sampled), { note: `${samples.length}`, detail: true }),
    ...passageSection(passages),
  ];
}
