/** Fine-tuning examples of notes and answers (Chain-of-Note 3.3.3). Pure. */

import type { MethodResult } from '../core/result.js';
import type { PassageRef } from '../core/vocabulary.js';
import type { WrittenNote } from '../steps/outputs/notes.js';

/**
 * Part of the reply on which the loss of an example is computed (3.3.3): half of the examples use
 * each.
 */
export type Loss = 'notes-and-answer' | 'answer';

/** The part of Chain-of-Note's chain that training examples need. */
export interface NotedChain {
  passages: PassageRef[];
  notes: WrittenNote[];
}

/** The reply of a training example, which the model learns to write. */
export interface TrainingTarget {
  notes: string;
  answer: string;
}

/**
 * Returns the reply that a model should learn for a question, in the form of the single call; null
 * if it is no example: not answered, a passage without a note, or an empty note.
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
 * Returns a line of chat fine-tuning data, without line break: the question's prompt, and the
 * reply.
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
 * Returns a line of fine-tuning data with its id and the ranges of the loss: `train_detail` lists
 * ranges of the reply as Axolotl reads them, in Unicode code points from 0, with an inclusive end.
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
