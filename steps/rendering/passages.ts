/** Passages as text. Pure. */
import type { Passage } from '../../core/vocabulary.js';
import { takenApart } from './quoted.js';

/**
 * Passages as every prompt shows them: between tags, with what could close a tag taken apart, so
 * that no passage can speak outside of its own. Byte-identical for the same passages.
 */
export function renderPassages(passages: readonly Passage[]): string {
  return passages
    .map(({ title, text }, i) => {
      const heading = title === '' ? '' : `Title: ${takenApart(title, 'passage')}\n`;
      return `<passage number="${i + 1}">\n${heading}${takenApart(text, 'passage')}\n</passage>`;
    })
    .join('\n');
}
