import { z } from 'zod';
import { whole } from '../../../core/options/ranges.js';
import { passagesOf } from '../../../core/passages-read.js';
import type { Block } from '../../../core/section.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { cards, chip, passages, readingSection, section } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';

/** Options of the methods that ask follow-up questions. */
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

export type SelfAskOptions = z.output<typeof selfAskMethod.options>;

/** A follow-up question with its intermediate answer. */
export interface FollowUp {
  question: string;
  /** What was retrieved for it. */
  passages: PassageRef[];
  /** Null when it could not be read. */
  answer: string | null;
}

export interface SelfAskChain {
  followUps: FollowUp[];
  /** The final answer as read; null when it could not be read. */
  answer: string | null;
}

export const selfAskMethod = defineMethod({
  name: 'selfAsk',
  title: 'Self-ask: follow-up questions with intermediate answers',
  source:
    'Press et al., 2022, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options: z.strictObject(followUpOptions),
  passagesRead: ({ followUps }: SelfAskChain) => followUps.flatMap(passagesOf),
  searches: ({ passages }) => passages > 0,
  view: (chain: SelfAskChain, context) => [
    ...section('Follow-up questions', followUpCards(chain)),
    ...readingSection(chain.answer, context),
  ],
  steps: ['followUp', 'read', 'selfAsk'],
  callsFormula: '2 for each follow-up + 1, at most 2M + 1; 1 without retrieval',
  figures:
    'with passages 0, the form of ALLIES (table 4: 1 call, no retrieval), EM/F1, GPT-3.5-turbo: NQ 26.4/36.5, TriviaQA 59.4/68.5, WebQ 15.1/29.5; with retrieval ALLIES reports none',
});

export function followUpCards({ followUps }: SelfAskChain): Block[] {
  return cards(
    followUps.map((followUp) => ({
      title: followUp.question,
      chips: [followUp.answer === null ? chip('unreadable', 'warn') : chip(followUp.answer)],
      blocks: passages(followUp.passages),
    })),
  );
}
