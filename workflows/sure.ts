/** SuRe as a workflow (Kim et al., ICLR 2024, algorithm 1). */
import { answered, unanswered } from '../methods/result.js';
import {
  orderedPairs,
  rankCandidates,
  type SureChain,
  selectCandidate,
  sureMethod,
} from '../methods/sure.js';
import { questionWorkflow } from './question-workflow.js';

/**
 * Names K candidates, writes a summary in support of each, and takes the candidate whose summary
 * is valid and ranks highest. A single candidate is the answer, and the rest is skipped.
 */
export const sure = questionWorkflow(sureMethod, async ({ question, options, step, flag }) => {
  const { candidates: count, demonstrations } = options;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);

  const candidates = await step.generateCandidates({ question, passages, count, demonstrations });
  if (candidates.length < count) {
    flag('fewerCandidates', 'generateCandidates', `${candidates.length} of ${count}`);
  }
  const [only, another] = candidates;
  if (only === undefined || another === undefined) {
    const chain: SureChain = {
      passages: retrieved,
      candidates: candidates.map((text) => ({ text })),
      votes: [],
    };
    return only === undefined
      ? unanswered('unreadable', passages, chain)
      : answered(only, passages, chain);
  }

  // No step waits for more than it reads: a verdict for its summary, a vote for its two.
  const summaries = candidates.map(async (candidate, k) => {
    const summary = await step.summarize({ question, passages, candidates, k });
    return { k, candidate, summary };
  });
  const verdicts = summaries.map(async (summarized) => {
    const { candidate, summary } = await summarized;
    return step.validate({ question, candidate, summary });
  });
  const votes = orderedPairs(summaries).map(async ([one, other]) => {
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
});
