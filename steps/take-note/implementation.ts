import { implementStep, type ModelOutput } from '../define.js';
import { noteFrom, plainNotes } from '../reading/note-text.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import type * as declared from './step.js';
import type { WrittenNote } from './step.js';

export const takeNote = implementStep<typeof declared.takeNote>({
  prompt: 'take-note',
  maxTokens: 256,
  passages: ({ passage }) => [passage],
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseNote(output, question),
  fallback: () => null,
});

const HEADING =
  /^[\s>*•–-]*(?:\d{1,2}[.)] )?(?:(?:the )?(?:reading )?note(?: (?:on|for))?(?: (?:the )?passage)?|passage)(?: #?1)?\s*(?=[:([–-])/i;

/** A note without its heading; undefined when it says nothing whole. */
export function parseNote(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question = '',
): WrittenNote | undefined {
  return noteFrom(withoutQuestion(plainNotes(output), question).replace(HEADING, ''));
}
