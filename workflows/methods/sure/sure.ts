/** SuRe (Kim et al., ICLR 2024, algorithm 1). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { answered, type Conclusion } from '../../../core/result.js';
import { passageSection } from '../../../report/views/parts.js';
import type { PositionedSummary } from '../../../steps/sure.js';
import type { Question } from '../../algorithm.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, optionsOf, passageCount } from '../options.js';
import {
  choiceWithoutAsking,
  findCandidates,
  orderedPairs,
  rankCandidates,
  selectCandidate,
  withoutChoice,
} from './candidates.js';
import { candidateSection, type SureChain, voteSection } from './chain.js';

const options = optionsOf(
  {
    passages: passageCount,
    candidates: candidateCount,
    demonstrations,
    selection: z
      .enum(['validityAndRanking', 'ranking', 'validity'])
      .default('validityAndRanking')
      .describe('what decides among the candidates (SuRe 3.3: both; 4.3, table 3: ranking only)'),
    answerForm: z
      .enum(['short', 'prose'])
      .default('short')
      .describe('candidates of at most 3 words, or of a paragraph each (SuRe B.4, table 8: ASQA)'),
  },
  {
    unread: {
      demonstrations: ({ answerForm }) =>
        answerForm === 'prose' && 'examples are of answers in a few words',
    },
  },
);

/** Options of `sure` (SuRe, summarized retrieval), with all defaults. */
export type SureOptions = z.output<typeof options>;

/**
 * The method `sure`: names answer candidates, summarises the passages in support of each, and chooses
 * the best supported ("SuRe: Summarizing Retrievals using Answer Candidates for Open-domain QA of
 * LLMs").
 */
export const sure = defineMethod({
  module: import.meta.url,
  name: 'sure',
  title: 'SuRe: summarized retrieval',
  source: 'SuRe (Kim et al., ICLR 2024), section 3, algorithm 1',
  options,
  passagesRead: chainPassages,
  form: ({ answerForm }) => answerForm,
  tells: {
    candidates: ({ candidates }: SureChain) =>
      candidates.map(({ text, summary }) => ({ text, rationale: summary })),
    texts: {
      summaries: ({ candidates }: SureChain) => candidates.flatMap(({ summary = [] }) => summary),
    },
  },
  view: ({ passages, candidates, votes }: SureChain, { answer }) => [
    ...candidateSection(candidates, votes, (candidate) => ({ chosen: candidate.text === answer })),
    ...voteSection(candidates, votes),
    ...passageSection(passages),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 33.5/42.3, WebQ 25.1/36.6, 2Wiki 32.8/38.1, HotpotQA 33.2/43.4',

  /**
   * Names K candidates, writes a summary in support of each, and takes the candidate whose summary
   * is valid and ranks highest. A single candidate is the answer, and the rest is skipped.
   */
  async algorithm(asked): Promise<Conclusion<SureChain>> {
    const { selection } = asked.options;
    const { retrieved, passages, candidates } = await findCandidates(asked);
    const unjudged = candidates.map((text) => ({ text }));
    const ended = withoutChoice(candidates, passages, {
      passages: retrieved,
      candidates: unjudged,
      votes: [],
    });
    if (ended) return ended;

    const judged = await judgeCandidates(asked, selection, passages, candidates);
    return answered(selectCandidate(judged.candidates).text, passages, {
      passages: retrieved,
      ...judged,
    });
  },
});

/**
 * Returns the candidates with their summaries, verdicts and ranks (algorithm 1, lines 3 to 5). A
 * step waits only for its inputs: a verdict for its summary, a vote for its two. A candidate with an
 * empty summary is invalid and loses its pairs without a call, because models call an empty passage
 * valid one time in six.
 *
 * @param passages Ids.
 */
export async function judgeCandidates(
  { question, step }: Omit<Question<unknown>, 'options'>,
  selection: SureOptions['selection'],
  passages: string[],
  candidates: string[],
): Promise<Pick<SureChain, 'candidates' | 'votes'>> {
  const summaries = candidates.map(async (candidate, k) => {
    const summary = await step.summarize({ question, passages, candidates, k });
    return { k, candidate, summary };
  });
  const verdicts = (selection === 'ranking' ? [] : summaries).map(async (summarized) => {
    const { candidate, summary } = await summarized;
    return summary === '' ? false : step.validate({ question, candidate, summary });
  });
  const pairs = selection === 'validity' ? [] : orderedPairs(summaries);
  const votes = pairs.map(async ([one, other]) => {
    const [first, second] = await Promise.all([one, other]);
    return {
      first: first.k,
      second: second.k,
      choice:
        choiceWithoutAsking(first, second) ??
        (await step.rankPair({ question, first: shown(first), second: shown(second) })),
    };
  });
  return rankCandidates(
    ...(await Promise.all([Promise.all(summaries), Promise.all(verdicts), Promise.all(votes)])),
  );
}

/** Returns the part of a candidate that the prompt of a vote shows. */
function shown({ k, summary }: PositionedSummary): PositionedSummary {
  return { k, summary };
}
