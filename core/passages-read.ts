/**
 * Finds the passages and generated documents that an answer rests on, as its method declares them.
 * Pure.
 */
import type { MethodRegistry } from './method-registry.js';
import type { MethodResult } from './result.js';
import type { OwnReference, PassageRef } from './vocabulary.js';

/** The sources of an answer: references to passages, and texts that a model wrote. */
interface AnswerSources {
  /** Distinct passages, in the order in which the method declares them. */
  passages: PassageRef[];
  /** Texts written instead of passages (GenRead), or in addition to them. */
  documents: string[];
}

/**
 * Returns the sources that a result's answer rests on, as its method declares them: references to
 * the `passages`, and the texts that a model wrote (`documents`). By default they are the passages
 * of its evidence, without titles and with 1/rank as score. Returns 'unknown' if there is no
 * declaration and no evidence, or if the declaration throws, and undefined for a failed question.
 */
export function answerSources(
  {
    method,
    outcome,
    chain,
    evidence,
  }: Pick<MethodResult, 'method' | 'outcome' | 'chain' | 'evidence'>,
  methods: MethodRegistry,
): AnswerSources | 'unknown' | undefined {
  if (outcome === 'failed' || chain === null) return undefined;
  const { passagesRead, documentsRead } = methods.get(method) ?? {};
  if (passagesRead) {
    try {
      const documents = documentsRead?.(chain as never) ?? [];
      return {
        passages: distinctPassages(passagesRead(chain as never)),
        documents: [...documents],
      };
    } catch {
      // The answer is scored without the sources that its chain does not contain.
      return 'unknown';
    }
  }
  if (evidence.length === 0) return 'unknown';
  const refs = evidence.map((id, i) => ({ id, title: '', score: 1 / (i + 1) }));
  return { passages: distinctPassages(refs), documents: [] };
}

/**
 * Returns the field `passages` of an object, for use as a callback: `states.flatMap(passagesOf)`.
 */
export function passagesOf<P>({ passages }: { passages: P }): P {
  return passages;
}

/**
 * Returns the references to passages in the field `passages` of a chain, for `Method.passagesRead`
 * of methods whose chain has it.
 */
export function chainPassages(chain: { passages: PassageRef[] }): readonly PassageRef[] {
  return passagesOf(chain);
}

/**
 * Returns the passages with the given ids, in the order of the ids. Ids without a passage are
 * skipped.
 */
export function inIdOrder<P extends { id: string }>(
  passages: readonly P[],
  ids: readonly string[],
): P[] {
  const found = new Map(passages.map((passage) => [passage.id, passage]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Returns the references to passages in their order, and of those with the same id only the first.
 */
export function distinctPassages(passages: readonly PassageRef[]): PassageRef[] {
  const found = new Map<string, PassageRef>();
  for (const passage of passages) if (!found.has(passage.id)) found.set(passage.id, passage);
  return [...found.values()];
}

/**
 * A passage reference as a tuple, which takes half the space of an object in a workflow's history:
 * its id, title and score, and the id and score that its supplier gave it (`own`), if any.
 */
export type PassageTuple = readonly [id: string, title: string, score: number, own?: OwnReference];

/**
 * Returns a passage reference as a tuple for a workflow's history: [id, title, score], and `own`
 * as fourth if it has one.
 */
export function passageTuple({ id, title, score, own }: PassageRef): PassageTuple {
  return own ? [id, title, score, own] : [id, title, score];
}

/**
 * Returns the passage reference (`id`, `title`, `score`, and `own` if there is a fourth value) of
 * a tuple from a workflow's history.
 */
export function passageOfTuple([id, title, score, own]: PassageTuple): PassageRef {
  return { id, title, score, ...(own && { own }) };
}
