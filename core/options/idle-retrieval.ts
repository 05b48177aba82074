/** Search settings of an input, and those without an effect. Pure. */
import type { Method } from '../method.js';
import { badInput, type Problem } from './problems.js';

/** Corpus of a question that names none: that of the demonstration. */
export const USUAL_CORPUS = 'sample';

/** Fields of `retrieval` as the caller wrote them, without defaults. */
type Written = Partial<Record<'corpus' | 'mode' | 'passages', unknown>>;

/**
 * Returns a refusal for each field of `retrieval` that has no effect because of another field or
 * the options, since its author expects an effect.
 *
 * @param input The input as written; its shape was already checked.
 */
export function idleRetrieval(input: unknown, options: unknown, method: Searching): Problem[] {
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
    const named = corpus === USUAL_CORPUS ? undefined : corpus;
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
 * Returns the search settings without effect of a run whose questions search no corpus; undefined
 * if there are none. They are reported and not refused, so that one set of flags serves several
 * data sets. With noise the questions' own passages keep their order, so nothing is searched.
 */
export function idleSearch({ corpus, mode, noise }: BatchSearch): string | undefined {
  const named = [
    ...(corpus === undefined ? [] : [`corpus ${corpus}`]),
    ...(mode === undefined || noise === undefined ? [] : [`mode ${mode}`]),
  ];
  return named.length === 0
    ? undefined
    : `without effect, as no question searches: ${named.join(', ')}`;
}

type BatchSearch = { [F in 'corpus' | 'mode' | 'noise']?: unknown };

/**
 * Returns the corpus that a question of a data set has to search.
 *
 * @throws Failure BadInput if none is named: the demonstration's says nothing about other
 * questions.
 */
export function namedCorpus(corpus: string | undefined, { id }: { id: string }): string {
  if (corpus !== undefined) return corpus;
  throw badInput(
    'corpus',
    `is missing, and the question ${JSON.stringify(id)} has to search one, since none of its own passages are read; name an index (--corpus): the command "corpora" lists them, and "${USUAL_CORPUS}" is the one of the demonstration`,
  );
}

type Searching = Pick<Method<never>, 'searches'>;

/** Tells whether a method with these options needs no passages, and so no corpus. */
export function searchesNothing({ searches }: Searching, options: unknown): boolean {
  return searches?.(options as never) === false;
}
