/** SuRe (Kim et al., ICLR 2024, algorithm 1). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { answered, type Conclusion } from '../../../core/result.js';
import { passageSection } from '../../../report/views/section-parts.js';
import type { PairChoice, PositionedSummary } from '../../../steps/sure.js';
import type { Question } from '../../algorithm.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, optionsOf, passageCount } from '../options.js';
import { findCandidates, withoutChoice } from './candidates.js';
import {
  candidateSection,
  type PairVote,
  type SureCandidate,
  type SureChain,
  voteSection,
} from './chain.js';

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
  facts: {
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
 * Returns the candidates with their summaries, verdicts and ranks, and the votes (SuRe, algorithm
 * 1, lines 3 to 5). `votes` is empty and ranks are missing if `selection` is "validity"; verdicts
 * are missing if it is "ranking". A step waits only for its inputs: a verdict for its summary, a
 * vote for its two. Without a call, a candidate with an empty summary is invalid and loses every
 * pair, and two such candidates tie, because models call an empty passage valid one time in six.
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
        choiceForEmptySummary(first, second) ??
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

/** Returns every pair of different items in both orders (SuRe 3.3). */
export function orderedPairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, i) =>
    items.flatMap((second, j): [T, T][] => (i === j ? [] : [[first, second]])),
  );
}

/**
 * Returns the choice between two summaries of which one or both are empty: the one that is not
 * empty, or 'tie'; undefined if neither is empty.
 */
export function choiceForEmptySummary(
  { summary: first }: { summary: string },
  { summary: second }: { summary: string },
): PairChoice | undefined {
  if (first !== '' && second !== '') return undefined;
  if (first === second) return 'tie';
  return first === '' ? 'second' : 'first';
}

/**
 * Returns the fields `candidates` and `votes` of SuRe's chain: each candidate, in the given order,
 * with its summary, `valid` (its verdict, v) and `rank` (the sum of its pair scores, r: 1 for a
 * win, 0.5 for a tie), and the votes as given.
 *
 * @param verdicts In the order of the candidates; if empty, `valid` is left out.
 * @param votes If empty, `rank` is left out.
 */
export function rankCandidates(
  summaries: readonly { candidate: string; summary: string }[],
  verdicts: readonly boolean[],
  votes: PairVote[],
): Pick<SureChain, 'candidates' | 'votes'> {
  const ranks = votes.length === 0 ? [] : rankScores(summaries.length, votes);
  const candidates = summaries.map(({ candidate, summary }, k) => {
    const [valid, rank] = [verdicts[k], ranks[k]];
    return {
      text: candidate,
      summary,
      ...(valid === undefined ? {} : { valid }),
      ...(rank === undefined ? {} : { rank }),
    };
  });
  return { candidates, votes };
}

/**
 * Returns the rank score r_k of each of `count` candidates: for every pair, the winner gets 1 and
 * the loser 0; if the votes in the two orders disagree, both get 0.5 (SuRe eq. 5). If one of the
 * votes is unreadable, the other decides; if both are, both candidates get 0.5.
 */
export function rankScores(count: number, votes: readonly PairVote[]): number[] {
  const positions = Array.from({ length: count }, (_, k) => k);
  return positions.map((k) =>
    positions
      .filter((i) => i !== k)
      .map((i) => pairScore(votes.flatMap((vote) => scoreInVote(vote, k, i) ?? [])))
      .reduce((sum, score) => sum + score, 0),
  );
}

/** Returns r_pair from the readable votes of a pair. */
function pairScore([one, other = one]: readonly number[]): number {
  return one !== undefined && one === other ? one : 0.5;
}

/** Returns the score of candidate k in a vote against candidate i; null for any other vote. */
function scoreInVote({ first, second, choice }: PairVote, k: number, i: number): number | null {
  const asFirst = first === k && second === i;
  const asSecond = first === i && second === k;
  if (choice === null || !(asFirst || asSecond)) return null;
  if (choice === 'tie') return 0.5;
  return (choice === 'first') === asFirst ? 1 : 0;
}

/**
 * Returns the candidate with the highest sum of validity (v: 1 or 0) and rank score (r); of equal
 * ones, the earlier (eq. 6, 4.1). There must be at least one.
 */
export function selectCandidate(candidates: readonly SureCandidate[]): SureCandidate {
  const score = ({ valid = false, rank = 0 }: SureCandidate) => Number(valid) + rank;
  return candidates.reduce((best, candidate) =>
    score(candidate) > score(best) ? candidate : best,
  );
}
