/** The reader: a short answer from the passages (SuRe "Base", appendix A.5). */
import type { Demonstration } from '../../methods/vocabulary.js';
import { wholeSentences } from '../reading/cut.js';
import { bareText, LONE_NUMBER } from '../reading/plain.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { cleanAnswer } from '../reading/text.js';
import { renderDemonstrations } from './demonstrations.js';
import { defineStep, type ModelOutput } from './step.js';

export interface ReadInput {
  question: string;
  /** Ids, in the order shown; none for an answer without retrieval. */
  passages: string[];
  demonstrations: Demonstration[];
}

/** Null when the output stayed unreadable. */
export const read = defineStep<ReadInput, string | null>({
  prompt: 'read',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, demonstrations }) => ({
    question,
    demonstrations: renderDemonstrations(demonstrations),
  }),
  parse: (output, { question }) => readAnswer(output, question),
  fallback: () => null,
});

const LETTER_MARK = /^\(?a\) /;

/**
 * As `parseReading`, of what stands behind the question where the model wrote it again. Of an
 * output that was cut only what is whole: half a sentence is no answer, and the same call with room
 * for more finds its end.
 */
export function readAnswer(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question = '',
): string | undefined {
  return parseReading(withoutQuestion(bareText(wholeSentences(output)), question));
}

/**
 * The first line that says something, without labels, quotes, code fences and the mark of a list;
 * undefined when there is none.
 */
export function parseReading(text: string): string | undefined {
  return firstLine(text)?.replace(LETTER_MARK, '');
}

/** The same with the letter of a choice, where it stands before it. */
export function firstLine(text: string): string | undefined {
  return bareText(text)
    .split('\n')
    .map((line) => cleanAnswer(line.replace(LONE_NUMBER, '')))
    .find((line) => /[\p{L}\p{N}]/u.test(line));
}
