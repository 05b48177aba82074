import { implementStep, type ModelOutput } from '../define.js';
import { closedText } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { concludingAnswer, statedAnswers } from '../reading/stated-answer.js';
import type * as declared from './step.js';

export const reason = implementStep<typeof declared.reason>({
  prompt: 'reason',
  maxTokens: 512,
  passages: (input) => input.passages,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question }) => ({ question }),
  parse: parseReasoned,
  fallback: () => null,
  costliest: (longest) => ({ reasoning: '', answer: longest }),
});

const REASONING = /^(?:reasoning|thoughts?|explanation)\s?:\s{0,2}/i;

/**
 * The last thing called the answer and what comes before it; undefined when nothing is, when the
 * output was stopped within it, or before its reasoning came to an end.
 */
export function parseReasoned(
  output: Pick<ModelOutput, 'text' | 'cut'>,
): declared.Reasoned | undefined {
  const plain = bareText(closedText(output));
  const stated = statedAnswers(plain);
  const label = stated.findLast(({ labelled }) => labelled);
  const last = label ?? (output.cut ? undefined : stated.at(-1));
  if (last) return last.answer === null ? undefined : reasoned(plain, last.start, last.answer);
  const concluded = output.cut ? undefined : concludingAnswer(plain);
  return concluded && reasoned(plain, concluded.start, concluded.answer);
}

function reasoned(text: string, end: number, answer: string): declared.Reasoned {
  return { reasoning: text.slice(0, end).trim().replace(REASONING, ''), answer };
}
