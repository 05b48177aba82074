import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import type { Section } from '../../core/section.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { cards, chip, passageSection, section, text, titles } from '../../report/views/parts.js';
import { defineMethod } from '../define-method.js';

export interface RetgenIteration {
  query: string;
  /** The passages read, which replace those of the iteration before. */
  passages: PassageRef[];
  /** The model's output, which begins the next query. */
  output: string;
  /** Null if the output has none. */
  answer: string | null;
}

export interface IterRetgenChain {
  /** The passages of the last iteration, on which the answer rests. */
  passages: PassageRef[];
  iterations: RetgenIteration[];
}

/** "Enhancing Retrieval-Augmented Large Language Models with Iterative Retrieval-Generation Synergy". */
export const iterRetgenMethod = defineMethod({
  name: 'iterRetgen',
  title: 'ITER-RETGEN: each output, with the question, is the next query',
  source: 'ITER-RETGEN (Shao et al., Findings of EMNLP 2023)',
  options: z.strictObject({
    passages: whole(1, 200)
      .default(5)
      .describe('k, passages retrieved anew by each iteration (the paper: 5)'),
    iterations: whole(1, 10).default(2).describe('T, iterations (the paper reports 1 to 7: 2)'),
  }),
  view: iterRetgenView,
  steps: ['thinkAndAnswer'],
  callsFormula: 'T, which is 2 by default; as many searches',
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
});

function iterRetgenView({ passages, iterations }: IterRetgenChain): Section[] {
  return [
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
}
