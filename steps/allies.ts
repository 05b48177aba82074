/** The steps of ALLIES (Sun et al., Findings of EMNLP 2023). */

import { answerKey } from '../core/answer-key.js';
import { refuses, saysUnknown } from '../core/unknown.js';
import type { QueryEvidence } from '../core/vocabulary.js';
import { defineStep, type QuestionInput, readingStep } from './define.js';
import { isAccepted, shownAnswer } from './oracles.js';
import { list } from './outputs/list.js';
import { numberIn } from './outputs/number.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';
import { text } from './outputs/text.js';
import { renderEvidence } from './rendering.js';

/** Returns the query of the newest evidence, for a label. */
function lastQuery(history: readonly QueryEvidence[]): string {
  const last = history.at(-1);
  return last ? `evidence for "${last.query}"` : 'no evidence';
}

/** The input of ALLIES' steps: a question, with the queries so far and the evidence for each. */
export interface HistoryInput {
  question: string;
  /** Queries with their evidence, oldest first; empty to rely on the model's knowledge. */
  history: QueryEvidence[];
}

/**
 * Declaration of a step of ALLIES, Answer: answers the question from the evidence so far (section
 * 4.1, appendix C.1). Its output is a short answer, "unknown" if the model does not know; null if
 * the model's reply stayed unreadable.
 */
export const answerWithEvidence = defineStep<HistoryInput, string | null>({
  name: 'answerWithEvidence',
  label: ({ history }) => `with ${lastQuery(history)}`,
  prompt: 'answer-with-evidence',
  maxTokens: 64,
  variables: ({ history }) => ({ evidence: renderEvidence(history) }),
  output: shortAnswer(),
  oracle: ({ history }, gold) =>
    shownAnswer(
      gold,
      history.flatMap(({ evidence }) => evidence ?? []),
    ),
});

/**
 * Declaration of a step of ALLIES, Score: asks the model how probable it is that an answer is
 * true, given the evidence (section 4.4, appendix C.5). Its output is a number from 0 to 1; null
 * if the model's reply stayed unreadable.
 */
export const scoreAnswer = defineStep<HistoryInput & { answer: string }, number | null>({
  name: 'scoreAnswer',
  label: ({ answer, history }) => `${answer}, with ${lastQuery(history)}`,
  prompt: 'score-answer',
  maxTokens: 32,
  variables: ({ history }) => ({ evidence: renderEvidence(history) }),
  output: numberIn({ to: 1, label: 'answer|score|probability|estimate' }),
  // A dry run assumes that the states with the longest history win, since they cost the most.
  costliest: (_, { history }) => history.length * Number.EPSILON,
  oracle({ answer }, gold) {
    const accepted = isAccepted(answer, gold);
    return accepted === undefined ? undefined : Number(accepted);
  },
});

/**
 * Declaration of a step of ALLIES, Ask: generates further sub-queries for a question (section 4.2,
 * appendix C.2). Its output is at most `count` texts, the most important first, without those of
 * the history; empty if none is new, or if the model's reply stayed unreadable.
 */
export const askSubQueries = defineStep<HistoryInput & { count: number }, string[]>({
  name: 'askSubQueries',
  label: ({ count, history }) => `${count} after ${lastQuery(history)}`,
  prompt: 'ask-sub-queries',
  maxTokens: 384,
  variables: ({ history, count }) => ({
    // One line each: models copy the dots of an example that ends in "...".
    form: Array.from({ length: count }, (_, k) => `${k + 1}. [sub-question]`).join('\n'),
    evidence: renderEvidence(history),
  }),
  output({ history, count }) {
    const asked = new Set(history.map(({ query }) => answerKey(query)));
    const form = `at most ${count} sub-questions, each on a line that begins with its number`;
    const queries = list({
      most: Infinity,
      form,
      label: '(?:ranked )?(?:sub-?)?questions',
      before: '(?:sub-?)?question|query|q',
      lone: false,
    });
    return mapped(queries, (read, { unknown, refusals }) =>
      read
        .filter((query) => !saysUnknown(query, unknown) && !refuses(query, refusals))
        .filter((query) => !asked.has(answerKey(query)))
        .slice(0, count),
    );
  },
  fallback: () => [],
  // Any of them may be the one that is continued.
  costliest: (longest, { count }) => Array.from({ length: count }, (_, k) => `${k}${longest}`),
});

const evidence = text({
  form: 'the information that bears on the question, in whole sentences',
  label: '(?:relevant )?(?:information|evidence)',
});

/**
 * Declaration of a step of ALLIES, Retrieve: condenses passages to what is relevant to the
 * original question (section 4.3, appendix C.3). Its output is a text; empty if nothing is
 * relevant, or if the model's reply stayed unreadable. The input's search query is not shown to
 * the model, only in the label.
 */
export const condenseEvidence = readingStep<QuestionInput & { query: string }, string>({
  name: 'condenseEvidence',
  label: ({ passages, query }) => `${passages.length} passages for "${query}"`,
  prompt: 'condense-evidence',
  maxTokens: 256,
  output: mapped(evidence, (said, { unknown }) => (saysUnknown(said, unknown) ? '' : said)),
  fallback: () => '',
});
