/** Finds search settings without effect. Pure. */
import type { Method } from '../method.js';
import { badInput, type Problem } from './problems.js';

/**
 * Name of the corpus that a single question searches if it names none: the sample corpus. A run has
 * no default.
 */
export const DEFAULT_CORPUS = 'sample';

/** Fields of `retrieval` as the caller wrote them, without defaults. */
type Written = Partial<Record<'corpus' | 'mode' | 'passages', unknown>>;

/**
 * Returns a problem (`path` and `message`) for each field of a question's `retrieval` that has no
 * effect because of another field or of the method's options; empty if there is none. If the
 * method searches nothing, the default corpus is not reported.
 *
 * @param input The input as written; its shape was already checked.
 */
export function unusedRetrievalProblems(
  input: unknown,
  options: unknown,
  method: Searching,
): Problem[] {
  const { corpus, mode, passages }: Written = Object(Object(input).retrieval);
  const problems: Problem[] = [];
  if (passages !== undefined && corpus !== undefined) {
    problems.push({
      path: ['retrieval', 'corpus'],
      message:
        'has no effect: retrieval.passages come with the question and are searched in its place; ' +
        'leave out one of the two',
    });
  }
  if (searchesNothing(method, options)) {
    // Complete inputs contain the default.
    const named = corpus === DEFAULT_CORPUS ? undefined : corpus;
    const written = Object.entries({ corpus: named, mode, passages });
    const unread = written.filter(([, value]) => value !== undefined);
    problems.push(
      ...unread.map(([name]) => ({
        path: ['retrieval', name],
        message: 'has no effect: with these options the method searches nothing; leave it out',
      })),
    );
  }
  return problems;
}

/**
 * Returns a line for people that names the search settings without effect in a run whose questions
 * all have passages of their own; undefined if there are none. They are reported and not refused,
 * so that one set of flags serves several data sets. With noise, the passages keep their order, so
 * that `mode` has no effect.
 */
export function unusedSearchText({ corpus, mode, noise }: RunSearch): string | undefined {
  const named = [
    ...(corpus === undefined ? [] : [`corpus ${corpus}`]),
    ...(mode === undefined || noise === undefined ? [] : [`mode ${mode}`]),
  ];
  return named.length === 0
    ? undefined
    : `without effect, as no question searches: ${named.join(', ')}`;
}

type RunSearch = { [F in 'corpus' | 'mode' | 'noise']?: unknown };

/**
 * Returns the name of the corpus that a question of a data set searches, which is that of its run.
 *
 * @param corpus Corpus of the run; undefined if it names none.
 * @throws Failure BadInput if the run names none: the sample corpus does not answer other
 * questions.
 */
export function requireCorpus(corpus: string | undefined, { id }: { id: string }): string {
  if (corpus !== undefined) return corpus;
  throw badInput(
    'corpus',
    `is missing, and the question ${JSON.stringify(id)} has to search one, since none of its own passages are read; name an index (--corpus): the command "corpora" lists them, and "${DEFAULT_CORPUS}" is the sample corpus`,
  );
}

type Searching = Pick<Method<never>, 'searches'>;

/** Returns whether a method with these options never searches, so that it needs no corpus. */
export function searchesNothing({ searches }: Searching, options: unknown): boolean {
  return searches?.(options as never) === false;
}
