import type { Source } from '../../steps/other.js';

/** What is in the worker's own process. */
export interface InProcess {
  /** Whether that is where a corpus is searched. */
  corpus(name: string): boolean;
  /** The passages that come with questions. */
  passages: boolean;
}

/** Tells whether the worker searches by itself. What is paid for, as vectors are, it does not. */
export function searchesItself(source: Source, inProcess: InProcess | undefined): boolean {
  if (!inProcess) return false;
  const isAtHand = 'supplied' in source ? inProcess.passages : inProcess.corpus(source.corpus);
  return isAtHand && (source.mode === undefined || source.mode === 'bm25');
}
