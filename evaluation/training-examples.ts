/** Notes and answers as fine-tuning examples (Chain-of-Note 3.3.3). Pure. */

import type { MethodResult } from '../core/result.js';
import type { PassageRef } from '../core/vocabulary.js';
import type { WrittenNote } from '../steps/outputs/notes.js';

/**
 * Part on which the loss of an example is computed (3.3.3): half the time everything, half the time
 * the answer.
 */
export type Loss = 'notes-and-answer' | 'answer';

/** The part of Chain-of-Note's chain that examples are made from. */
export interface NotedChain {
  passages: PassageRef[];
  notes: WrittenNote[];
}

/** The reply of a training example, which the model learns to write. */
export interface Target {
  notes: string;
  answer: string;
}

/**
 * Returns the target of a question, in the form of the single call; null if it cannot serve as an
 * example: not answered, a passage without a note, or an empty note.
 */
export function targetOf({ outcome, chain, answer }: MethodResult<NotedChain>): Target | null {
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

/** A line of chat fine-tuning data, without its line break: the question's prompt, and the reply. */
export function chatLine(prompt: string, target: Target): string {
  return JSON.stringify({ messages: messagesOf(prompt, target) });
}

function messagesOf(prompt: string, { notes, answer }: Target, reply: object = {}): object[] {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: notes + answer, ...reply },
  ];
}

/**
 * Returns the same with its id and the range of the loss: `train_detail` lists ranges of the reply
 * as Axolotl reads them, in Unicode code points from 0, with an inclusive end.
 */
export function weightedLine(id: string, prompt: string, target: Target, loss: Loss): string {
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
