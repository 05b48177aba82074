/** Decides what happens to a request after its batch has ended. Pure. */

import { Failure } from '../../core/failure.js';
import type { BatchAnswer, BatchStatus } from '../../llm/batch-endpoint.js';
import type { Completion } from '../../llm/language-model.js';

export type Ruling =
  | { kind: 'answered'; completion: Completion }
  /** Its step fails, as it would have outside a batch. */
  | { kind: 'failed'; failure: Failure }
  /** It goes into the next batch. `counts` tells whether this was a failed attempt. */
  | { kind: 'again'; counts: boolean };

/**
 * Decides by its answer what happens to a request.
 *
 * @param troubles Earlier failed attempts, without this one.
 */
export function ruling(answer: BatchAnswer, troubles: number, attempts: number): Ruling {
  if ('completion' in answer) return { kind: 'answered', completion: answer.completion };
  // The next batch leaves the refused parameter out.
  if ('unasked' in answer || answer.refused !== undefined) return { kind: 'again', counts: false };
  const { failure } = answer;
  if (!failure.retryable) return { kind: 'failed', failure };
  if (troubles + 1 < attempts) return { kind: 'again', counts: true };
  const message = `${failure.message} Given up after ${troubles + 1} failed attempts.`;
  return { kind: 'failed', failure: new Failure(failure.type, message, { retryable: false }) };
}

/**
 * Returns the answer of a request without a line. If the batch did not finish, it was not asked.
 */
export function untold(id: string, { state }: Pick<BatchStatus, 'state'>): BatchAnswer {
  if (state !== 'completed') return { id, unasked: state };
  const message = 'The batch ended without an answer to this.';
  return { id, failure: new Failure('MalformedResponse', message) };
}

/**
 * Interprets the refusal of a whole batch. Either too many tokens were under way, and a smaller
 * batch is made later; or some lines are wrong, and the others may be asked; or the cause is
 * unknown, and each request has failed once.
 */
export function refusalOf({ problems }: Pick<BatchStatus, 'problems'>) {
  const tooMuch = problems.some(({ code }) => /token_limit_exceeded/.test(code));
  const lines = new Map<number, Failure>();
  for (const { line, message, code } of problems) {
    if (line === null) continue;
    const said = `The batch's file was refused for line ${line} (${code}): ${message}`;
    lines.set(line, new Failure('BadRequest', said));
  }
  const said = problems.map(({ code, message }) => `${message} (${code})`).join('; ');
  const ofAll = new Failure('Overloaded', `The provider refused the batch. ${said}`.trim());
  /** @param line Line number, from 1. */
  const answerTo = (id: string, line: number): BatchAnswer => {
    const failure = lines.size > 0 ? lines.get(line) : ofAll;
    return failure && !tooMuch ? { id, failure } : { id, unasked: 'refused' };
  };
  return { tooMuch, answerTo };
}
