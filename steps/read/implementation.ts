import { implementStep, type ModelOutput } from '../define.js';
import { wholeSentences } from '../reading/cut.js';
import { bareText, LONE_NUMBER } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { concludingSentence, statedAnswers } from '../reading/stated-answer.js';
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
 * What the reply states as the answer: below or behind a label, or in a first line that concludes.
 * Else its first line that says something, without quotes, code fences and the mark of a list;
 * undefined when there is none.
 */
export function parseReading(text: string): string | undefined {
  return answerLine(text)?.replace(LETTER_MARK, '');
}

/** The same with the letter of a choice, where it stands before it. */
export function answerLine(text: string): string | undefined {
  const own = ownTurn(withoutPreamble(bareText(text)));
  const [first = ''] = own.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
  const stated = statedAnswers(own).flatMap((one) => concludingSentence(own, one) ?? []);
  const answers = stated.filter(
    ({ start, labelled }) => labelled || start < own.indexOf(first) + first.length,
  );
  // A labelled answer ends the reasoning before it; what explains it may state it in a clause again.
  const said =
    answers.find(({ labelled, start }) => labelled && own.slice(0, start).trim() === '') ??
    answers.findLast(({ labelled }) => labelled) ??
    answers[0];
  return said?.answer ?? firstLine(own);
}

/** Of a reply that goes on with questions of its own what stands before them. */
function ownTurn(text: string): string {
  const next = /\n(?:question|q|human|user)(?: ?\d{1,2})? ?:/i.exec(text);
  return next ? text.slice(0, next.index) : text;
}

const HEADING = /^(?:assistant|answer|response|output|passages?|note)\s?:?$|:$/i;
const LABEL = /^(?:a|response|output|result|solution|assistant|prediction) ?: /i;

/** The first line that says something and is no heading of what follows. */
function firstLine(text: string): string | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.replace(LONE_NUMBER, '').replace(LABEL, ''))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const line = lines.find((said, i) => i === lines.length - 1 || !HEADING.test(said.trim()));
  return line === undefined ? undefined : cleanAnswer(line) || undefined;
}
