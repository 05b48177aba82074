/** LLatrieval's verification: do the documents support an answer (LLatrieval 3.1). */
import { withoutCitations } from '../core/citations.js';
import type { CitedDemonstration } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { suffices } from './oracles.js';
import { verdict } from './outputs/choice.js';
import { numberIn } from './outputs/number.js';

export interface VerifyClassifyInput extends QuestionInput {
  /** Shows what kind of answer they are to support (table 9); null for none. */
  demonstration: Pick<CitedDemonstration, 'question' | 'answer'> | null;
}

/** [YES] or [NO] (eq. 3, table 9). Null when the output stayed unreadable: not passed. */
export const verifyClassify = readingStep<VerifyClassifyInput, boolean | null>({
  name: 'verifyClassify',
  label: ({ passages }) => `${passages.length} documents`,
  prompt: 'verify-classify',
  maxTokens: 16,
  variables: ({ demonstration }) => ({
    demonstration: demonstration
      ? `Question: ${demonstration.question}\nAnswer: ${withoutCitations(demonstration.answer)}`
      : '',
  }),
  output: verdict('Yes'),
  oracle: (_, gold) => suffices(gold),
});

/** From 0 to 10 (eq. 4, table 10). Null when the output stayed unreadable: not passed. */
export const verifyScore = readingStep<QuestionInput, number | null>({
  name: 'verifyScore',
  label: ({ passages }) => `${passages.length} documents`,
  prompt: 'verify-score',
  maxTokens: 16,
  output: numberIn({ to: 10 }),
  oracle(_, gold) {
    const enough = suffices(gold);
    return enough === undefined ? undefined : enough ? 10 : 0;
  },
});
