/** A rubric as a step: the judge reads one answer by it. Pure. */

import { isRubric, type OwnMetric, type Rubric, type RubricScale } from '../core/metric.js';
import type { Passage } from '../core/vocabulary.js';
import type { OwnStep } from './actions.js';
import { defineStep, type ModelStep } from './define.js';
import { verdict } from './outputs/choice.js';
import { numberIn } from './outputs/number.js';
import { type ModelOutput, mapped, type Output } from './outputs/output.js';
import { ownSteps } from './own-steps.js';

/** An answer that a judge scores by a rubric, with what the judge is shown. */
export interface RubricInput {
  question: string;
  answer: string;
  goldAnswers: string[];
  /** What the method read: ids and generated documents; empty if none are shown. */
  passages: (string | Passage)[];
}

/** The judge's verdict on one answer by a rubric. */
export interface RubricReply {
  /** Score; null if the verdict is unreadable. */
  score: number | null;
  /** The judge's words, shortened. */
  said: string;
}

const MAX_TOKENS = 64;
const SAID_LENGTH = 2000;

/** Returns the step of a rubric, with the name of the metric. */
export function rubricStep({
  name,
  title,
  prompt,
  scale,
  maxTokens = MAX_TOKENS,
}: Rubric): ModelStep<RubricInput, RubricReply> {
  const reply = ({ text }: ModelOutput, score: number | null) => ({
    score,
    said: text.slice(0, SAID_LENGTH),
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
 * Returns custom steps and rubrics as steps by name, and the texts of their prompts.
 *
 * @throws Failure BadInput if a name is taken.
 */
export function stepsOf({
  steps = [],
  metrics = [],
}: {
  steps?: readonly OwnStep[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
}): ReturnType<typeof ownSteps> {
  return ownSteps([...steps, ...metrics.filter(isRubric).map(rubricStep)]);
}

/** Tells whether the judge is shown what the method read. */
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
