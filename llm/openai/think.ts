/** Takes the thinking out of an answer. */
import type { Completion } from '../language-model.js';

const OPEN = '<think>';
const CLOSE = '</think>';

/** What is known of an answer beside its text. */
export interface AnswerEnd {
  /** The model was stopped at the token limit. */
  atLimit: boolean;
  /** It had thoughts that are not part of the text. */
  apart: boolean;
}

/**
 * The answer without the thoughts before it, and how much of it was thinking.
 *
 * Where there is no text at the limit, all tokens went into thoughts, shown or not.
 */
export function readThinking(
  content: string,
  { atLimit, apart }: AnswerEnd,
): Pick<Completion, 'text' | 'cut' | 'thinking'> {
  const { text, cut, thought } = withoutThinking(content);
  if (text === '' && (cut || atLimit)) return { text, cut: true, thinking: 'all' };
  return { text, cut: atLimit, ...((thought || apart) && { thinking: 'some' }) };
}

/**
 * Removes the `<think>…</think>` blocks that open reasoning models put before their answer.
 *
 * Thinking that was cut before its end leaves no answer: empty, and cut. Chat templates that write
 * the opening tag into the prompt leave only the closing one. An empty block is no thought: models
 * whose thinking was turned off write one.
 */
export function withoutThinking(content: string): { text: string; cut: boolean; thought: boolean } {
  let text = content;
  let thought = false;
  while (text.trimStart().startsWith(OPEN)) {
    const end = text.indexOf(CLOSE);
    if (end < 0) return { text: '', cut: true, thought: true };
    thought ||= text.slice(text.indexOf(OPEN) + OPEN.length, end).trim() !== '';
    text = text.slice(end + CLOSE.length).trimStart();
  }
  const orphan = text.indexOf(CLOSE);
  if (orphan >= 0 && !text.slice(0, orphan).includes(OPEN)) {
    thought ||= text.slice(0, orphan).trim() !== '';
    text = text.slice(orphan + CLOSE.length).trimStart();
  }
  return { text, cut: false, thought };
}
