import type { Passage } from '../core/vocabulary.js';

/** Returns title, line break, text: the same everywhere, so that a passage is embedded once. */
export function passageText({ title, text }: Pick<Passage, 'title' | 'text'>): string {
  return `${title}\n${text}`;
}
