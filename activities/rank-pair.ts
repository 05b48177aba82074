/** SuRe step 5: which of two summaries answers better (SuRe 3.3 eq. 5, appendix A.4). */
import { MOST_CANDIDATES } from '../methods/options.js';
import type { PairChoice } from '../methods/sure.js';
import { defineStep } from './step.js';
import { afterAnswerLabel } from './text.js';

export interface RankPairInput {
  question: string;
  /** Shown as Passage 1. */
  first: PositionedSummary;
  /** Shown as Passage 2. */
  second: PositionedSummary;
}

export interface PositionedSummary {
  /** Position of the candidate it supports. */
  k: number;
  summary: string;
}

/** Null when the output stayed unreadable: the pair's other order then decides. */
export const rankPair = defineStep<RankPairInput, PairChoice | null>({
  prompt: 'rank-pair',
  maxTokens: 16,
  // Summaries may read the same; each pair is asked in both orders all the same.
  sample: ({ first, second }) => first.k * MOST_CANDIDATES + second.k,
  variables: ({ question, first, second }) => ({
    question,
    first: first.summary,
    second: second.summary,
  }),
  parse: ({ text }) => parsePairChoice(text),
  fallback: () => null,
});

const TIE = /\b(?:equally|both|neither|tie|tied|equivalent|no difference|the same)\b/;
const OPENING = /^(?:the )?(?:passage )?#?\s*(?:([12])|(first|second))\b(?! (?:and|or|vs) )/;
const NAMED = /\bpassage #?([12])\b|\b(first|second) (?:passage|one)\b/g;
const PREFERRED =
  /\bpassage\s*#?([12])\b(?=[^.]*?\b(?:is|provides|gives|offers|contains|tells|answers|has)\b[^.]*?\b(?:more|better|best|most)\b)/g;

/** Reads which passage was preferred; undefined when the text does not say. */
export function parsePairChoice(text: string): PairChoice | undefined {
  const reply = afterAnswerLabel(text.toLowerCase().replace(/[*_`"“”[\]()]/g, ' ')).trim();
  const sentence = reply.split(/(?<=[.!?\n])\s/, 1)[0] ?? '';
  if (TIE.test(sentence)) return 'tie';
  const opening = OPENING.exec(sentence);
  if (opening) return choice(opening[1] ?? opening[2]);
  const preferred = [...reply.matchAll(PREFERRED)].at(-1);
  if (preferred) return choice(preferred[1]);
  const named = new Set([...reply.matchAll(NAMED)].map((m) => choice(m[1] ?? m[2])));
  return named.size === 1 ? [...named][0] : undefined;
}

function choice(name: string | undefined): PairChoice {
  return name === '1' || name === 'first' ? 'first' : 'second';
}
