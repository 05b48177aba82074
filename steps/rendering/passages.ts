import type { Passage } from '../../core/vocabulary.js';
import { takenApart } from './quoted.js';

/**
 * Renders passages between tags that no passage can close, the same for every prompt. The same
 * passages give the same bytes.
 */
export function renderPassages(passages: readonly Passage[]): string {
  return passages
    .map(({ title, text }, i) => {
      const heading = title === '' ? '' : `Title: ${takenApart(title, 'passage')}\n`;
      return `<passage number="${i + 1}">\n${heading}${takenApart(text, 'passage')}\n</passage>`;
    })
    .join('\n');
}
