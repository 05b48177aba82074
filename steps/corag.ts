/**
 * The steps of CoRAG (Wang et al., 2025): a chain of sub-queries, each answered from its own
 * passages.
 */
import { shortened } from '../core/shortened.js';
import { refuses, saysUnknown } from '../core/unknown.js';
import { defineStep, LONGEST_LABEL, type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { numberIn } from './outputs/number.js';
import { mapped } from './outputs/output.js';
import { linesOf, unwrapLine } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';
import { text } from './outputs/text.js';
import { type AnsweredFollowUp, renderQueries } from './rendering.js';
import { type SampledInput, sampledStepFields } from './samples.js';

/** Number of words that the prompts ask for in an answer. */
const WORDS = 3;

/** A question with the answered sub-queries of a CoRAG path so far. */
export interface PathInput {
  question: string;
  /** Sub-queries with their answers, oldest first. */
  pairs: AnsweredFollowUp[];
}

/**
 * The input of CoRAG's step that writes the next sub-query: the path so far, and a sample. The
 * number of the sample distinguishes paths, and attempts to get a new sub-query.
 */
export interface SubQueryInput extends PathInput, SampledInput {
  /** Number of calls left for repeated sub-queries, which a dry run assumes are all made. */
  spare: number;
  /** Whether the path ends with this sub-query. */
  last: boolean;
}

/**
 * Declaration of a step of CoRAG: writes the next sub-query of a path. Its output is the
 * sub-query; null if the model's reply stayed unreadable.
 */
export const nextSubQuery = defineStep<SubQueryInput, string | null>({
  name: 'nextSubQuery',
  label: ({ pairs, sample }) =>
    `sub-query ${pairs.length + 1}${sample ? `, sample ${sample.k + 1}` : ''}`,
  prompt: 'next-sub-query',
  maxTokens: 64,
  ...sampledStepFields,
  variables: ({ pairs }) => ({ pairs: renderQueries(pairs) }),
  output: mapped(
    text({
      form: 'one simple question, and nothing else',
      label: '(?:intermediate |follow-up |sub-?)?(?:query|question)(?: ?\\d{1,2})?',
      cut: 'stands',
    }),
    (written, { unknown, refusals }) => {
      const [line = ''] = linesOf(written);
      const query = unwrapLine(line);
      const isNone = saysUnknown(query, unknown) || refuses(query, refusals);
      return query === '' || isNone ? undefined : query;
    },
  ),
  // A dry run assumes that the last sub-query is repeated while calls are left: its prompts are the longest.
  costliest: (longest, { pairs, spare, last }) =>
    last && spare > 0 ? (pairs[0]?.question ?? null) : longest,
});

/**
 * Declaration of a step of CoRAG: answers a sub-query from its passages. Its output is the answer;
 * null if the passages contain none, or if the model's reply stayed unreadable.
 */
export const answerSubQuery = readingStep<QuestionInput, string | null>({
  name: 'answerSubQuery',
  label: ({ question, passages }) =>
    `"${shortened(question, LONGEST_LABEL)}", ${passages.length} passages`,
  prompt: 'answer-sub-query',
  maxTokens: 128,
  output: mapped(
    text({
      form: 'a concise answer, or "No relevant information found", and nothing else',
      label: '(?:intermediate )?answer(?: ?\\d{1,2})?',
      cut: 'stands',
    }),
    (answer, { unknown }): string | null =>
      saysUnknown(answer, unknown) ? null : answer.replace(/\s+/g, ' '),
  ),
});

/**
 * Declaration of a step of CoRAG: asks the model how well the answered sub-queries of a path
 * answer the question; replaces the paper's probability of "No relevant information found". Its
 * output is a number from 0 to 10; null if the model's reply stayed unreadable.
 */
export const ratePath = defineStep<PathInput, number | null>({
  name: 'ratePath',
  label: ({ pairs }) => `${pairs.length} pairs, the last "${pairs.at(-1)?.question ?? ''}"`,
  prompt: 'rate-path',
  maxTokens: 16,
  variables: ({ pairs }) => ({ pairs: renderQueries(pairs) }),
  output: numberIn({ to: 10 }),
});

/**
 * Declaration of a step of CoRAG: answers the question from the answered sub-queries of a path,
 * and from passages if there are any. Its output is a short answer, "unknown" if the model does
 * not know; null if the model's reply stayed unreadable.
 */
export const answerFromPath = readingStep<PathInput & QuestionInput, string | null>({
  name: 'answerFromPath',
  label: ({ pairs, passages }) => `${pairs.length} pairs, ${passages.length} passages`,
  prompt: 'answer-from-path',
  maxTokens: 128,
  variables: ({ pairs }) => ({ pairs: renderQueries(pairs) }),
  output: shortAnswer({ words: WORDS }),
  oracle({ pairs }, gold) {
    return shownAnswer(
      gold,
      pairs.flatMap(({ answer }) => answer ?? []),
    );
  },
});
