/** What an input says of its search and what cannot have an effect. Pure. */

/** The corpus that is searched where none is named. */
export const USUAL_CORPUS = 'sample';

/** The fields of `retrieval`, as the caller wrote them: a default says nothing. */
type Written = Partial<Record<'corpus' | 'mode' | 'passages', unknown>>;

/**
 * A refusal for each field of `retrieval` that another field, or the options, leave unread: whoever
 * set it expects it to change something.
 *
 * @param input as the caller wrote it, already found to have the right shape.
 * @param memoryOnly the method searches nothing, whatever its options.
 */
export function idleRetrieval(input: unknown, options: unknown, memoryOnly = false): string[] {
  const { corpus, mode, passages }: Written = Object(Object(input).retrieval);
  const problems: string[] = [];
  if (passages !== undefined && corpus !== undefined) {
    problems.push(
      'retrieval.corpus: has no effect: retrieval.passages come with the question and are searched ' +
        'in its place; leave out one of the two',
    );
  }
  if (searchesNothing({ memoryOnly }, options)) {
    const written = Object.entries({ corpus: otherThanUsual(corpus), mode, passages });
    const unread = written.filter(([, value]) => value !== undefined);
    problems.push(
      ...unread.map(
        ([name]) =>
          `retrieval.${name}: has no effect: with these options the method searches nothing; leave it out`,
      ),
    );
  }
  return problems;
}

/**
 * What a batch says of its search to no effect, where none of its questions searches a corpus. With
 * noise their own passages keep their order, so that nothing is searched at all.
 *
 * @param corpus as the batch has it: its default says nothing.
 */
export function idleSearch({ corpus, mode, noise }: BatchSearch): string[] {
  const isNamed = otherThanUsual(corpus) !== undefined;
  const own = 'every question brings its passages, which';
  return [
    ...(isNamed
      ? [
          `corpus: has no effect: ${own} are used in its place; leave it out, or set ownPassages to false to search it`,
        ]
      : []),
    ...(mode !== undefined && noise !== undefined
      ? [`mode: has no effect: ${own} with noise stay in their order; leave it out`]
      : []),
  ];
}

interface BatchSearch {
  corpus: string;
  mode?: unknown;
  noise?: unknown;
}

/** A corpus by its name, where it is not the default, which complete inputs have written out. */
function otherThanUsual(corpus: unknown): unknown {
  return corpus === USUAL_CORPUS ? undefined : corpus;
}

/** Whether the corpus of a batch has to be there: one that is named has, also where none is searched. */
export function needsCorpus(
  method: { memoryOnly?: boolean | undefined },
  { corpus, options }: { corpus: string; options: unknown },
): boolean {
  return otherThanUsual(corpus) !== undefined || !searchesNothing(method, options);
}

/** Whether a method with these options asks for no passages: no corpus has to be there then. */
export function searchesNothing(
  { memoryOnly = false }: { memoryOnly?: boolean | undefined },
  options: unknown,
): boolean {
  return memoryOnly || !searches(options);
}

/** False where the options say that nothing is searched: no passages, or evidence of another kind. */
function searches(options: unknown): boolean {
  const { passages, evidence = 'retrieved' } = Object(options) as Record<string, unknown>;
  return passages !== 0 && evidence === 'retrieved';
}
