/** An answer from the passages so far, or that they do not suffice (SuRe 4.1, Creswell et al.). */
import { saysUnknown } from '../methods/unknown.js';
import { parseReading } from './read.js';
import { defineStep } from './step.js';

export interface InferInput {
  question: string;
  /** Ids, most helpful first. */
  passages: string[];
}

/** Null when more passages are needed, and when the output stayed unreadable. */
export const infer = defineStep<InferInput, string | null>({
  prompt: 'infer',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: ({ text }) => parseInference(text),
  fallback: () => null,
});

const INSUFFICIENT =
  /^(?:(?:the |these )?(?:passages?|information|context|evidence) (?:is|are) )?(?:insufficient|not (?:enough|sufficient))\b|^more (?:passages|information)\b/i;

/** The answer; null for a reply that the passages do not suffice; undefined when empty. */
export function parseInference(text: string): string | null | undefined {
  const reading = parseReading(text);
  if (reading === undefined) return undefined;
  return saysUnknown(reading) || INSUFFICIENT.test(reading) ? null : reading;
}
