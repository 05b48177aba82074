/** The steps of SuRe (Kim et al., ICLR 2024). */

import { hasAnswer } from '../core/normalize-answer.js';
import { saysUnknown } from '../core/unknown.js';
import type { Demonstration } from '../core/vocabulary.js';
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { isAccepted } from './oracles.js';
import { choice, verdict } from './outputs/choice.js';
import { list } from './outputs/list.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { answerFromLine } from './outputs/short-answer.js';
import { text } from './outputs/text.js';
import { letter, letteredList, renderDemonstrations } from './rendering.js';

/**
 * The input of SuRe's candidate generation: a question, its passages, the number of candidates,
 * whether each is a paragraph, and demonstrations.
 */
export interface GenerateCandidatesInput extends QuestionInput {
  /** Number of candidates, K. */
  count: number;
  demonstrations: Demonstration[];
  /** Set if each candidate is a paragraph (SuRe B.4); absent if it has a few words. */
  long?: true;
}

/**
 * Declaration of step 2 of SuRe: generates answer candidates from the passages, in one call (SuRe
 * 3.2, appendices A.1 and B.5). Its output is a list of at most `count` distinct ones, in the
 * model's order: a few words each, or paragraphs if `long` of the input is set. If the output
 * stayed unreadable, its text is the only candidate if it has at most 10 words (with `long`, any
 * number); otherwise the list is empty.
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
    return [answerFromLine(only, output, LONGEST_CANDIDATE) ?? []].flat();
  },
});

/** Number of words that the prompt asks for in a candidate (SuRe A.1). */
const WORDS = 3;

/** Maximum number of words of a candidate that is the only text of an unreadable output. */
const LONGEST_CANDIDATE = 10;

/**
 * Returns the output type of candidates. For more than one, a single line without marks is
 * unreadable, since it may be one candidate or several.
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
  return letteredList(new Array<string>(count).fill('...'));
}

/**
 * The input of SuRe's summarization: a question, its passages, the texts of all candidates, and
 * the position of the one to support, from 0.
 */
export interface SummarizeInput extends QuestionInput {
  /** All candidates; the prompt shows them as choices. */
  candidates: string[];
  /** Position of the candidate to support, from 0. */
  k: number;
}

/**
 * Output type of a summary: the text before the mark [DONE]. A text that is cut before the mark is
 * asked for again.
 */
export const summary = mapped(
  text({ form: 'a short passage that ends with [DONE]', end: '[DONE]', cut: 'again' }),
  (passage, { unknown }) => (saysUnknown(passage, unknown) ? undefined : passage),
);

/**
 * Returns the text of a summary without its end mark, as far as it was written; empty if it is
 * unreadable.
 */
export function unfinishedSummary(output: ModelOutput): string {
  return summary.read({ ...output, cut: false }) ?? '';
}

/**
 * Declaration of step 3 of SuRe: writes a passage that supports one candidate (SuRe 3.2, appendix
 * A.2). Its output is the passage; if the model's reply stayed cut or unreadable, as much of it as
 * there is, or an empty text.
 */
export const summarize = readingStep<SummarizeInput, string>({
  name: 'summarize',
  label: ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
  prompt: 'summarize',
  maxTokens: 384,
  variables: ({ candidates, k }) => ({
    choices: letteredList(candidates, ' '),
    prediction: `(${letter(k)}) ${candidates[k] ?? ''}`,
  }),
  output: summary,
  fallback: unfinishedSummary,
});

/**
 * Declaration of step 4 of SuRe: decides whether a summary supports its candidate (SuRe 3.3 eq. 4,
 * appendix A.3). Its output is true or false; false if the model's reply stayed unreadable.
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

/** The input of SuRe's pairwise ranking: a question and two summaries in the order shown. */
export interface RankPairInput {
  question: string;
  /** Shown as Passage 1. */
  first: PositionedSummary;
  /** Shown as Passage 2. */
  second: PositionedSummary;
}

/** A summary with the position of the candidate that it supports. */
export interface PositionedSummary {
  /** Position of the candidate that it supports, from 0. */
  k: number;
  summary: string;
}

/** The better of two summaries: 'first' or 'second' as shown, or 'tie'. */
export type PairChoice = 'first' | 'second' | 'tie';

/** Upper bound of the number of candidates. */
const POSITIONS = 26;

/**
 * Declaration of step 5 of SuRe: decides which of two summaries is better (SuRe 3.3 eq. 5,
 * appendix A.4). Its output is 'first' or 'second', in the order shown; null if the model's reply
 * stayed unreadable, and the call in the other order then decides.
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
    { value: 'first', wordings: ['Passage 1', '1'] },
    { value: 'second', wordings: ['Passage 2', '2'] },
  ]),
  oracle({ first, second }, { answers }) {
    const [one, other] = [first, second].map(({ summary }) => hasAnswer(summary, answers));
    if (one === other) return undefined;
    return one ? 'first' : 'second';
  },
});

/**
 * Declaration of the step that summarizes the passages for a question, without a candidate (SuRe
 * 4.3, appendix A.6). Its output is the summary; if the model's reply stayed cut or unreadable, as
 * much of it as there is, or an empty text.
 */
export const summarizeGeneric = readingStep<QuestionInput, string>({
  name: 'summarizeGeneric',
  prompt: 'summarize-generic',
  maxTokens: 384,
  output: summary,
  fallback: unfinishedSummary,
});
