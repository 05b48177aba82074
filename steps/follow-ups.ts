/** Steps of methods that ask chains of follow-up questions: self-ask and multi-chain reasoning. */
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { fromShownAnswer } from './oracles.js';
import {
  FINAL_LABEL,
  FOLLOW_UP_LABEL,
  type LabelledLine,
  labelledLines,
  nextOrAnswer,
  type Reasoned,
  reasoned,
} from './outputs/labelled.js';
import {
  type ModelOutput,
  mapped,
  type Output,
  objectSchema,
  splitEvenly,
} from './outputs/output.js';
import { jsonMembers } from './outputs/plain.js';
import {
  answerFromJson,
  answerFromLine,
  NEXT_QUESTION,
  shortAnswer,
} from './outputs/short-answer.js';
import {
  type AnsweredFollowUp,
  type EvidencePair,
  renderEvidencePairs,
  renderFollowUps,
} from './rendering.js';
import { type Sample, type SampledInput, sampledStepFields } from './samples.js';

/** Number of words that the prompts ask for in an answer. */
const WORDS = 3;

/** Returns the number of a call's chain, for its label. */
function inChain(sample: Sample | undefined): string {
  return sample ? `chain ${sample.k + 1}, ` : '';
}

/**
 * The input of the step that writes the next follow-up question of a chain: the question, the
 * follow-ups so far, and whether the model must answer now. The number of the sample is that of
 * the chain.
 */
export interface FollowUpInput extends SampledInput {
  question: string;
  /** Follow-up questions with their answers, oldest first. */
  history: AnsweredFollowUp[];
  /** Whether the model must answer now, because no further follow-up is allowed. */
  last: boolean;
}

/** The next part of a chain: a follow-up question, or the answer. */
type NextInChain = { followUp: string } | { answer: string };

/**
 * Declaration of a step of self-ask: writes the next follow-up question of a chain, or the answer.
 * Its output is `{ followUp }` or `{ answer }`, the answer if `last` is set; null if the model's
 * reply stayed unreadable.
 */
export const followUp = defineStep<FollowUpInput, NextInChain | null>({
  name: 'followUp',
  label: ({ history, last, sample }) =>
    `${inChain(sample)}${last ? 'the final answer' : `follow-up ${history.length + 1}`}`,
  prompt: 'follow-up',
  maxTokens: 128,
  ...sampledStepFields,
  variables: ({ history, last }) => ({
    history: renderFollowUps(history),
    last: last ? 'yes' : '',
  }),
  output: ({ last }) => (last ? finalAnswer : next),
  costliest: (longest, { last }) => (last ? { answer: longest } : { followUp: longest }),
  oracle({ history }, gold) {
    const found = history.flatMap((one) => one.answer ?? []);
    return fromShownAnswer(gold, (answer) => ({ answer }), found);
  },
});

const finalAnswer: Output<NextInChain> = mapped(
  shortAnswer({ words: WORDS, form: 'one line that begins with "So the final answer is:"' }),
  (answer) => {
    const asked = labelledLines({ text: answer, cut: false }, { followUp: FOLLOW_UP_LABEL });
    return asked.length > 0 ? undefined : { answer };
  },
);

const next: Output<NextInChain> = nextOrAnswer(
  { followUp: FOLLOW_UP_LABEL, answer: FINAL_LABEL },
  {
    form: 'one line that begins with "So the final answer is:" or with "Follow up:"',
    words: WORDS,
  },
);

/**
 * The input of self-ask in one call: a question, the maximum number of follow-ups, and a sample,
 * whose number is that of the chain.
 */
export interface SelfAskInput extends SampledInput {
  question: string;
  /** Maximum number of follow-up questions, M. */
  maxFollowUps: number;
}

/**
 * A chain that the model wrote in one call: follow-up questions in order (`followUps`), each with
 * its answer, null if none could be read, and the final `answer`.
 */
export interface WrittenChain {
  followUps: AnsweredFollowUp[];
  answer: string;
}

const LABELS = {
  intermediate: 'intermediate answer',
  followUp: FOLLOW_UP_LABEL,
  final: FINAL_LABEL,
};

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
    const answer = answerFromLine(lines[end]?.text ?? '', output);
    if (answer === undefined) return undefined;
    const followUps: AnsweredFollowUp[] = [];
    for (const { kind, text } of lines.slice(0, end)) {
      const open = followUps.at(-1);
      if (kind === 'followUp') followUps.push({ question: text, answer: null });
      else if (open) open.answer ??= answerFromLine(text, output) ?? null;
    }
    return { followUps, answer };
  },
};

function jsonLines(output: ModelOutput): ChainLine[] | undefined {
  const [followUps, answer] = jsonMembers(output, ['followUps', 'answer']) ?? [];
  if (!Array.isArray(followUps)) return undefined;
  const lines = followUps.flatMap((one): ChainLine[] => [
    { kind: 'followUp', text: String(Object(one).question ?? '') },
    { kind: 'intermediate', text: String(Object(one).answer ?? '') },
  ]);
  return [...lines, { kind: 'final', text: answerFromJson(answer, {}) ?? '' }];
}

/**
 * Declaration of a step of self-ask in one call: writes all follow-up questions, their
 * intermediate answers and the final answer. Its output has `followUps`, each with `question` and
 * `answer` (null if none could be read), and the final `answer`; null if the model's reply stayed
 * unreadable.
 */
export const selfAsk = defineStep<SelfAskInput, WrittenChain | null>({
  name: 'selfAsk',
  label: ({ sample }) => `${inChain(sample)}follow-ups and answer`,
  prompt: 'self-ask',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  ...sampledStepFields,
  variables: ({ maxFollowUps }) => ({ count: String(maxFollowUps) }),
  output: chain,
  costliest(longest, { maxFollowUps }) {
    const [answer = '', ...parts] = splitEvenly(longest, 2 * maxFollowUps + 1);
    const followUps = parts.flatMap((question, i) =>
      i % 2 === 0 ? [{ question, answer: parts[i + 1] ?? null }] : [],
    );
    return { followUps, answer };
  },
});

/**
 * Declaration of a step of multi-chain reasoning: answers from the questions and findings of
 * several chains. Its output has `reasoning` and `answer`, "unknown" if the model does not know;
 * null if the model's reply stayed unreadable.
 */
export const metaReason = readingStep<QuestionInput & { pairs: EvidencePair[] }, Reasoned | null>({
  name: 'metaReason',
  label: ({ passages, pairs }) => `over ${pairs.length} pairs, ${passages.length} passages`,
  prompt: 'meta-reason',
  maxTokens: 512,
  variables: ({ pairs }) => ({ pairs: renderEvidencePairs(pairs) }),
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"', WORDS),
  oracle({ pairs }, gold) {
    const found = pairs.flatMap((pair) => ('answer' in pair ? (pair.answer ?? []) : []));
    return fromShownAnswer(gold, (answer) => ({ reasoning: '', answer }), found);
  },
});
