/** Chains of thought: by themselves, and with a search between their parts. */
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { nextOrAnswer, type Reasoned, reasoned } from './outputs/labelled.js';
import { mapped } from './outputs/output.js';
import { NEXT_QUESTION } from './outputs/short-answer.js';
import { tagged } from './rendering.js';
import { drawn, type Sampled } from './samples.js';

/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
export const reason = readingStep<QuestionInput & Sampled, Reasoned | null>({
  name: 'reason',
  label: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  prompt: 'reason',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  ...drawn,
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"'),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ reasoning: '', answer })),
});

/** A question with the thoughts that led to its answer. */
export interface ThoughtDemonstration {
  question: string;
  thoughts: string[];
  answer: string;
}

export interface NextThoughtInput extends QuestionInput {
  /** Oldest first. */
  thoughts: string[];
  demonstrations: ThoughtDemonstration[];
}

export type NextThought = { thought: string } | { answer: string };

/** IRCoT: the next sentence of a chain of thought, or the answer it has come to. */
export const nextThought = readingStep<NextThoughtInput, NextThought | null>({
  name: 'nextThought',
  label: ({ thoughts, passages }) => `thought ${thoughts.length + 1}, ${passages.length} passages`,
  prompt: 'next-thought',
  maxTokens: 128,
  variables: ({ thoughts, demonstrations }) => ({
    thoughts: tagged(thoughts, 'thought'),
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
  output: nextOrAnswer(
    { thought: 'thought', answer: '(?:so )?(?:the )?(?:final )?answer(?: is)?' },
    'one line that begins with "Thought:" or with "Answer:"',
  ),
  costliest: (longest) => ({ thought: longest }),
  oracle: ({ thoughts }, gold) => ifShown(gold, (answer) => ({ answer }), thoughts),
});

function renderDemonstration({ question, thoughts, answer }: ThoughtDemonstration): string {
  const lines = thoughts.map((thought) => `Thought: ${thought}`);
  return [`Question: ${question}`, ...lines, `Answer: ${answer}`].join('\n');
}

export interface ThoughtAndAnswer {
  /** All that the model wrote. */
  output: string;
  /** Null when no answer could be read in it. */
  answer: string | null;
}

/** ITER-RETGEN: an answer by chain of thought, with all of the output, which is the next query. */
export const thinkAndAnswer = readingStep<QuestionInput & { iteration: number }, ThoughtAndAnswer>({
  name: 'thinkAndAnswer',
  label: ({ iteration, passages }) => `iteration ${iteration + 1}, ${passages.length} passages`,
  prompt: 'think-and-answer',
  maxTokens: 512,
  output: mapped(
    reasoned('brief reasoning, and at the end a line that begins with "So the answer is:"'),
    ({ answer }, { text }) => ({ output: text.trim(), answer }),
  ),
  fallback: ({ text }) => ({ output: text.trim(), answer: null }),
  costliest: (longest) => ({ output: longest, answer: longest }),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ output: answer, answer })),
});
