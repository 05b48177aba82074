import { implementStep, type ModelOutput } from '../define.js';
import { bareText } from '../reading/plain.js';
import { parseReasoned } from '../reason/implementation.js';
import type * as declared from './step.js';

export const thinkAndAnswer = implementStep<typeof declared.thinkAndAnswer>({
  prompt: 'think-and-answer',
  maxTokens: 512,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: parseThoughtAndAnswer,
  fallback: ({ text }) => ({ output: bareText(text), answer: null }),
  costliest: (longest) => ({ output: longest, answer: longest }),
});

export function parseThoughtAndAnswer(
  output: Pick<ModelOutput, 'text' | 'cut'>,
): declared.ThoughtAndAnswer | undefined {
  const answer = parseReasoned(output)?.answer;
  return answer === undefined ? undefined : { output: bareText(output.text), answer };
}
