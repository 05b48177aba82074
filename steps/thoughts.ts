/** Chains of thought, alone or with searches between their parts. */
import { withoutCitations } from '../core/citations.js';
import { splitSentences } from '../core/sentences.js';
import { refuses } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { labelledLines, nextOrAnswer, type Reasoned, reasoned } from './outputs/labelled.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { isJsonObject, plainText } from './outputs/plain.js';
import { answerIn, NEXT_QUESTION } from './outputs/short-answer.js';
import { tagged } from './rendering.js';
import { drawn, type Sampled } from './samples.js';

/** Most words of an answer, as asked for in the prompts. */
const WORDS = 3;

/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
export const reason = readingStep<QuestionInput & Sampled, Reasoned | null>({
  name: 'reason',
  label: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  prompt: 'reason',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  ...drawn,
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"', WORDS),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ reasoning: '', answer })),
});

/** A question with the thoughts that led to its answer, of which there may be none. */
export interface ThoughtDemonstration {
  question: string;
  thoughts: string[];
  answer: string;
}

/** The input for the next thought of a chain of thought with searches. */
export interface NextThoughtInput extends QuestionInput {
  /** Thoughts, oldest first. */
  thoughts: string[];
  demonstrations: ThoughtDemonstration[];
}

/**
 * A thought with the query to search with, which is its last sentence that is not a conclusion
 * (null if none); or the answer.
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
 * Type of a labelled line, or the first sentence of a reply; one with "the answer is" is the
 * answer.
 */
const thoughtOrAnswer: Output<NextThought> = {
  ...labelledThought,
  read(output) {
    const said = labelledThought.read(output) ?? bareThought(output);
    if (!said || 'answer' in said) return said;
    const { thought } = said;
    const [, concluded] = /\banswer is:? +(.+)$/i.exec(thought) ?? [];
    const answer = concluded && answerIn(concluded, output);
    const facts = splitSentences(withoutCitations(thought)).filter(
      (sentence) => !CONCLUSION.test(sentence),
    );
    return answer ? { answer } : { thought, query: facts.at(-1) ?? null };
  },
};

/** Least words of a thought; fewer are an answer without its label, or a remark. */
const SENTENCE = 4;

/** Returns the first sentence, as a prompt without labels asks for it. */
function bareThought(output: ModelOutput): { thought: string } | undefined {
  if (isJsonObject(output) || labelledLines(output, LABELS).length > 0) return undefined;
  const [line = ''] = plainText(output).split('\n');
  const [thought = ''] = splitSentences(line);
  const isWhole = /[.!]["”)]?$/.test(thought) && thought.split(' ').length >= SENTENCE;
  return isWhole && !refuses(thought, output.refusals) ? { thought } : undefined;
}

/** IRCoT: the next sentence of a chain of thought, or its answer. */
export const nextThought = readingStep<NextThoughtInput, NextThought | null>({
  name: 'nextThought',
  label: ({ thoughts, passages }) => `thought ${thoughts.length + 1}, ${passages.length} passages`,
  prompt: 'next-thought',
  maxTokens: 128,
  variables: ({ thoughts, demonstrations }) => ({
    thoughts: tagged(thoughts, 'thought'),
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
  output: thoughtOrAnswer,
  costliest: (longest) => ({ thought: longest, query: longest }),
  oracle: ({ thoughts }, gold) => ifShown(gold, (answer) => ({ answer }), thoughts),
});

function renderDemonstration({ question, thoughts, answer }: ThoughtDemonstration): string {
  const lines = thoughts.map((thought) => `Thought: ${thought}`);
  return [`Question: ${question}`, ...lines, `Answer: ${answer}`].join('\n');
}

/** Returns a demonstration in the form that ITER-RETGEN's prompt asks for. */
function renderThoughtful({ question, thoughts, answer }: ThoughtDemonstration): string {
  return [`Question: ${question}`, ...thoughts, `So the answer is: ${answer}`].join('\n');
}

/** A chain of thought as the model wrote it, and the answer in it. */
export interface ThoughtAndAnswer {
  /** The whole output of the model. */
  output: string;
  /** The answer in it; null if none could be read. */
  answer: string | null;
}

/** ITER-RETGEN: an answer by chain of thought, with the whole output, which is the next query. */
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
  oracle: (_, gold) => ifShown(gold, (answer) => ({ output: answer, answer })),
});
