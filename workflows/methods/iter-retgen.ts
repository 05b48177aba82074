/** ITER-RETGEN (Shao et al., Findings of EMNLP 2023). */

import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import { chainPassages } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { Section } from '../../core/section.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  cards,
  chip,
  passageSection,
  section,
  text,
  titleList,
} from '../../report/views/section-parts.js';
import { defineMethod } from '../define-method.js';
import { thoughtDemonstrations } from './options.js';

const options = z.strictObject({
  passages: whole(1, 200)
    .default(5)
    .describe('k, passages retrieved anew by each iteration (the paper: 5)'),
  iterations: whole(1, 10).default(2).describe('T, iterations (the paper reports 1 to 7: 2)'),
  demonstrations: thoughtDemonstrations,
});

/**
 * One iteration of `iterRetgen`: the query, the passages read, the output written, and the answer
 * in it; null if it has none.
 */
export interface RetgenIteration {
  query: string;
  /** The passages read; they replace those of the previous iteration. */
  passages: PassageRef[];
  /** The model's output, with which the next query begins. */
  output: string;
  /** The answer in the output; null if it has none. */
  answer: string | null;
}

/** The chain of `iterRetgen`: its iterations, and the passages of the last one. */
export interface IterRetgenChain {
  /** The passages of the last iteration, on which the answer rests. */
  passages: PassageRef[];
  iterations: RetgenIteration[];
}

/**
 * The method `iterRetgen`: alternates between retrieval and generation, with each output as part of
 * the next query ("Enhancing Retrieval-Augmented Large Language Models with Iterative
 * Retrieval-Generation Synergy").
 */
export const iterRetgen = defineMethod({
  module: import.meta.url,
  name: 'iterRetgen',
  title: 'ITER-RETGEN: each output, with the question, is the next query',
  source: 'ITER-RETGEN (Shao et al., Findings of EMNLP 2023)',
  options,
  passagesRead: chainPassages,
  facts: {
    iterations: {
      of: ({ iterations }: IterRetgenChain) => iterations.length,
      most: ({ iterations }) => iterations,
    },
    mostSearches: ({ iterations }) => iterations,
    documentsSeen: {
      of: ({ iterations }: IterRetgenChain) =>
        new Set(iterations.flatMap(({ passages }) => passages.map(({ id }) => id))).size,
      most: ({ iterations, passages }) => iterations * passages,
    },
    texts: { outputs: ({ iterations }: IterRetgenChain) => iterations.map(({ output }) => output) },
  },
  view: iterRetgenView,
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',

  /**
   * Alternates between retrieval and answers. Each output is searched with beside the question, and
   * the results replace the previous passages. The answer is that of the last iteration.
   */
  async algorithm(asked): Promise<Conclusion<IterRetgenChain>> {
    const { question, options, step } = asked;
    // A question that began before there was the option has none.
    const { demonstrations = [] } = options;
    const shown = demonstrations.length > 0 && { demonstrations };
    const iterations: RetgenIteration[] = [];
    let query = question;
    for (let iteration = 0; iteration < options.iterations; iteration++) {
      const passages = await step.retrieve({ query, count: options.passages });
      const ids = passages.map(({ id }) => id);
      const written = await step.thinkAndAnswer({
        question,
        passages: ids,
        iteration,
        ...shown,
      });
      iterations.push({ query, passages, ...written });
      query = nextQuery(question, written.output);
    }

    const { passages = [], answer = null } = iterations.at(-1) ?? {};
    const evidence = passages.map(({ id }) => id);
    const chain = { passages, iterations };
    return concluded(answer, evidence, chain);
  },
});

function iterRetgenView({ passages, iterations }: IterRetgenChain): Section[] {
  return [
    ...section(
      'Iterations',
      cards(
        iterations.map(({ query, passages: found, output, answer }, i) => ({
          title: `Iteration ${i + 1}`,
          chips: [answer === null ? chip('unreadable', 'warn') : chip(answer)],
          // The first query is the question; each later one begins with the previous output.
          blocks: [
            ...text(i === 0 ? query : null, 'Query'),
            ...text(output, 'Output'),
            ...titleList(found),
          ],
        })),
      ),
      { note: `${iterations.length}` },
    ),
    ...passageSection(passages),
  ];
}

/** Returns the output and the question on one line; an empty output is left out. */
function nextQuery(question: string, output: string): string {
  return `${output} ${question}`.replace(/\s+/g, ' ').trim();
}
