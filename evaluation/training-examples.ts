/** Builds fine-tuning examples of notes and answers (Chain-of-Note 3.3.3). Pure. */

import type { MethodResult } from '../core/result.js';
import type { PassageRef } from '../core/vocabulary.js';
import type { WrittenNote } from '../steps/outputs/notes.js';

/**
 * The part of an example's reply on which the loss is computed. In the paper, half of the examples
 * use each (3.3.3).
 */
export type Loss = 'notes-and-answer' | 'answer';

/**
 * The fields of Chain-of-Note's chain that training examples need: the passages, and the note on
 * each.
 */
export interface NotedChain {
  passages: PassageRef[];
  notes: WrittenNote[];
}

/**
 * The reply that a model learns in a training example, as two consecutive texts: the numbered
 * notes on the passages, one a line (`notes`), and after them the line "Answer: ..." (`answer`).
 */
export interface TrainingTarget {
  /** The numbered notes, one a line, each line with its line feed. */
  notes: string;
  /** The line "Answer: ...", without a line feed. */
  answer: string;
}

/**
 * Returns the reply that a model should learn for a question, in the form of the single call;
 * "unknown" counts as an answer. Null if the question is no example: it was not answered, it has no
 * passages, or a passage has no note or an empty one.
 */
export function trainingTarget({
  outcome,
  chain,
  answer,
}: MethodResult<NotedChain>): TrainingTarget | null {
  const final = outcome === 'unknown' ? 'unknown' : answer;
  if (!chain || final === null || chain.passages.length === 0) return null;
  const complete =
    chain.notes.length === chain.passages.length && chain.notes.every(({ text }) => text !== '');
  return complete
    ? { notes: chain.notes.map(noteLine).join(''), answer: `Answer: ${oneLine(final)}` }
    : null;
}

function noteLine({ type, text }: WrittenNote, i: number): string {
  return `Note ${i + 1}${type === null ? '' : ` (${type})`}: ${oneLine(text)}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Returns a training example as one line of JSON for chat fine-tuning, without a line feed: the
 * prompt as the user's message and the reply as the assistant's.
 */
export function chatLine(prompt: string, target: TrainingTarget): string {
  return JSON.stringify({ messages: messagesOf(prompt, target) });
}

function messagesOf(
  prompt: string,
  { notes, answer }: TrainingTarget,
  reply: object = {},
): object[] {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: notes + answer, ...reply },
  ];
}

/**
 * Returns an example as a line of fine-tuning data, without a line feed, with its id.
 * `train_detail` lists the ranges of the notes and of the answer, and whether the loss is computed
 * on each, as Axolotl reads them: in Unicode code points from 0, with an inclusive end.
 */
export function weightedLine(
  id: string,
  prompt: string,
  target: TrainingTarget,
  loss: Loss,
): string {
  const { notes, answer } = target;
  const start = [...notes].length;
  const end = start + [...answer].length - 1;
  const messages = messagesOf(prompt, target, {
    train_detail: [
      { begin_offset: 0, end_offset: start - 1, train: loss === 'notes-and-answer' },
      { begin_offset: start, end_offset: end, train: true },
    ],
  });
  return JSON.stringify({ id, loss, messages });
}
