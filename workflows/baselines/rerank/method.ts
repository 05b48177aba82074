import { z } from 'zod';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../../options.js';
import { ensembleView } from '../voting/view.js';

export type RerankOptions = z.output<typeof rerankMethod.options>;

export const rerankMethod = defineMethod({
  name: 'rerank',
  title: 'Rerank: an answer from each passage, then a vote',
  source:
    'Lazaridou et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Rerank"',
  options: z.strictObject({
    passages: passageCount,
    aggregate: z
      .enum(['tfIdf', 'tfIdfAndProbability', 'vote', 'model'])
      .default('tfIdf')
      .describe(
        'how the answers of the passages become one: votes weighted by TF-IDF (SuRe 4.1); that times ' +
          'the probability of the answer, where the endpoint gives it (Lazaridou et al.); equal ' +
          'votes; or the model chooses among the answers',
      ),
  }),
  view: ensembleView,
  steps: ['readPassage', 'choose'],
  callsFormula: 'N; N + 1 where the model chooses among two answers or more',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.8/33.9, WebQ 18.8/30.6, 2Wiki 23.0/28.4, HotpotQA 27.8/37.4',
});
