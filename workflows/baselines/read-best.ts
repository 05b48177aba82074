/** How the retrieval baselines end: the passages they came to are read. */

import type { FinalReading } from '../../core/citations.js';
import { answered, type Conclusion, unanswered } from '../../core/result.js';
import type { Demonstration } from '../../core/vocabulary.js';
import type { Question } from '../algorithm.js';
import { citedAnswer, concludeCited } from '../cited-answer.js';
import type { AnswerForm } from './final-reading.js';

/**
 * One call, which adds to the chain what it read. A short answer comes from memory where there are
 * no passages; one that has to cite them is unknown then.
 *
 * @param passages ids, best first.
 * @param demonstrations for short answers.
 */
export async function readBest<C>(
  asked: Question<{ answerForm: AnswerForm }>,
  passages: string[],
  chain: C,
  demonstrations: Demonstration[] = [],
): Promise<Conclusion<C & FinalReading>> {
  const { question, step } = asked;
  const { answerForm: form } = asked.options;
  if (form === 'short') {
    const reading = await step.read({ question, passages, demonstrations });
    return reading === null
      ? unanswered('unreadable', passages, { ...chain, reading })
      : answered(reading, passages, { ...chain, reading });
  }
  if (passages.length === 0) return unanswered('unknown', [], { ...chain, reading: null });
  const answer = await citedAnswer(asked, passages, form, []);
  const { reading, citations } = answer;
  return concludeCited(answer, passages, { ...chain, reading, citations });
}
