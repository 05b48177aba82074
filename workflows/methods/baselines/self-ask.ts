/** Self-ask (ALLIES, section 5.3; Press et al., 2022). */

import { z } from 'zod';
import { answerKey } from '../../../core/answer-key.js';
import { whole } from '../../../core/options/ranges.js';
import { passagesOf } from '../../../core/passages-read.js';
import { type Conclusion, concluded } from '../../../core/result.js';
import type { Block } from '../../../core/section.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  cards,
  chip,
  passageList,
  readingSection,
  section,
} from '../../../report/views/section-parts.js';
import type { EvidencePair } from '../../../steps/rendering.js';
import type { Sample } from '../../../steps/samples.js';
import type { Question } from '../../algorithm.js';
import { defineMethod } from '../../define-method.js';
import { ballotOf, countVotes } from './voting/vote.js';

/**
 * Schemas of the options of methods that ask follow-up questions: passages for each, and the most
 * follow-ups.
 */
export const followUpOptions = {
  passages: whole(0, 200)
    .default(5)
    .describe(
      'N, passages retrieved for a follow-up (ALLIES table 1: 1, 5 or 10); 0 writes a whole chain in one call, without retrieval, the form of ALLIES (table 4)',
    ),
  maxFollowUps: whole(1, 10)
    .default(4)
    .describe('M, follow-ups of a chain at most (ALLIES names no number: ours)'),
};

const options = z.strictObject(followUpOptions);

type SelfAskOptions = z.output<typeof options>;

/** A follow-up question with its intermediate answer. */
interface FollowUp {
  question: string;
  /** Passages retrieved for it. */
  passages: PassageRef[];
  /** Its answer; null if it could not be read. */
  answer: string | null;
}

/**
 * One chain of follow-up questions with their answers and passages, and the final answer, null if
 * none could be read. It is all of `selfAsk`; other methods sample several.
 */
export interface SelfAskChain {
  followUps: FollowUp[];
  /** The final answer as read; null if it could not be read. */
  answer: string | null;
}

export const selfAsk = defineMethod({
  module: import.meta.url,
  name: 'selfAsk',
  title: 'Self-ask: follow-up questions with intermediate answers',
  source:
    'Press et al., 2022, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  passagesRead: ({ followUps }: SelfAskChain) => followUps.flatMap(passagesOf),
  searches: ({ passages }) => passages > 0,
  facts: {
    iterations: {
      of: ({ followUps }: SelfAskChain) => followUps.length,
      most: ({ maxFollowUps }) => maxFollowUps,
    },
    mostSearches: ({ maxFollowUps }) => maxFollowUps,
  },
  view: (chain: SelfAskChain, context) => [
    ...section('Follow-up questions', followUpCards(chain)),
    ...readingSection(chain.answer, context),
  ],
  figures:
    'with passages 0, the form of ALLIES (table 4: 1 call, no retrieval), EM/F1, GPT-3.5-turbo: NQ 26.4/36.5, TriviaQA 59.4/68.5, WebQ 15.1/29.5; with retrieval ALLIES reports none',

  /** Writes one chain of follow-up questions; its final answer is the answer. */
  async algorithm(asked): Promise<Conclusion<SelfAskChain>> {
    const chain = await chainWriter(asked)();
    const evidence = passagesOfChains([chain]);
    return concluded(chain.answer, evidence, chain);
  },
});

/**
 * Returns report blocks with a card for each follow-up question, with its answer and passages: an
 * array of one block, empty without follow-ups.
 */
export function followUpCards({ followUps }: SelfAskChain): Block[] {
  return cards(
    followUps.map((followUp) => ({
      title: followUp.question,
      chips: [followUp.answer === null ? chip('unreadable', 'warn') : chip(followUp.answer)],
      blocks: passageList(followUp.passages),
    })),
  );
}

/**
 * Returns a function that asks one chain of follow-up questions, as the given sample, and resolves
 * to the chain. Its chains search and answer an equal follow-up only once. If the option
 * `passages` is 0, one call writes the whole chain, and nothing is searched.
 */
export function chainWriter({ question, options, step }: Question<SelfAskOptions>) {
  const { passages: count, maxFollowUps } = options;
  const found = new Map<string, Promise<FollowUp>>();
  return count === 0 ? writeChain : askChain;

  /** Alternates between follow-ups and lookups. A repeated or unreadable follow-up ends the chain. */
  async function askChain(sample?: Sample): Promise<SelfAskChain> {
    const followUps: FollowUp[] = [];
    for (let last = false; ; ) {
      last ||= followUps.length === maxFollowUps;
      const history = followUps.map(({ question, answer }) => ({ question, answer }));
      const next = await step.followUp({ question, history, last, ...(sample && { sample }) });
      if (next !== null && 'answer' in next) return { followUps, answer: next.answer };
      if (last) return { followUps, answer: null };
      if (next === null || askedBefore(followUps, next.followUp)) last = true;
      else followUps.push(await lookUp(next.followUp));
    }
  }

  function lookUp(followUp: string): Promise<FollowUp> {
    const finding = found.get(followUp) ?? find(followUp);
    found.set(followUp, finding);
    return finding;
  }

  async function find(followUp: string): Promise<FollowUp> {
    const retrieved = await step.retrieve({ query: followUp, count });
    const passages = retrieved.map(({ id }) => id);
    const answer = await step.read({ question: followUp, passages, demonstrations: [] });
    return { question: followUp, passages: retrieved, answer };
  }

  /** Writes the whole chain in one call, without retrieval. */
  async function writeChain(sample?: Sample): Promise<SelfAskChain> {
    const written = await step.selfAsk({ question, maxFollowUps, ...(sample && { sample }) });
    const followUps = (written?.followUps ?? []).map((one) => ({ ...one, passages: [] }));
    return { followUps, answer: written?.answer ?? null };
  }
}

/** Returns whether a follow-up was asked before. Letter case and punctuation make no difference. */
function askedBefore(followUps: readonly FollowUp[], question: string): boolean {
  return followUps.some((asked) => answerKey(asked.question) === answerKey(question));
}

/** Returns the distinct ids of all passages that the follow-ups of chains retrieved. */
export function passagesOfChains(chains: readonly SelfAskChain[]): string[] {
  const passages = chains.flatMap(({ followUps }) => followUps.flatMap((one) => one.passages));
  return [...new Set(passages.map(({ id }) => id))];
}

/**
 * Returns an object for each follow-up question of chains: its `question`, and as `evidence` the
 * numbers of its passages (from 1), or its `answer` if it has no passages (Yoran et al., 2023). A
 * chain without follow-ups contributes the question and its answer, or nothing if it has no
 * answer.
 *
 * @param passages Ids of the passages of all chains, in the order shown.
 */
export function evidencePairs(
  question: string,
  chains: readonly SelfAskChain[],
  passages: readonly string[],
): EvidencePair[] {
  return chains.flatMap(({ followUps, answer }): EvidencePair[] => {
    if (followUps.length === 0) return answer === null ? [] : [{ question, answer }];
    return followUps.map((one) => {
      const evidence = one.passages.map(({ id }) => passages.indexOf(id) + 1);
      const { question, answer } = one;
      return evidence.length > 0 ? { question, evidence } : { question, answer };
    });
  });
}

/**
 * Returns the most frequent final answer of chains; of equally frequent ones, the earliest.
 * Answers that differ only in letter case, articles or punctuation are one answer. Null if all are
 * unreadable or "unknown".
 */
export function mostFrequentAnswer(chains: readonly SelfAskChain[]): string | null {
  return countVotes(chains.map(({ answer }) => ballotOf(answer)))[0]?.answer ?? null;
}
