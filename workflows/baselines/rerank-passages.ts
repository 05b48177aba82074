/** Reranking by an embedding or a cross-encoder as a workflow (LLatrieval 4.1; SuRe C.2). */
import { rerankPassagesMethod } from '../../methods/baselines/rerank-passages.js';
import { questionWorkflow } from '../question-workflow.js';
import { readBest } from './read-best.js';

/** Scores each candidate against the question, and reads the k best. */
export const rerankPassages = questionWorkflow(rerankPassagesMethod, async (asked) => {
  const { question, options, step } = asked;
  const { candidates, passages: count, by } = options;
  const passages = await step.retrieve({ query: question, count: candidates });

  const rank = by === 'embedding' ? step.rankBySimilarity : step.rankByCrossEncoder;
  const toRank = { text: question, passages: passages.map(({ id }) => id), count };
  const ranked = passages.length === 0 ? [] : await rank(toRank);
  const best = ranked.map(({ id }) => id);
  return readBest(asked, best, { passages, ranked });
});
