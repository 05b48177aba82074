import type { FinalReading } from '../../core/citations.js';
import type { AnswerForm } from '../../core/method.js';
import { type Conclusion, concluded, unanswered } from '../../core/result.js';
import type { Demonstration } from '../../core/vocabulary.js';
import type { Question } from '../algorithm.js';
import { citedAnswer, concludeCited } from './cited-answer.js';

/**
 * Reads the answer from passages with one call, in the form of the option `answerForm`. Returns
 * the conclusion, with the answer as read (`reading`) and, if the form cites passages, the
 * `citations` added to the chain. Without passages, a short answer comes from the model's memory;
 * for a form that must cite passages no call is made, and the outcome is "unknown".
 *
 * @param passages Ids, best first.
 * @param chain The method's chain so far.
 * @param demonstrations Examples for short answers.
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
    return concluded(reading, passages, { ...chain, reading });
  }
  if (passages.length === 0) return unanswered('unknown', [], { ...chain, reading: null });
  const answer = await citedAnswer(asked, passages, form, []);
  const { reading, citations } = answer;
  return concludeCited(answer, passages, { ...chain, reading, citations });
}
