/** A reading note on one passage: the per-passage form of Chain-of-Note (3.3). */
import type { WrittenNote } from '../../methods/chain-of-note.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { noteFrom, plainNotes } from './note-text.js';
import { defineStep, type ModelOutput } from './step.js';

export interface TakeNoteInput {
  question: string;
  /** Id of the passage, the only one shown. */
  passage: string;
  /** Its position among the passages of the question. */
  k: number;
}

/** Null when the output stayed unreadable: the passage then has no note. */
export const takeNote = defineStep<TakeNoteInput, WrittenNote | null>({
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
