/** ITER-RETGEN: what each iteration searched with, read and wrote. Pure. */

import type { View } from '../../core/view.js';
import { cards, chip, passageSection, section, text, titles } from '../../report/views/parts.js';
import type { IterRetgenChain } from './options.js';

export const iterRetgenView: View<IterRetgenChain> = ({ passages, iterations }) => [
  ...section(
    'Iterations',
    cards(
      iterations.map(({ query, passages: found, output, answer }, i) => ({
        title: `Iteration ${i + 1}`,
        chips: [answer === null ? chip('unreadable', 'warn') : chip(answer)],
        // The first query is the question, and each later one begins with the output before it.
        blocks: [
          ...text(i === 0 ? query : null, 'Query'),
          ...text(output, 'Output'),
          ...titles(found),
        ],
      })),
    ),
    { note: `${iterations.length}` },
  ),
  ...passageSection(passages),
];
