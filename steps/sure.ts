/** The steps of SuRe (Kim et al., ICLR 2024). */

import { hasAnswer } from '../core/normalize-answer.js';
import { saysUnknown } from '../core/unknown.js';
import type { Demonstration } from '../core/vocabulary.js';
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { isAccepted } from './oracles.js';
import { choice, verdict } from './outputs/choice.js';
import { list } from './outputs/list.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { answerIn } from './outputs/short-answer.js';
import { text } from './outputs/text.js';
import { letter, lettered, renderDemonstrations } from './rendering.js';

/** The passages from which candidate answers are generated. */
export interface GenerateCandidatesInput extends QuestionInput {
  /** K, the number of candidates to ask for. */
  count: number;
  demonstrations: Demonstration[];
  /** Set if each candidate is a paragraph (SuRe appendix B.4); absent for a few words. */
  long?: true;
}

/**
 * SuRe step 2: K answer candidates from the passages, in one call (SuRe 3.2, appendices A.1 and
 * B.5). If the output stayed unreadable, its only text, if that is short.
 */
export const generateCandidates = readingStep<GenerateCandidatesInput, string[]>({
  name: 'generateCandidates',
  label: ({ count }) => `${count} candidates`,
  prompt: {
    among: ['generate-candidates-by-example', 'generate-candidates', 'generate-long-candidates'],
    of({ demonstrations, long }) {
      if (long) return 'generate-long-candidates';
      return demonstrations.length > 0 ? 'generate-candidates-by-example' : 'generate-candidates';
    },
  },
  maxTokens: ({ count, long }) => (long ? 256 * count : Math.max(128, 32 * count)),
  variables: ({ count, demonstrations, long }) => ({
    form: long ? formOf(count).replaceAll(', ', '\n') : formOf(count),
    demonstrations: renderDemonstrations(demonstrations),
  }),
  output: ({ count, long }) =>
    mapped(candidatesOf(count, long ? undefined : WORDS), (candidates, { unknown }) => {
      const known = candidates.filter((candidate) => !saysUnknown(candidate, unknown));
      return known.length > 0 ? known : candidates.slice(0, 1);
    }),
  fallback(output, { long }) {
    const [only = ''] = candidatesOf(1).read(output) ?? [];
    if (long) return only === '' ? [] : [only];
    return [answerIn(only, output, LONGEST_CANDIDATE) ?? []].flat();
  },
});

/** How many words the prompt asks for in a candidate (SuRe A.1). */
const WORDS = 3;

/** Most words of a candidate that is the only text of an unreadable output. */
const LONGEST_CANDIDATE = 10;

/**
 * Returns the type of candidates. A line without marks, or a text with a comma after the only mark,
 * may be one candidate or several.
 */
function candidatesOf(count: number, words?: number): Output<string[]> {
  return list({
    most: count,
    ...(words !== undefined && { words }),
    form: `one line of the form ${formOf(count)}`,
    label: 'answers?|candidates',
    before: 'answer|candidate|option|choice',
    lone: count === 1,
    lettered: true,
  });
}

function formOf(count: number): string {
  return lettered(new Array<string>(count).fill('...'));
}

/** The passages that are summarized in support of one candidate. */
export interface SummarizeInput extends QuestionInput {
  /** All candidates; the prompt shows them as choices. */
  candidates: string[];
  /** Position of the candidate to support. */
  k: number;
}

/** Type of a passage up to its end mark; a reply that stopped before it is asked for again. */
export const summary = mapped(
  text({ form: 'a short passage that ends with [DONE]', end: '[DONE]', cut: 'again' }),
  (passage, { unknown }) => (saysUnknown(passage, unknown) ? undefined : passage),
);

/** Returns the beginning of a cut summary; may be empty. */
export function unfinishedSummary(output: ModelOutput): string {
  return summary.read({ ...output, cut: false }) ?? '';
}

/**
 * SuRe step 3: a passage that supports one candidate (SuRe 3.2, appendix A.2). Empty if the output
 * stayed unreadable.
 */
export const summarize = readingStep<SummarizeInput, string>({
  name: 'summarize',
  label: ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
  prompt: 'summarize',
  maxTokens: 384,
  variables: ({ candidates, k }) => ({
    choices: lettered(candidates, ' '),
    prediction: `(${letter(k)}) ${candidates[k] ?? ''}`,
  }),
  output: summary,
  fallback: unfinishedSummary,
});

/**
 * SuRe step 4: whether a summary supports its candidate (SuRe 3.3 eq. 4, appendix A.3). True is
 * v=1; anything else is v=0, including an output that stays unreadable.
 */
export const validate = defineStep<
  { question: string; candidate: string; summary: string },
  boolean
>({
  name: 'validate',
  label: ({ candidate }) => `candidate: ${candidate}`,
  prompt: 'validate',
  maxTokens: 16,
  output: verdict(),
  fallback: () => false,
  // A right candidate that its summary does not mention may still be unsupported.
  oracle({ candidate, summary }, gold) {
    const accepted = isAccepted(candidate, gold);
    return accepted && !hasAnswer(summary, gold.answers) ? undefined : accepted;
  },
});

/** Two summaries, of which the model chooses the more informative one. */
export interface RankPairInput {
  question: string;
  /** Shown as Passage 1. */
  first: PositionedSummary;
  /** Shown as Passage 2. */
  second: PositionedSummary;
}

/** A summary, and the candidate that it supports. */
export interface PositionedSummary {
  /** Position of the candidate it supports. */
  k: number;
  summary: string;
}

/** Better summary of two: the first shown, the second, or neither. */
export type PairChoice = 'first' | 'second' | 'tie';

/** More than any position of a candidate. */
const POSITIONS = 26;

/**
 * SuRe step 5: which of two summaries answers better (SuRe 3.3 eq. 5, appendix A.4). Null if the
 * output stayed unreadable; the pair's other order then decides.
 */
export const rankPair = defineStep<RankPairInput, PairChoice | null>({
  name: 'rankPair',
  label: ({ first, second }) => `summary ${first.k + 1} against ${second.k + 1}`,
  prompt: 'rank-pair',
  maxTokens: 16,
  // Equal summaries are also asked in both orders.
  sample: ({ first, second }) => first.k * POSITIONS + second.k,
  variables: ({ first, second }) => ({ first: first.summary, second: second.summary }),
  output: choice<PairChoice>([
    { value: 'first', said: ['Passage 1', '1'] },
    { value: 'second', said: ['Passage 2', '2'] },
  ]),
  oracle({ first, second }, { answers }) {
    const [one, other] = [first, second].map(({ summary }) => hasAnswer(summary, answers));
    if (one === other) return undefined;
    return one ? 'first' : 'second';
  },
});

/**
 * A summary of the passages for a question, not conditioned on an answer (SuRe 4.3, appendix A.6).
 * Empty if the output stayed unreadable.
 */
export const summarizeGeneric = readingStep<QuestionInput, string>({
  name: 'summarizeGeneric',
  prompt: 'summarize-generic',
  maxTokens: 384,
  output: summary,
  fallback: unfinishedSummary,
});
