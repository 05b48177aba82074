/** Steps for chains of thought, alone (Kojima et al.) or with searches (IRCoT, ITER-RETGEN). */
import { withoutCitations } from '../core/citations.js';
import { splitSentences } from '../core/sentences.js';
import { refuses } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { fromShownAnswer } from './oracles.js';
import { labelledLines, nextOrAnswer, type Reasoned, reasoned } from './outputs/labelled.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { isJsonObject, plainText } from './outputs/plain.js';
import { answerFromLine, NEXT_QUESTION } from './outputs/short-answer.js';
import { wrapInTags } from './rendering.js';
import { type SampledInput, sampledStepFields } from './samples.js';

/** Number of words that the prompts ask for in an answer. */
const WORDS = 3;

/**
 * Declaration of a step of zero-shot chain of thought: reasons, then answers (SuRe 4.1, Kojima et
 * al. 2022). Its output has `reasoning` and `answer`, "unknown" if the model does not know; null
 * if the model's reply stayed unreadable.
 */
export const reason = readingStep<QuestionInput & SampledInput, Reasoned | null>({
  name: 'reason',
  label: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  prompt: 'reason',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  ...sampledStepFields,
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"', WORDS),
  oracle: (_, gold) => fromShownAnswer(gold, (answer) => ({ reasoning: '', answer })),
});

/** An example of a chain of thought: a question, the thoughts in order, and the answer. */
export interface ThoughtDemonstration {
  question: string;
  /** Thoughts before the answer, in order; may be empty. */
  thoughts: string[];
  answer: string;
}

/** The input of IRCoT's step: a question, its passages, and the thoughts so far. */
export interface NextThoughtInput extends QuestionInput {
  /** Thoughts so far, oldest first. */
  thoughts: string[];
  demonstrations: ThoughtDemonstration[];
}

/**
 * A thought with the next query, which is its last sentence that is not a conclusion (null if there
 * is none); or the answer.
 */
type NextThought = { thought: string; query: string | null } | { answer: string };

/** Pattern of sentences without anything to find (IRCoT's script): conclusions and sums. */
const CONCLUSION = /^(?:thus|so|therefore|hence)\b|^that is,|\d [+-] [\d,.]+ = \d/i;

const LABELS = { thought: 'thought', answer: '(?:so )?(?:the )?(?:final )?answer(?: is)?' };

const labelledThought = nextOrAnswer(LABELS, {
  form: 'one line that begins with "Thought:" or with "Answer:"',
  words: Infinity,
});

/**
 * Output type of a thought or an answer: a labelled line, or the first sentence of a reply, which
 * is the answer if it contains "the answer is".
 */
const thoughtOrAnswer: Output<NextThought> = {
  ...labelledThought,
  read(output) {
    const said = labelledThought.read(output) ?? bareThought(output);
    if (!said || 'answer' in said) return said;
    const { thought } = said;
    const [, concluded] = /\banswer is:? +(.+)$/i.exec(thought) ?? [];
    const answer = concluded && answerFromLine(concluded, output);
    const facts = splitSentences(withoutCitations(thought)).filter(
      (sentence) => !CONCLUSION.test(sentence),
    );
    return answer ? { answer } : { thought, query: facts.at(-1) ?? null };
  },
};

/**
 * Least number of words of a thought without a label; a shorter line may be an answer or a remark.
 */
const SENTENCE = 4;

/** Returns the first sentence of an output without labels as a thought; undefined if it is none. */
function bareThought(output: ModelOutput): { thought: string } | undefined {
  if (isJsonObject(output) || labelledLines(output, LABELS).length > 0) return undefined;
  const [line = ''] = plainText(output).split('\n');
  const [thought = ''] = splitSentences(line);
  const isWhole = /[.!]["”)]?$/.test(thought) && thought.split(' ').length >= SENTENCE;
  return isWhole && !refuses(thought, output.refusals) ? { thought } : undefined;
}

/**
 * Declaration of a step of IRCoT: writes the next sentence of a chain of thought, or the answer.
 * Its output is `{ thought, query }`, with the query to search with next, null if the thought has
 * nothing to search, or `{ answer }`; null if the model's reply stayed unreadable.
 */
export const nextThought = readingStep<NextThoughtInput, NextThought | null>({
  name: 'nextThought',
  label: ({ thoughts, passages }) => `thought ${thoughts.length + 1}, ${passages.length} passages`,
  prompt: 'next-thought',
  maxTokens: 128,
  variables: ({ thoughts, demonstrations }) => ({
    thoughts: wrapInTags(thoughts, 'thought'),
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
  output: thoughtOrAnswer,
  costliest: (longest) => ({ thought: longest, query: longest }),
  oracle: ({ thoughts }, gold) => fromShownAnswer(gold, (answer) => ({ answer }), thoughts),
});

function renderDemonstration({ question, thoughts, answer }: ThoughtDemonstration): string {
  const lines = thoughts.map((thought) => `Thought: ${thought}`);
  return [`Question: ${question}`, ...lines, `Answer: ${answer}`].join('\n');
}

/** Returns a demonstration in the form that ITER-RETGEN's prompt asks for. */
function renderThoughtful({ question, thoughts, answer }: ThoughtDemonstration): string {
  return [`Question: ${question}`, ...thoughts, `So the answer is: ${answer}`].join('\n');
}

/**
 * The whole output of a model that reasons and answers, and the answer in it, null if none could
 * be read.
 */
export interface ThoughtAndAnswer {
  /** The whole output of the model. */
  output: string;
  /** The answer in it; null if none could be read. */
  answer: string | null;
}

/**
 * Declaration of a step of ITER-RETGEN: answers by a chain of thought. Its output has the whole
 * text that the model wrote (`output`), with which the next query begins, and the `answer` in it,
 * null if none could be read.
 */
export const thinkAndAnswer = readingStep<
  QuestionInput & {
    iteration: number;
    /** Absent if none is shown. */
    demonstrations?: ThoughtDemonstration[];
  },
  ThoughtAndAnswer
>({
  name: 'thinkAndAnswer',
  label: ({ iteration, passages }) => `iteration ${iteration + 1}, ${passages.length} passages`,
  prompt: 'think-and-answer',
  maxTokens: 512,
  variables: ({ demonstrations = [] }) => ({
    demonstrations: demonstrations.map(renderThoughtful).join('\n\n'),
  }),
  output: mapped(
    reasoned('brief reasoning, and at the end a line that begins with "So the answer is:"', WORDS),
    ({ answer }, { text }) => ({ output: text.trim(), answer }),
  ),
  fallback: ({ text }) => ({ output: text.trim(), answer: null }),
  costliest: (longest) => ({ output: longest, answer: longest }),
  oracle: (_, gold) => fromShownAnswer(gold, (answer) => ({ output: answer, answer })),
});
