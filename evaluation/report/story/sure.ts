/** The stories of SuRe and of the methods that begin with its candidates. Pure. */
import type { ConditionalSummariesChain } from '../../../methods/baselines/conditional-summaries.js';
import type { McqChain } from '../../../methods/baselines/mcq.js';
import type { PairVote, SureCandidate, SureChain } from '../../../methods/sure.js';
import type { Card, Section } from '../page-data.js';
import {
  cards,
  chip,
  passageSection,
  readingSection,
  said,
  section,
  type Teller,
  table,
} from './parts.js';

/** Candidates with their summaries and verdicts, and how they fared against each other. */
export function sureStory({ passages, candidates, votes }: SureChain, teller: Teller): Section[] {
  return [
    ...section('Candidates', candidateCards(candidates, teller), { note: `${candidates.length}` }),
    ...voteSection(candidates, votes),
    ...passageSection(passages, teller),
  ];
}

export function mcqStory({ passages, candidates, reading }: McqChain, teller: Teller): Section[] {
  return [
    ...section('Choices', candidateCards(candidates, teller)),
    ...readingSection(reading, teller),
    ...passageSection(passages, teller),
  ];
}

export function conditionalSummariesStory(
  { passages, candidates, reading }: ConditionalSummariesChain,
  teller: Teller,
): Section[] {
  return [
    ...section('Candidates', candidateCards(candidates, teller)),
    ...readingSection(reading, teller),
    ...passageSection(passages, teller),
  ];
}

export function candidateCards(
  candidates: readonly SureCandidate[],
  { answer }: Pick<Teller, 'answer'>,
): Section['blocks'] {
  const rivals = candidates.length - 1;
  const items = candidates.map(
    ({ text, summary, valid, rank }): Card => ({
      title: text,
      chosen: text === answer,
      chips: [
        ...(valid === undefined ? [] : [valid ? chip('valid', 'good') : chip('not valid', 'bad')]),
        ...(rank === undefined ? [] : [chip(`ranked ${rank} of ${rivals}`)]),
      ],
      blocks: said('Summary', summary),
    }),
  );
  return cards(items);
}

export function voteSection(
  candidates: readonly SureCandidate[],
  votes: readonly PairVote[],
): Section[] {
  const name = (k: number) => candidates[k]?.text ?? '';
  const rows = votes.map(({ first, second, choice }) => [
    name(first),
    name(second),
    choice === null
      ? 'unreadable'
      : choice === 'tie'
        ? 'neither'
        : name(choice === 'first' ? first : second),
  ]);
  const head = ['Shown first', 'Shown second', 'Preferred'];
  return section('Votes', table(head, rows), { note: `${votes.length}` });
}
