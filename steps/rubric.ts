/** Turns rubrics into steps by which a judge scores answers. Pure. */

import { isRubric, type OwnMetric, type Rubric, type RubricScale } from '../core/metric.js';
import type { Passage } from '../core/vocabulary.js';
import type { OwnStep } from './actions.js';
import { defineStep, type ModelStep } from './define.js';
import { verdict } from './outputs/choice.js';
import { numberIn } from './outputs/number.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { ownSteps } from './own-steps.js';

/**
 * The input of a rubric's step: a question, its answer, the gold answers, and the passages that
 * the judge is shown.
 */
export interface RubricInput {
  question: string;
  answer: string;
  goldAnswers: string[];
  /**
   * Ids of the passages that the method read, and the documents that it generated; empty if none
   * are shown.
   */
  passages: (string | Passage)[];
}

/**
 * A judge's reply for one answer: the score from 0 to 1, null if it could not be read, and the
 * reply's text, up to its first 2,000 characters.
 */
export interface RubricReply {
  /** Score from 0 to 1; null if the verdict is unreadable. */
  score: number | null;
  /** Text of the judge's reply, shortened. */
  reply: string;
}

const MAX_TOKENS = 64;
const SAID_LENGTH = 2000;

/**
 * Returns the declaration of the step by which a judge scores an answer by a rubric; it has the
 * name of the metric.
 */
export function rubricStep({
  name,
  title,
  prompt,
  scale,
  maxTokens = MAX_TOKENS,
}: Rubric): ModelStep<RubricInput, RubricReply> {
  const reply = ({ text }: ModelOutput, score: number | null) => ({
    score,
    reply: text.slice(0, SAID_LENGTH),
  });
  return defineStep({
    name,
    label: () => title,
    prompt,
    maxTokens,
    ...(showsPassages(prompt) && { passages: ({ passages }: RubricInput) => passages }),
    variables: ({ goldAnswers }) => ({ goldAnswers: listed(goldAnswers) }),
    output: mapped(scoreOn(scale), (score, output) => reply(output, score)),
    fallback: (output) => reply(output, null),
  });
}

/**
 * Returns custom steps and the steps of rubrics (`steps`), actions (`actions`), and the texts of
 * prompts that they declare (`prompts`), each by name.
 *
 * @throws Failure BadInput if a step's name is reserved or used twice, or if two prompts with
 * different texts have one name.
 */
export function registeredSteps({
  steps = [],
  metrics = [],
}: {
  steps?: readonly OwnStep[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
}): ReturnType<typeof ownSteps> {
  return ownSteps([...steps, ...metrics.filter(isRubric).map(rubricStep)]);
}

/** Returns whether a rubric's prompt contains the placeholder {{passages}}. */
export function showsPassages({ text }: Rubric['prompt']): boolean {
  return /\{\{\s*passages\s*\}\}/.test(text);
}

/** Returns the type of a value on the scale, as a score from 0 to 1. */
function scoreOn(scale: RubricScale): Output<number> {
  if (scale === 'yesNo') return mapped(verdict('Yes'), Number);
  const { from, to } = scale;
  return mapped(numberIn(scale), (score) => (score - from) / (to - from));
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `- ${text}`).join('\n');
}
