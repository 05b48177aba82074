/** The chain of SuRe, and its view. */

import type { Block, Card, Section } from '../../../core/section.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  note,
  section,
  table,
  text,
} from '../../../report/views/section-parts.js';
import type { PairChoice } from '../../../steps/sure.js';

/**
 * The vote of one call on the summaries of two candidates: the positions of both candidates (from
 * 0), in the order shown, and whether the first or the second summary is better, or neither
 * ('tie'); null if that could not be read.
 */
export interface PairVote {
  /** Position of the candidate whose summary was shown first. */
  first: number;
  /** Position of the other candidate. */
  second: number;
  /** The choice; null if it could not be read. */
  choice: PairChoice | null;
}

/**
 * A candidate answer: its text, its summary, whether the summary supports it (v), and the sum of
 * its pairwise scores (r).
 */
export interface SureCandidate {
  text: string;
  /**
   * The passage that the model wrote in support of this candidate; absent if it was the only one.
   */
  summary?: string;
  /** v: whether the summary supports the candidate; absent if ranking alone decides. */
  valid?: boolean;
  /** r: sum of its pairwise scores; absent if validity alone decides. */
  rank?: number;
}

/** The chain of `sure`: the passages, the judged candidates, and the pairwise votes. */
export interface SureChain {
  passages: PassageRef[];
  candidates: SureCandidate[];
  votes: PairVote[];
}

/**
 * Returns the report section with a card for each candidate, and a note on how many votes were
 * unreadable, as an array of one section; empty if there is nothing to show.
 *
 * @param more Returns additions to the card of a candidate.
 */
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

/**
 * Returns the report section with a table of the votes, as an array of one section; empty without
 * votes.
 */
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
