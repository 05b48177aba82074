/** What becomes of a request when its batch has ended: one row an ending. */
import { describe, expect, it } from 'vitest';
import { refusalOf, ruling } from '../../../activities/provider-batches/rule.js';
import { Failure } from '../../../core/failure.js';
import type { BatchAnswer, BatchStatus } from '../../../llm/batch-endpoint.js';

const completion = {
  ...{ text: 'x', cut: false, costUsd: 0, servedModel: 'm', fingerprint: null },
  usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 1 },
};
const failing = (type: 'Overloaded' | 'ContextTooLong' | 'ParameterRefused') => ({
  id: 'a',
  failure: new Failure(type, 'No.'),
});

it.each<[string, BatchAnswer | undefined, BatchStatus['state'], number, object]>([
  ['answered', { id: 'a', completion }, 'completed', 0, { kind: 'answered' }],
  ['answered before the end', { id: 'a', completion }, 'expired', 5, { kind: 'answered' }],
  [
    'not asked',
    { id: 'a', unasked: 'batch_expired' },
    'expired',
    5,
    { kind: 'again', counts: false },
  ],
  ['missing', undefined, 'completed', 0, { kind: 'again', counts: true }],
  ['missing for the last time', undefined, 'completed', 2, { kind: 'failed' }],
  ['missing in a batch that expired', undefined, 'expired', 2, { kind: 'again', counts: false }],
  ['missing in one cancelled', undefined, 'cancelled', 2, { kind: 'again', counts: false }],
  ['overloaded', failing('Overloaded'), 'completed', 1, { kind: 'again', counts: true }],
  ['overloaded once too often', failing('Overloaded'), 'completed', 2, { kind: 'failed' }],
  ['too long', failing('ContextTooLong'), 'completed', 0, { kind: 'failed' }],
  [
    'a refused parameter',
    { ...failing('ParameterRefused'), refused: 'seed' },
    ...(['completed', 2] as const),
    { kind: 'again', counts: false },
  ],
])('%s', (_, answer, state, troubles, expected) => {
  expect(ruling(answer, { state }, troubles, 3)).toMatchObject(expected);
});

it('says after how many attempts it was given up', () => {
  const ruled = ruling(failing('Overloaded'), { state: 'completed' }, 2, 3);
  expect(ruled).toMatchObject({
    failure: {
      type: 'Overloaded',
      retryable: false,
      message: 'No. Given up after 3 failed attempts.',
    },
  });
});

describe('a batch that is refused', () => {
  const problem = (code: string, line: number | null) => ({ code, line, message: 'Bad.' });

  it('is tried smaller where too much was under way', () => {
    const problems = [problem('token_limit_exceeded', null)];
    expect(refusalOf({ problems })).toEqual({ kind: 'too-much' });
  });

  it('names the lines that are wrong', () => {
    const refusal = refusalOf({ problems: [problem('invalid_json_line', 2), problem('x', null)] });
    expect(refusal.kind === 'lines' && [...refusal.lines.keys()]).toEqual([2]);
    expect(refusal.kind === 'lines' && refusal.lines.get(2)).toMatchObject({ type: 'BadRequest' });
  });

  it('is a failure of all where nobody says which', () => {
    expect(refusalOf({ problems: [problem('boom', null)] })).toMatchObject({
      kind: 'all',
      failure: { type: 'Overloaded', message: 'The provider refused the batch. Bad. (boom)' },
    });
  });
});
