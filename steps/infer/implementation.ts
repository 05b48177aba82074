import { saysUnknown } from '../../methods/unknown.js';
import { implementStep, type ModelOutput } from '../define.js';
import { parseReading } from '../read/implementation.js';
import { closedText } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { lineAnswer } from '../reading/stated-answer.js';
import type * as declared from './step.js';

export const infer = implementStep<typeof declared.infer>({
  prompt: 'infer',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseInference(output, question),
  fallback: () => null,
  costliest: () => null,
});

/** The form asked for, wherever it stands. */
const FORM = /(?<![\p{L}\p{N}])INSUFFICIENT(?:[ _]INFORMATION)?(?![\p{L}\p{N}])/u;

/** Said of what was read: "Based on the passages above: INSUFFICIENT." */
const CONCLUDED = new RegExp(`[:,–-] ?${FORM.source}[^\\p{L}\\p{N}]*$`, 'u');

const INSUFFICIENT =
  /^(?:(?:the |these )?(?:passages?|information|context|evidence) (?:is|are) )?(?:insufficient|not (?:enough|sufficient))\b|^(?:(?:i|we) (?:would )?need )?more (?:passages|information)\b/i;

/**
 * The answer; null for a reply that the passages do not suffice; undefined when it is empty, says
 * both, or was stopped within its first line.
 */
export function parseInference(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question = '',
): string | null | undefined {
  const text = withoutQuestion(bareText(closedText(output)), question);
  const line = lineAnswer(text);
  if (line === null || line === undefined) return undefined;
  const reading = output.cut ? line : (parseReading(text) ?? line);
  if (/^sufficient$/i.test(reading)) return undefined;
  if (saysUnknown(reading) || INSUFFICIENT.test(reading) || CONCLUDED.test(reading)) return null;
  return FORM.test(text) ? undefined : reading;
}
