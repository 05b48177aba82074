/** IRCoT: the next sentence of a chain of thought, or the answer it has come to. */
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { labelledLine } from './outputs/labelled.js';
import { mapped } from './outputs/output.js';
import { answerIn } from './outputs/short-answer.js';
import { tagged } from './rendering.js';

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

export const nextThought = readingStep<NextThoughtInput, NextThought | null>({
  name: 'nextThought',
  label: ({ thoughts, passages }) => `thought ${thoughts.length + 1}, ${passages.length} passages`,
  prompt: 'next-thought',
  maxTokens: 128,
  variables: ({ thoughts, demonstrations }) => ({
    thoughts: tagged(thoughts, 'thought'),
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
  output: mapped(
    labelledLine(
      { thought: 'thought', answer: 'answer' },
      'one line that begins with "Thought:" or with "Answer:"',
    ),
    ({ kind, text }, output): NextThought | undefined => {
      if (kind === 'thought') return { thought: text };
      const answer = answerIn(text, output);
      return answer === undefined ? undefined : { answer };
    },
  ),
  costliest: (longest) => ({ thought: longest }),
  oracle: ({ thoughts }, gold) => ifShown(gold, (answer) => ({ answer }), thoughts),
});

function renderDemonstration({ question, thoughts, answer }: ThoughtDemonstration): string {
  const lines = thoughts.map((thought) => `Thought: ${thought}`);
  return [`Question: ${question}`, ...lines, `Answer: ${answer}`].join('\n');
}
