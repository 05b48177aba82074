/** What a batch begins, counts and waits for, without a server. */
import { describe, expect, it } from 'vitest';
import type { PageQuestion } from '../../activities/batch/read-questions.js';
import type { Tally } from '../../methods/batch.js';
import { parseBatchInput } from '../../methods/batch-input.js';
import { noSums } from '../../methods/batch-sums.js';
import { noUsage } from '../../methods/usage.js';
import { Book, openingStanding } from '../../workflows/batch/book.js';

const question = (at: number): PageQuestion => ({
  id: `q${at}`,
  name: `q${at}`,
  question: '?',
  at,
});

function opened(settings: object = {}, questions = 3): Book {
  const input = { run: 'r', method: 'base' as const, dataset: 'd.jsonl', ...settings };
  const book = new Book(openingStanding(input, 0));
  book.opened(parseBatchInput(input), questions);
  book.read({
    questions: Array.from({ length: questions }, (_, i) => question(i)),
    kept: noSums,
    next: null,
  });
  return book;
}

/** The next question, where one has to be there. */
function begin(book: Book, running = 0): PageQuestion {
  const next = book.next(running);
  if (!next) throw new Error('Nothing begins.');
  return next;
}

const tally = (changes: Partial<Tally> = {}): Tally => ({
  id: 'q0',
  outcome: 'answered',
  scores: { em: 1 },
  usage: { ...noUsage, calls: 1, costUsd: 0.1 },
  ...changes,
});

const failed = (type: string, scores: Tally['scores'] = {}): Tally =>
  tally({ outcome: 'failed', failure: { type, message: 'Why.', step: null }, scores });

describe('Book', () => {
  it('says where a batch stands before its input has been checked', () => {
    expect(new Book(openingStanding(undefined, 5)).progress(0)).toMatchObject({
      state: 'opening',
      questions: 0,
      settings: { concurrency: 20, budgetUsd: null },
      startedAt: 5,
    });
  });

  it('begins in order, so many at a time', () => {
    const book = opened({ concurrency: 2 });
    expect([book.next(0)?.id, book.next(1)?.id, book.next(2)?.id]).toEqual(['q0', 'q1', undefined]);
    book.set({ concurrency: 3 });
    expect([book.next(2)?.id, book.next(0)?.id]).toEqual(['q2', undefined]);
  });

  it('begins nothing while it is paused, and keeps what it was paused for', () => {
    const book = opened();
    book.settle(question(0), failed('QuotaExhausted'));
    book.pause();
    expect(book.next(0)).toBeUndefined();
    expect(book.progress(0)).toMatchObject({
      state: 'paused',
      pause: { reason: 'QuotaExhausted', message: 'Why.' },
    });
    book.resume();
    expect(book.progress(0)).toMatchObject({ state: 'running', pause: null });
  });

  it('counts a question once, and not yet where every other would fail alike', () => {
    const book = opened();
    const [first, second] = [begin(book), begin(book, 1)];
    book.settle(first, failed('UnknownModel'));
    book.settle(second, failed('Timeout', { em: 0 }));
    expect(book.progress(0)).toMatchObject({
      done: 1,
      outcomes: { failed: 1 },
      scores: { em: { questions: 1, sum: 0 } },
      usage: { calls: 2, costUsd: 0.2 },
    });
    book.resume();
    expect([book.next(0)?.id, book.next(1)?.id]).toEqual(['q0', 'q2']);
  });

  it('pauses for a spent budget only when nothing is under way any more', () => {
    const book = opened({ budgetUsd: 0.15 });
    book.settle(begin(book), tally());
    expect(book.next(1)).toBeUndefined();
    expect(book.progress(1).state).toBe('running');
    expect(book.next(0)).toBeUndefined();
    expect(book.progress(0)).toMatchObject({ state: 'paused', pause: { reason: 'budget' } });
  });

  it('has the judge asked before the next question, and keeps its cost apart', () => {
    const book = opened({ judge: 'j' });
    const first = begin(book);
    book.settle(first, tally({ toJudge: true }));
    const judging = begin(book);
    expect(judging).toEqual({ ...first, toJudge: true });
    const usage = { ...noUsage, calls: 3, costUsd: 0.3 };
    book.settleJudged(judging, { judged: { scores: { claimRecall: 0.5 }, usage } });
    const { failure } = failed('Terminated');
    book.settleJudged(judging, failure ? { failure } : {});
    expect(book.progress(0)).toMatchObject({
      done: 1,
      scores: { em: { questions: 1 }, claimRecall: { questions: 1, sum: 0.5 } },
      usage: { calls: 1, costUsd: 0.1 },
      judge: { usage: { calls: 3, costUsd: 0.3 }, failed: 1 },
    });
    expect(book.standing.spending).toMatchObject({ usd: expect.closeTo(0.4), priced: 1 });
  });

  it('goes on from where another has stood', () => {
    const book = opened();
    book.settle(begin(book), tally());
    const next = new Book(JSON.parse(JSON.stringify(book.standing)));
    expect(next.progress(2)).toEqual(book.progress(2));
    expect(next.next(0)?.id).toBe('q1');
    expect(book.standing.waiting).toHaveLength(2);
  });
});
