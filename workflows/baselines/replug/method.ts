import { z } from 'zod';
import { positive } from '../../../core/options/ranges.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../../options.js';
import { ensembleView } from '../voting/view.js';

export type ReplugOptions = z.output<typeof replugMethod.options>;

export const replugMethod = defineMethod({
  name: 'replug',
  title: 'RePlug: answers of the passages, weighted by similarity or retrieval score',
  source: 'Shi et al., 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "RePlug"',
  options: z.strictObject({
    passages: passageCount,
    weights: z
      .enum(['retrieval', 'embedding'])
      .default('embedding')
      .describe(
        'scores that the passages weigh by: the cosine to the question (SuRe 4.1: embeddings), or those of the search',
      ),
    temperature: positive(1000)
      .default(1)
      .describe(
        'of the softmax over the scores (Shi et al.: 1); cosines lie close together, those of BM25 so far apart that the first passage has most of the weight',
      ),
    probabilities: z
      .boolean()
      .default(true)
      .describe('weigh an answer by its probability too, where the endpoint gives it'),
  }),
  view: ensembleView,
  steps: ['readPassage'],
  callsFormula: 'N, and 1 for the embeddings where they weigh',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, weights from Contriever: NQ 26.0/35.3, WebQ 18.8/31.5, 2Wiki 23.6/28.5, HotpotQA 28.0/37.9',
});
