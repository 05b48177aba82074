import { implementStep, type ModelOutput } from '../define.js';
import { wholeSentences } from '../reading/cut.js';
import { bareText, LONE_NUMBER } from '../reading/plain.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { cleanAnswer } from '../reading/text.js';
import { renderDemonstrations } from '../rendering/demonstrations.js';
import type * as declared from './step.js';

export const read = implementStep<typeof declared.read>({
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
