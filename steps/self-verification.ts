/**
 * The steps of self-verification, except the one that samples answers (SuRe 4.1, Weng et al. 2022).
 */
import { defineStep, readingStep } from './define.js';
import { list } from './outputs/list.js';
import { mapped } from './outputs/output.js';
import { hasWords } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';

/**
 * Declaration of a step of self-verification: names conditions in a question, which are then
 * masked (SuRe 4.1, Weng et al. 2022). Its output is a list of at most `count`, each a part of the
 * question but not all of it; empty if the model's reply stayed unreadable.
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
        const parts = items.flatMap((item) => partIn(item, question) ?? []).slice(0, count);
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
function partIn(part: string, question: string): string | undefined {
  // A longer text cannot be a part, and might be too long for a pattern.
  if (part.length > question.length) return undefined;
  const [words] = question.match(conditionPattern(part)) ?? [];
  return hasWords(question.replace(conditionPattern(part), '')) ? words : undefined;
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/**
 * Returns a regular expression (flags g, i, u) that finds a condition, which is a part of a
 * question, in any letter case, and as whole words if the script has spaces between words.
 */
export function conditionPattern(condition: string): RegExp {
  const literal = condition.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const within = UNSPACED.test(condition);
  return new RegExp(within ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu');
}

/**
 * The input of the step that recovers a masked condition: the masked question, the position of the
 * condition among the question's conditions, from 0, a candidate answer, and ids of passages.
 */
export interface RecoverConditionInput {
  /** The question with the condition masked. */
  masked: string;
  /** Position of the condition, from 0. */
  condition: number;
  candidate: string;
  /** Passage ids, in the order shown. */
  passages: string[];
}

/**
 * Declaration of a step of self-verification: writes the condition that is masked in the question,
 * given a candidate as the answer (SuRe 4.1, Weng et al.). Its output is the words, "unknown" if
 * the model does not know; null if the model's reply stayed unreadable, and the condition then
 * counts as not recovered.
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
