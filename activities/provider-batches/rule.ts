/** What becomes of a request when its batch has ended. Pure. */

import { Failure } from '../../core/failure.js';
import type { BatchAnswer, BatchStatus } from '../../llm/batch-endpoint.js';
import type { Completion } from '../../llm/language-model.js';

export type Ruling =
  | { kind: 'answered'; completion: Completion }
  /** Its step fails, as it would have by itself. */
  | { kind: 'failed'; failure: Failure }
  /** It goes into the next batch; `counts` where that is a failed attempt. */
  | { kind: 'again'; counts: boolean };

/**
 * @param answer What a line said of it; undefined where none did.
 * @param troubles Failed attempts so far, without this one.
 */
export function ruling(
  answer: BatchAnswer | undefined,
  { state }: Pick<BatchStatus, 'state'>,
  troubles: number,
  attempts: number,
): Ruling {
  if (answer && 'completion' in answer) return { kind: 'answered', completion: answer.completion };
  if (answer && 'unasked' in answer) return { kind: 'again', counts: false };
  if (!answer) {
    // Of a batch that was not finished, what is missing was not asked.
    if (state !== 'completed') return { kind: 'again', counts: false };
    const missing = new Failure('MalformedResponse', 'The batch ended without an answer to this.', {
      retryable: true,
    });
    return counted(missing, troubles, attempts);
  }
  // The next batch leaves out what was refused.
  if (answer.refused !== undefined) return { kind: 'again', counts: false };
  return counted(answer.failure, troubles, attempts);
}

function counted(failure: Failure, troubles: number, attempts: number): Ruling {
  if (!failure.retryable) return { kind: 'failed', failure };
  if (troubles + 1 < attempts) return { kind: 'again', counts: true };
  const message = `${failure.message} Given up after ${troubles + 1} failed attempts.`;
  return { kind: 'failed', failure: new Failure(failure.type, message, { retryable: false }) };
}

/** Why a batch was refused as a whole, by what the provider found wrong with it. */
export type Refusal =
  /** Too much was under way: a smaller one, later. */
  | { kind: 'too-much' }
  /** These lines are wrong, by their place from 1; the others may be asked. */
  | { kind: 'lines'; lines: Map<number, Failure> }
  /** Nobody knows which: each has failed once. */
  | { kind: 'all'; failure: Failure };

export function refusalOf({ problems }: Pick<BatchStatus, 'problems'>): Refusal {
  if (problems.some(({ code }) => /token_limit_exceeded/.test(code))) return { kind: 'too-much' };
  const lines = new Map<number, Failure>();
  for (const { line, message, code } of problems) {
    if (line === null) continue;
    const said = `The batch's file was refused for line ${line} (${code}): ${message}`;
    lines.set(line, new Failure('BadRequest', said));
  }
  if (lines.size > 0) return { kind: 'lines', lines };
  const said = problems.map(({ code, message }) => `${message} (${code})`).join('; ');
  const failure = new Failure('Overloaded', `The provider refused the batch. ${said}`.trim());
  return { kind: 'all', failure };
}
