/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
import { closedText } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { concludingAnswer, statedAnswers } from '../reading/stated-answer.js';
import { defineStep, type ModelOutput } from './step.js';

export interface ReasonInput {
  question: string;
  /** Ids, in the order shown; none to reason without retrieval. */
  passages: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: { k: number; temperature: number };
}

export interface Reasoned {
  reasoning: string;
  answer: string;
}

/** Null when the output stayed unreadable. */
export const reason = defineStep<ReasonInput, Reasoned | null>({
  prompt: 'reason',
  maxTokens: 512,
  passages: (input) => input.passages,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question }) => ({ question }),
  parse: parseReasoned,
  fallback: () => null,
});

const REASONING = /^(?:reasoning|thoughts?|explanation)\s?:\s{0,2}/i;

/**
 * The last thing called the answer and what comes before it; undefined when nothing is, when the
 * output was stopped within it, or before its reasoning came to an end.
 */
export function parseReasoned(output: Pick<ModelOutput, 'text' | 'cut'>): Reasoned | undefined {
  const plain = bareText(closedText(output));
  const stated = statedAnswers(plain);
  const label = stated.findLast(({ labelled }) => labelled);
  const last = label ?? (output.cut ? undefined : stated.at(-1));
  if (last) return last.answer === null ? undefined : reasoned(plain, last.start, last.answer);
  const concluded = output.cut ? undefined : concludingAnswer(plain);
  return concluded && reasoned(plain, concluded.start, concluded.answer);
}

function reasoned(text: string, end: number, answer: string): Reasoned {
  return { reasoning: text.slice(0, end).trim().replace(REASONING, ''), answer };
}
