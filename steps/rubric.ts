/** A rubric as a step: the judge reads one answer by it. Pure. */
import { isRubric, type OwnMetric, type Rubric, type RubricScale } from '../methods/own-metric.js';
import type { Passage } from '../methods/vocabulary.js';
import type { ModelOutput } from './define.js';
import type { OwnStep } from './own-steps.js';
import { readScore } from './reading/score.js';
import { readVerdict } from './reading/verdict.js';

export interface RubricInput {
  question: string;
  answer: string;
  goldAnswers: string[];
  /** What the method has read: ids, and documents that it generated. None where none are shown. */
  passages: (string | Passage)[];
}

/** What the judge says; a verdict that stayed unreadable has no score. */
export interface RubricReply {
  score: number | null;
  /** Its words, shortened. */
  said: string;
}

const MAX_TOKENS = 64;
const SAID_LENGTH = 2000;

/** Asked under the name of the metric. */
export function rubricStep({
  name,
  title,
  prompt,
  scale,
  maxTokens = MAX_TOKENS,
}: Rubric): OwnStep<RubricInput, RubricReply> {
  const reply = ({ text }: ModelOutput, score: number | null) => ({
    score,
    said: text.slice(0, SAID_LENGTH),
  });
  return {
    name,
    label: () => title,
    prompt,
    maxTokens,
    ...(showsPassages(prompt) && { passages: ({ passages }: RubricInput) => passages }),
    variables: ({ question, answer, goldAnswers }) => ({
      question,
      answer,
      goldAnswers: listed(goldAnswers),
    }),
    parse(output) {
      const score = readRubric(output, scale);
      return score === undefined ? undefined : reply(output, score);
    },
    fallback: (output) => reply(output, null),
  };
}

/** The steps of the rubrics among metrics. */
export function rubricSteps(
  metrics: readonly OwnMetric[] = [],
): OwnStep<RubricInput, RubricReply>[] {
  return metrics.filter(isRubric).map(rubricStep);
}

/** Whether the judge is shown what the method has read. */
export function showsPassages({ text }: Rubric['prompt']): boolean {
  return /\{\{\s*passages\s*\}\}/.test(text);
}

/** From 0 to 1; undefined where the reply says no verdict, or one that is not on the scale. */
function readRubric(output: ModelOutput, scale: RubricScale): number | undefined {
  if (scale === 'yesNo') {
    const verdict = readVerdict(output);
    return verdict === undefined ? undefined : Number(verdict);
  }
  const { from, to } = scale;
  const score = readScore(output, to);
  return score === undefined || score < from ? undefined : (score - from) / (to - from);
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `- ${text}`).join('\n');
}
