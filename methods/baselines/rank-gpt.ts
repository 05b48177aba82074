/** RankGPT: options. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import { withoutEffect } from '../options/without-effect.js';
import type { PassageRef } from '../vocabulary.js';
import {
  answerForm,
  candidatePassages,
  type FinalReading,
  planReading,
  readCount,
} from './final-reading.js';
import { planWindows, STRIDE, slidingWindows, WINDOW, type Window } from './sliding-window.js';

const shape = {
  passages: readCount,
  candidates: candidatePassages,
  window: z
    .int()
    .min(2)
    .max(100)
    .default(WINDOW)
    .describe('w, passages put in order by one call (LLatrieval 4.1, its own window: 20)'),
  stride: z
    .int()
    .min(1)
    .max(99)
    .default(STRIDE)
    .describe('s, how far the window moves on, less than w (Sun et al.: 10)'),
  answerForm,
};

const options = z
  .strictObject(shape)
  .refine(({ candidates, window, stride }) => stride < window || candidates <= window, {
    path: ['stride'],
    error: 'must be less than window, or no passage could move from one window to the next',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['stride'],
        when: ({ candidates, window }) => candidates <= window,
        because: 'one window holds all candidates',
      },
    ]),
  );

export type RankGptOptions = z.output<typeof options>;

/** The model puts windows of passages in order, from the last to the first. */
export const rankGptMethod: Method<RankGptOptions> = {
  name: 'rankGpt',
  title: 'RankGPT: rerank by permutations of sliding windows, then read',
  source:
    'Sun et al., EMNLP 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "LLM-reranking"',
  options,
  steps: ['rankPassages', 'read', 'answerWithCitations'],
  callsFormula: '1 + ceil((N - w)/s) windows + 1, which is 5 by default; one window where N <= w',
  calls: ({ candidates, window, stride }) => slidingWindows(candidates, window, stride).length + 1,
  plan: (chosen, given) => [
    { step: 'retrieve', input: { query: given.question } },
    ...planWindows(chosen, given),
    planReading(chosen, given),
  ],
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: ASQA 56.4/58.7, QAMPARI 20.7/29.6, ELI5 13.5/61.6 (N=100: 57.0/59.2, 22.0/30.5, 13.5/60.4)',
};

/** What one call put in order. */
export interface RankedWindow extends Window {
  /** The ids of the window after it, best first. */
  order: string[];
}

export interface RankGptChain extends FinalReading {
  /** In retrieval order. */
  passages: PassageRef[];
  /** From the back to the front. */
  windows: RankedWindow[];
  /** All ids, best first; the first k were read. */
  order: string[];
}
