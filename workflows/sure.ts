/** SuRe as a workflow (Kim et al., ICLR 2024, algorithm 1). */
import { withoutChoice } from '../methods/candidates.js';
import { answered, type Conclusion } from '../methods/result.js';
import {
  orderedPairs,
  rankCandidates,
  type SureChain,
  type SureOptions,
  selectCandidate,
  sureMethod,
} from '../methods/sure.js';
import { findCandidates } from './candidates.js';
import { type Question, questionWorkflow } from './question-workflow.js';

export const sure = questionWorkflow(sureMethod, summarizedRetrieval);

/**
 * Names K candidates, writes a summary in support of each, and takes the candidate whose summary
 * is valid and ranks highest. A single candidate is the answer, and the rest is skipped.
 */
export async function summarizedRetrieval(
  asked: Question<SureOptions>,
): Promise<Conclusion<SureChain>> {
  const { question, step } = asked;
  const { selection } = asked.options;
  const { retrieved, passages, candidates } = await findCandidates(asked);
  const unjudged = candidates.map((text) => ({ text }));
  const ended = withoutChoice(candidates, passages, {
    passages: retrieved,
    candidates: unjudged,
    votes: [],
  });
  if (ended) return ended;

  // No step waits for more than it reads: a verdict for its summary, a vote for its two.
  const summaries = candidates.map(async (candidate, k) => {
    const summary = await step.summarize({ question, passages, candidates, k });
    return { k, candidate, summary };
  });
  const verdicts = (selection === 'ranking' ? [] : summaries).map(async (summarized) => {
    const { candidate, summary } = await summarized;
    return step.validate({ question, candidate, summary });
  });
  const pairs = selection === 'validity' ? [] : orderedPairs(summaries);
  const votes = pairs.map(async ([one, other]) => {
    const [first, second] = await Promise.all([one, other]);
    return {
      first: first.k,
      second: second.k,
      choice: await step.rankPair({ question, first, second }),
    };
  });

  const judged = rankCandidates(
    ...(await Promise.all([Promise.all(summaries), Promise.all(verdicts), Promise.all(votes)])),
  );
  return answered(selectCandidate(judged.candidates).text, passages, {
    passages: retrieved,
    ...judged,
  });
}
