/** SuRe: its candidates with summaries, verdicts and ranks. Pure. */

import type { Block, Card, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import {
  cards,
  chip,
  count,
  note,
  passageSection,
  section,
  table,
  text,
} from '../../report/views/parts.js';
import type { PairVote, SureCandidate, SureChain } from './options.js';

export function sureView(
  { passages, candidates, votes }: SureChain,
  { answer }: ViewContext,
): Section[] {
  return [
    ...candidateSection(candidates, votes, (candidate) => ({ chosen: candidate.text === answer })),
    ...voteSection(candidates, votes),
    ...passageSection(passages),
  ];
}

/** The candidates, and how many of their comparisons are undecided. */
export function candidateSection(
  candidates: readonly SureCandidate[],
  votes: readonly PairVote[],
  more: (candidate: SureCandidate) => Partial<Card>,
): Section[] {
  const unread = votes.filter(({ choice }) => choice === null).length;
  const blocks = [
    ...candidateCards(candidates, more),
    ...note(unread > 0 && `${unread} of ${count(votes.length, 'comparison')} could not be read`),
  ];
  return section('Candidates', blocks, { note: `${candidates.length}` });
}

function candidateCards(
  candidates: readonly SureCandidate[],
  more: (candidate: SureCandidate) => Partial<Card>,
): Block[] {
  const rivals = candidates.length - 1;
  return cards(
    candidates.map((candidate) => {
      const { text: name, summary, valid, rank } = candidate;
      const { chips = [], ...rest } = more(candidate);
      return {
        title: name,
        chips: [
          ...(valid === undefined
            ? []
            : [valid ? chip('supported', 'good') : chip('not supported', 'bad')]),
          ...(rank === undefined ? [] : [chip(`${rank} of ${rivals} in comparison`)]),
          ...chips,
        ],
        blocks: text(summary, 'Summary'),
        ...rest,
      };
    }),
  );
}

export function voteSection(
  candidates: readonly SureCandidate[],
  votes: readonly PairVote[],
): Section[] {
  const name = (k: number) => candidates[k]?.text ?? '';
  const preferred = ({ first, second, choice }: PairVote) => {
    if (choice === null) return 'unreadable';
    return choice === 'tie' ? 'neither' : name(choice === 'first' ? first : second);
  };
  const rows = votes.map((vote) => [name(vote.first), name(vote.second), preferred(vote)]);
  const head = ['Shown first', 'Shown second', 'Preferred'];
  return section('Votes', table(head, rows), { note: `${votes.length}`, detail: true });
}
