import { z } from 'zod';
import type { Block, Card, Section } from '../../core/section.js';
import type { PassageRef } from '../../core/vocabulary.js';
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
import type { PairChoice } from '../../steps/sure.js';
import { defineMethod } from '../define-method.js';
import { candidateCount, demonstrations, passageCount } from '../options.js';

export type SureOptions = z.output<typeof sureMethod.options>;

export interface PairVote {
  /** Position of the candidate whose summary was shown first. */
  first: number;
  second: number;
  choice: PairChoice | null;
}

export interface SureCandidate {
  text: string;
  /** The passage the model wrote in support of this candidate; absent when it was the only one. */
  summary?: string;
  /** v: does the summary support the candidate; absent where ranking alone decides. */
  valid?: boolean;
  /** r: the sum of its pairwise scores; absent where validity alone decides. */
  rank?: number;
}

export interface SureChain {
  passages: PassageRef[];
  candidates: SureCandidate[];
  votes: PairVote[];
}

/** SuRe, "Summarizing Retrievals using Answer Candidates for Open-domain QA of LLMs". */
export const sureMethod = defineMethod({
  name: 'sure',
  title: 'SuRe: summarized retrieval',
  source: 'SuRe (Kim et al., ICLR 2024), section 3, algorithm 1',
  options: z.strictObject({
    passages: passageCount,
    candidates: candidateCount,
    demonstrations,
    selection: z
      .enum(['validityAndRanking', 'ranking', 'validity'])
      .default('validityAndRanking')
      .describe('what decides among the candidates (SuRe 3.3: both; 4.3, table 3: ranking only)'),
  }),
  view: ({ passages, candidates, votes }: SureChain, { answer }) => [
    ...candidateSection(candidates, votes, (candidate) => ({ chosen: candidate.text === answer })),
    ...voteSection(candidates, votes),
    ...passageSection(passages),
  ],
  steps: ['generateCandidates', 'summarize', 'validate', 'rankPair'],
  callsFormula:
    '1 + K + K + K(K-1), without the K of validity or the K(K-1) of ranking where only the other decides; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 33.5/42.3, WebQ 25.1/36.6, 2Wiki 32.8/38.1, HotpotQA 33.2/43.4',
});

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
