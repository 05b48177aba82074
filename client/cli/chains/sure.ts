/** SuRe's candidates for a terminal, and those of its variants. Pure. */
import pc from 'picocolors';
import type { PairVote, SureCandidate, SureChain } from '../../../methods/sure.js';
import { count, mark, passageList, section, wrap } from './layout.js';

export function sureChain(
  { candidates, votes, passages }: SureChain,
  answer: string | null,
): string[] {
  return [...candidateSection(candidates, votes, answer), ...passageList('Passages', passages)];
}

/** Each candidate with its summary and what it came to; none where nothing was summarised. */
export function candidateSection(
  candidates: readonly SureCandidate[],
  votes: readonly PairVote[],
  answer: string | null,
): string[] {
  const judged = candidates.filter(({ summary }) => summary !== undefined);
  const unread = votes.filter(({ choice }) => choice === null).length;
  const lines = judged.flatMap((candidate) => [
    `${mark(candidate.text === answer)} ${pc.bold(candidate.text)}${verdict(candidate, judged.length - 1)}`,
    ...wrap(candidate.summary ?? '', '    '),
  ]);
  const note =
    unread > 0
      ? [pc.dim(`  ${unread} of ${count(votes.length, 'comparison')} could not be read`)]
      : [];
  return section('Candidates', [...lines, ...note]);
}

function verdict({ valid, rank }: SureCandidate, rivals: number): string {
  const parts = [
    ...(valid === undefined ? [] : [valid ? 'supported' : 'not supported']),
    ...(rank === undefined ? [] : [`${rank} of ${rivals} in comparison`]),
  ];
  return parts.length === 0 ? '' : pc.dim(`  ${parts.join(', ')}`);
}
