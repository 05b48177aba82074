/** Chains of follow-up questions as text (self-ask, multi-chain reasoning). Pure. */
import { takenApart } from '../reading/text.js';

/** A follow-up question with its intermediate answer; null when there is none. */
export interface AnsweredFollowUp {
  question: string;
  answer: string | null;
}

/** A whole chain; its final answer is null when there is none. */
export interface AnsweredChain {
  followUps: AnsweredFollowUp[];
  answer: string | null;
}

const NONE = '(none was found)';

/**
 * Each follow-up between tags of its own, which nothing inside can close. Byte-identical for the
 * same follow-ups, and a longer history begins like the one it extends.
 */
export function renderFollowUps(history: readonly AnsweredFollowUp[]): string {
  return history
    .map((followUp, i) => {
      const lines = takenApart(linesOf(followUp), 'follow-up');
      return `<follow-up number="${i + 1}">\n${lines}\n</follow-up>`;
    })
    .join('\n');
}

/** Each chain between tags of its own, its final answer last. */
export function renderChains(chains: readonly AnsweredChain[]): string {
  return chains
    .map(({ followUps, answer }, i) => {
      const lines = [...followUps.map(linesOf), `Final answer: ${answer ?? NONE}`].join('\n');
      return `<chain number="${i + 1}">\n${takenApart(lines, 'chain')}\n</chain>`;
    })
    .join('\n');
}

function linesOf({ question, answer }: AnsweredFollowUp): string {
  return `Follow up: ${question}\nIntermediate answer: ${answer ?? NONE}`;
}
