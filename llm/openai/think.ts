/** Takes the thinking out of an answer. */

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Removes the `<think>…</think>` blocks that open reasoning models put before their answer.
 *
 * Thinking that was cut before its end leaves no answer: empty, and cut. Chat templates that write
 * the opening tag into the prompt leave only the closing one.
 */
export function withoutThinking(content: string): { text: string; cut: boolean } {
  let text = content;
  while (text.trimStart().startsWith(OPEN)) {
    const end = text.indexOf(CLOSE);
    if (end < 0) return { text: '', cut: true };
    text = text.slice(end + CLOSE.length).trimStart();
  }
  const orphan = text.indexOf(CLOSE);
  if (orphan >= 0 && !text.slice(0, orphan).includes(OPEN)) {
    text = text.slice(orphan + CLOSE.length).trimStart();
  }
  return { text, cut: false };
}
