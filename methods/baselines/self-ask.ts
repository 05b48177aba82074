/** Self-ask: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { type Given, type PlannedCall, times } from '../planned-call.js';
import type { PassageRef } from '../vocabulary.js';

/** Options of the methods that ask follow-up questions. */
export const followUpOptions = {
  passages: z
    .int()
    .min(0)
    .max(200)
    .default(5)
    .describe(
      'N, passages retrieved for a follow-up (ALLIES table 1: 1, 5 or 10); 0 writes a whole chain in one call, without retrieval, the form of ALLIES (table 4)',
    ),
  maxFollowUps: z
    .int()
    .min(1)
    .max(10)
    .default(4)
    .describe('M, follow-ups of a chain at most (ALLIES names no number: ours)'),
};

const options = z.strictObject(followUpOptions);

export type SelfAskOptions = z.output<typeof options>;

/** Follow-up questions, each with an intermediate answer, until the final answer can be given. */
export const selfAskMethod: Method<SelfAskOptions> = {
  name: 'selfAsk',
  title: 'Self-ask: follow-up questions with intermediate answers',
  source:
    'Press et al., 2022, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  steps: ['followUp', 'read', 'selfAsk'],
  callsFormula: '2 for each follow-up + 1, at most 2M + 1; 1 without retrieval',
  calls: chainCalls,
  plan: planChain,
  figures:
    'with passages 0, the form of ALLIES (table 4: 1 call, no retrieval), EM/F1, GPT-3.5-turbo: NQ 26.4/36.5, TriviaQA 59.4/68.5, WebQ 15.1/29.5; with retrieval ALLIES reports none',
};

/** Model calls of one chain, at most. */
export function chainCalls({ passages, maxFollowUps }: SelfAskOptions): number {
  return passages === 0 ? 1 : 2 * maxFollowUps + 1;
}

/** The steps of one chain, at most. */
export function planChain(
  { passages: count, maxFollowUps }: SelfAskOptions,
  { question, passages, output }: Given,
): PlannedCall[] {
  if (count === 0) return [{ step: 'selfAsk', input: { question, maxFollowUps } }];
  const asked = { question: output('followUp'), answer: output('read') };
  const followUp = (answered: number, last: boolean): PlannedCall => ({
    step: 'followUp',
    input: { question, history: times(answered, () => asked), last },
  });
  const lookUp: PlannedCall[] = [
    { step: 'retrieve', input: { query: asked.question } },
    {
      step: 'read',
      input: { question: asked.question, passages: passages(count), demonstrations: [] },
    },
  ];
  const rounds = times(maxFollowUps, (answered) => [followUp(answered, false), ...lookUp]);
  return [...rounds.flat(), followUp(maxFollowUps, true)];
}

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
