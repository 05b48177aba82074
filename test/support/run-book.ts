/** A book of a run, and what comes of its questions, without a server. */
import type { Tally } from '../../core/run/run.js';
import { NO_SUMS } from '../../core/run/sums.js';
import { NO_USAGE } from '../../core/usage.js';
import { parseRunInput } from '../../interpreters/methods.js';
import type { PageQuestion } from '../../workflows/activities/run.js';
import { RunBook } from '../../workflows/run/run-book.js';
import type { WaitingQuestion } from '../../workflows/run/run-pauses.js';
import { initialBookState } from '../../workflows/run/run-state.js';

export const question = (at: number): PageQuestion => ({
  id: `q${at}`,
  name: `q${at}`,
  question: '?',
  at,
});

export function opened(
  settings: object = {},
  questions = 3,
  callsEach?: number,
  assumedFree?: string[],
  mostCalls?: number,
): RunBook {
  const input = { run: 'r', method: 'base' as const, dataset: 'd.jsonl', ...settings };
  const state = new RunBook(initialBookState(input, 0));
  const told = callsEach !== undefined && { callsEach };
  const spec = { ...parseRunInput(input), dataset: 'd' };
  const free = assumedFree && { assumedFree };
  const most = mostCalls !== undefined && { mostCalls };
  state.opened({ spec, datasetName: 'd', questions, ...told, ...free, ...most });
  state.read({
    questions: Array.from({ length: questions }, (_, i) => question(i)),
    read: questions,
    kept: NO_SUMS,
    next: null,
  });
  return state;
}

/** The next question, where one has to be there. */
export function begin(state: RunBook, running = 0): WaitingQuestion {
  const next = state.next(running);
  if (!next) throw new Error('Nothing begins.');
  return next;
}

/** The same at a time that can be set; 1000 at first. */
export function at(state: RunBook): [state: RunBook, set: (ms: number) => void] {
  let now = 1000;
  const set = (ms: number) => {
    now = ms;
  };
  return [new RunBook(state.standing, () => now), set];
}

export const tally = (changes: Partial<Tally> = {}): Tally => ({
  id: 'q0',
  outcome: 'answered',
  scores: { em: 1 },
  usage: { ...NO_USAGE, calls: 1, costUsd: 0.1 },
  ...changes,
});

export const failed = (type: string, scores: Tally['scores'] = {}): Tally =>
  tally({ outcome: 'failed', failure: { type, message: 'Why.', step: null }, scores });
