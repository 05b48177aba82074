import { defineStep } from './define.js';
import { inChain } from './labels.js';
import { ifShown } from './oracles.js';
import { FINAL, FOLLOW_UP, labelledLine } from './outputs/labelled.js';
import { mapped, type Output } from './outputs/output.js';
import { answerIn, shortAnswer } from './outputs/short-answer.js';
import { type AnsweredFollowUp, renderFollowUps } from './rendering.js';
import { greedyOr, type Sample, sampleOf } from './samples.js';

export interface FollowUpInput {
  question: string;
  /** Oldest first. */
  history: AnsweredFollowUp[];
  /** Whether the final answer is due, because no more can be asked. */
  last: boolean;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** The next part of a chain. */
export type NextInChain = { followUp: string } | { answer: string };

/** Null when the output stayed unreadable; never a follow-up where the final answer is due. */
export const followUp = defineStep<FollowUpInput, NextInChain | null>({
  name: 'followUp',
  label: ({ history, last, sample }) =>
    `${inChain(sample)}${last ? 'the final answer' : `follow-up ${history.length + 1}`}`,
  prompt: 'follow-up',
  maxTokens: 128,
  sampling: greedyOr,
  sample: sampleOf,
  variables: ({ history, last }) => ({
    history: renderFollowUps(history),
    last: last ? 'yes' : '',
  }),
  output: ({ last }) => (last ? finalAnswer : next),
  costliest: (longest, { last }) => (last ? { answer: longest } : { followUp: longest }),
  oracle({ history }, gold) {
    const found = history.flatMap((one) => one.answer ?? []);
    return ifShown(gold, (answer) => ({ answer }), found);
  },
});

const finalAnswer: Output<NextInChain> = mapped(
  shortAnswer({ form: 'one line that begins with "So the final answer is:"' }),
  (answer) => ({ answer }),
);

const next: Output<NextInChain> = mapped(
  labelledLine(
    { followUp: FOLLOW_UP, answer: FINAL },
    'one line that begins with "So the final answer is:" or with "Follow up:"',
  ),
  ({ kind, text }, output) => {
    if (kind === 'followUp') return { followUp: text };
    const answer = answerIn(text, output);
    return answer === undefined ? undefined : { answer };
  },
);
