/** Reranking by an embedding or a cross-encoder: options. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import type { PassageRef } from '../vocabulary.js';
import { answerForm, candidatePassages, type FinalReading, readCount } from './final-reading.js';

const options = z.strictObject({
  passages: readCount,
  candidates: candidatePassages,
  by: z
    .enum(['embedding', 'crossEncoder'])
    .default('embedding')
    .describe(
      'what scores the passages: the cosine of embeddings (SuRe C.2), or the cross-encoder that the worker has set up (LLatrieval 4.1 "Re-ranker")',
    ),
  answerForm,
});

export type RerankPassagesOptions = z.output<typeof options>;

/** Retrieve many passages, score each against the question, read the best. */
export const rerankPassagesMethod: Method<RerankPassagesOptions> = {
  name: 'rerankPassages',
  title: 'Rerank passages by an embedding or a cross-encoder, then read',
  source:
    'LLatrieval (Li et al., NAACL 2024), section 4.1 "Re-ranker"; SuRe (Kim et al., ICLR 2024), appendix C.2',
  options,
  callsFormula: '2, the reranking included',
  calls: () => 2,
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: BGE-R-large ASQA 55.3/58.1, QAMPARI 20.7/28.5, ELI5 13.9/63.6; monoT5-3B 54.0/56.6, 20.3/30.0, 13.9/61.7',
};

export interface RerankPassagesChain extends FinalReading {
  /** In retrieval order. */
  passages: PassageRef[];
  /** Those that were read, best first, with the reranker's scores. */
  ranked: PassageRef[];
}
