/** Self-ask in one call: all follow-ups, their intermediate answers and the final answer. */
import { defineStep } from './define.js';
import { inChain } from './labels.js';
import {
  FINAL,
  FOLLOW_UP,
  type LabelledLine,
  labelledLines,
  NEXT_QUESTION,
} from './outputs/labelled.js';
import { inParts, type ModelOutput, type Output, objectSchema } from './outputs/output.js';
import { membersOf } from './outputs/plain.js';
import { answerIn } from './outputs/short-answer.js';
import type { AnsweredFollowUp } from './rendering.js';
import { greedyOr, type Sample, sampleOf } from './samples.js';

export interface SelfAskInput {
  question: string;
  /** M, how many follow-ups to ask at most. */
  maxFollowUps: number;
  /** Which chain; the only one when left out. */
  sample?: Sample;
}

/** A chain as one call wrote it. */
export interface WrittenChain {
  followUps: AnsweredFollowUp[];
  answer: string;
}

const LABELS = { intermediate: 'intermediate answer', followUp: FOLLOW_UP, final: FINAL };

type ChainLine = LabelledLine<keyof typeof LABELS>;

const chain: Output<WrittenChain> = {
  schema: objectSchema({
    followUps: {
      type: 'array',
      items: objectSchema({ question: { type: 'string' }, answer: { type: 'string' } }),
    },
    answer: { type: 'string' },
  }),
  form: 'the follow-ups, and at the end a line that begins with "So the final answer is:"',
  read(output) {
    const lines = jsonLines(output) ?? labelledLines(output, LABELS);
    const end = lines.findLastIndex(({ kind }) => kind === 'final');
    const answer = answerIn(lines[end]?.text ?? '', output);
    if (answer === undefined) return undefined;
    const followUps: AnsweredFollowUp[] = [];
    for (const { kind, text } of lines.slice(0, end)) {
      const open = followUps.at(-1);
      if (kind === 'followUp') followUps.push({ question: text, answer: null });
      else if (open) open.answer ??= answerIn(text, output) ?? null;
    }
    return { followUps, answer };
  },
};

function jsonLines(output: ModelOutput): ChainLine[] | undefined {
  const [followUps, answer] = membersOf(output, ['followUps', 'answer']) ?? [];
  if (!Array.isArray(followUps)) return undefined;
  const lines = followUps.flatMap((one): ChainLine[] => [
    { kind: 'followUp', text: String(Object(one).question ?? '') },
    { kind: 'intermediate', text: String(Object(one).answer ?? '') },
  ]);
  return [...lines, { kind: 'final', text: String(answer) }];
}

export const selfAsk = defineStep<SelfAskInput, WrittenChain | null>({
  name: 'selfAsk',
  label: ({ sample }) => `${inChain(sample)}follow-ups and answer`,
  prompt: 'self-ask',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  sampling: greedyOr,
  sample: sampleOf,
  variables: ({ maxFollowUps }) => ({ count: String(maxFollowUps) }),
  output: chain,
  costliest(longest, { maxFollowUps }) {
    const [answer = '', ...parts] = inParts(longest, 2 * maxFollowUps + 1);
    const followUps = parts.flatMap((question, i) =>
      i % 2 === 0 ? [{ question, answer: parts[i + 1] ?? null }] : [],
    );
    return { followUps, answer };
  },
});
