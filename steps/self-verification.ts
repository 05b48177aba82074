/** The steps of self-verification besides its samples (SuRe 4.1, Weng et al. 2022). */
import { defineStep, readingStep } from './define.js';
import { list } from './outputs/list.js';
import { mapped } from './outputs/output.js';
import { says } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';

/**
 * Names at most `count` parts of a question that an answer must fit, to be masked (SuRe 4.1, Weng
 * et al. 2022). They are in the question's words, and none contains another or is the whole
 * question. Empty if the output stayed unreadable; then the samples alone decide.
 */
export const nameConditions = defineStep<{ question: string; count: number }, string[]>({
  name: 'nameConditions',
  label: ({ count }) => `at most ${count} parts of the question`,
  prompt: 'name-conditions',
  maxTokens: 128,
  output: ({ question, count }) =>
    mapped(
      list({
        most: Infinity,
        form: `at most ${count} parts, copied from the question, one a line`,
        label: 'parts',
        before: 'part',
        lone: true,
      }),
      (items) => {
        const parts = items.flatMap((item) => standsIn(item, question) ?? []).slice(0, count);
        return parts.length > 0 ? parts : undefined;
      },
    ),
  fallback: () => [],
  costliest: (longest, { count }) => Array.from({ length: count }, (_, k) => `${k}${longest}`),
});

/**
 * Returns the part in the question's letter case, between word borders; undefined if it does not
 * occur.
 */
function standsIn(part: string, question: string): string | undefined {
  // A longer text cannot be a part, and might be too long for a pattern.
  if (part.length > question.length) return undefined;
  const [words] = question.match(conditionPattern(part)) ?? [];
  return says(question.replace(conditionPattern(part), '')) ? words : undefined;
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** Returns a pattern for a part of a question in any letter case, between word borders. */
export function conditionPattern(condition: string): RegExp {
  const literal = condition.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const within = UNSPACED.test(condition);
  return new RegExp(within ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu');
}

/** A question with a masked part, which the model recovers from a candidate answer. */
export interface RecoverConditionInput {
  /** The question with the part masked. */
  masked: string;
  /** Position of the part. */
  condition: number;
  candidate: string;
  /** Passage ids, in the order shown. */
  passages: string[];
}

/**
 * Asks what a masked part of the question must be, if a candidate is its answer (SuRe 4.1, Weng et
 * al.). Null if the output stayed unreadable; the part is then not recovered.
 */
export const recoverCondition = readingStep<RecoverConditionInput, string | null>({
  name: 'recoverCondition',
  label: ({ candidate, condition }) => `part ${condition + 1} from: ${candidate}`,
  prompt: 'recover-condition',
  maxTokens: 64,
  output: shortAnswer({
    words: 6,
    label: 'answer|\\[?X',
    form: 'the words that [X] stands for',
    longStands: false,
  }),
});
