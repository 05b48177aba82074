/** The base reader: options. Pure. */
import { z } from 'zod';
import { answerForm, type FinalReading, planReading } from './baselines/final-reading.js';
import type { Method } from './method.js';
import { demonstrations, optionalPassageCount } from './options/options.js';
import { withoutEffect } from './options/without-effect.js';
import type { PassageRef } from './vocabulary.js';

const shape = { passages: optionalPassageCount, demonstrations, answerForm };

const options = z
  .strictObject(shape)
  .refine(({ passages, answerForm: form }) => passages > 0 || form === 'short', {
    path: ['answerForm'],
    error: 'cites passages, and there are none to cite: leave it out, or retrieve some',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['demonstrations'],
        when: ({ answerForm: form }) => form !== 'short',
        because: 'they are examples of short answers',
      },
    ]),
  );

export type BaseOptions = z.output<typeof options>;

/**
 * Retrieve, then read: the baseline of SuRe's table 1, and with cited answers the retrievers of
 * LLatrieval's. `retrieval.mode` says whether by words, by vectors, or by both.
 */
export const baseMethod: Method<BaseOptions> = {
  name: 'base',
  title: 'Base: retrieve (BM25, dense or hybrid, by retrieval.mode), then read',
  source:
    'SuRe (Kim et al., ICLR 2024), section 4.1 "Base", appendix A.5; LLatrieval (Li et al., NAACL 2024), section 4.1 "Retriever"',
  options,
  steps: ['read', 'answerWithCitations'],
  callsFormula: '1',
  calls: () => 1,
  plan: (chosen, given) => [
    ...(chosen.passages === 0
      ? []
      : [{ step: 'retrieve', input: { query: given.question } } as const]),
    planReading(chosen, given, chosen.demonstrations),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 28.4/38.8, WebQ 19.6/32.5, 2Wiki 27.4/32.8, HotpotQA 30.8/40.3; correctness/citation F1, gpt-3.5-turbo-0301, N=5: BM25 ASQA 51.7/45.7, QAMPARI 17.5/23.3, ELI5 11.7/50.9, BGE-large ASQA 55.9/57.5, QAMPARI 17.3/24.0',
};

export interface BaseChain extends FinalReading {
  passages: PassageRef[];
}
