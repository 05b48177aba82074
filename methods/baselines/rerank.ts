/** Rerank: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { MOST_CANDIDATES, passageCount } from '../options/options.js';
import { times } from '../planned-call.js';
import { planEach } from './ensemble.js';

const options = z.strictObject({
  passages: passageCount,
  aggregate: z
    .enum(['tfIdf', 'tfIdfAndProbability', 'vote', 'model'])
    .default('tfIdf')
    .describe(
      'how the answers of the passages become one: votes weighted by TF-IDF (SuRe 4.1); that times ' +
        'the probability of the answer, where the endpoint gives it (Lazaridou et al.); equal ' +
        'votes; or the model chooses among the answers',
    ),
});

export type RerankOptions = z.output<typeof options>;

/** An answer from each passage by itself; a vote decides. */
export const rerankMethod: Method<RerankOptions> = {
  name: 'rerank',
  title: 'Rerank: an answer from each passage, then a vote',
  source:
    'Lazaridou et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Rerank"',
  options,
  steps: ['readPassage', 'choose'],
  callsFormula: 'N; N + 1 where the model chooses among two answers or more',
  calls: ({ passages: n, aggregate }) => n + Number(aggregate === 'model'),
  plan: ({ passages: count, aggregate }, given) => {
    const { question, output } = given;
    const passages = given.passages(count);
    const answers = Math.min(passages.length, MOST_CANDIDATES);
    const choices = times(answers, () => output('readPassage'));
    const chosen = aggregate === 'model' && answers > 1;
    return [
      ...planEach(count, given),
      ...(chosen ? [{ step: 'choose' as const, input: { question, passages, choices } }] : []),
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.8/33.9, WebQ 18.8/30.6, 2Wiki 23.0/28.4, HotpotQA 27.8/37.4',
};
