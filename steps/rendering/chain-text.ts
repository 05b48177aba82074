/** Chains of follow-up questions as text (self-ask, multi-chain reasoning). Pure. */

import { takenApart } from './quoted.js';

/** A follow-up question with its intermediate answer; null when there is none. */
export interface AnsweredFollowUp {
  question: string;
  answer: string | null;
}

/** The labels of a chain's lines, as alternatives of a pattern. */
export const FOLLOW_UP = 'follow[- ]?ups?(?: question)?';
export const FINAL = '(?:so )?(?:the )?final answer(?: is)?';

const NONE = '(none was found)';

/**
 * Renders each follow-up between its own tags, which its content cannot close. The same follow-ups
 * give the same bytes, and a longer history begins like the one it extends.
 */
export function renderFollowUps(history: readonly AnsweredFollowUp[]): string {
  return history
    .map((followUp, i) => {
      const lines = takenApart(linesOf(followUp), 'follow-up');
      return `<follow-up number="${i + 1}">\n${lines}\n</follow-up>`;
    })
    .join('\n');
}

/** Renders each pair between its own tags, its evidence by the numbers of the passages shown. */
export function renderPairs(pairs: readonly EvidencePair[]): string {
  return pairs
    .map((pair, i) => {
      const known =
        'evidence' in pair
          ? `Evidence: passages ${pair.evidence.join(', ')}`
          : `Answer: ${pair.answer ?? NONE}`;
      const lines = takenApart(`Question: ${pair.question}\n${known}`, 'pair');
      return `<pair number="${i + 1}">\n${lines}\n</pair>`;
    })
    .join('\n');
}

function linesOf({ question, answer }: AnsweredFollowUp): string {
  return `Follow up: ${question}\nIntermediate answer: ${answer ?? NONE}`;
}

/**
 * A question of a chain, with the numbers, from 1, of its passages. Without passages its answer is
 * the evidence.
 */
export type EvidencePair =
  | { question: string; evidence: number[] }
  | { question: string; answer: string | null };
