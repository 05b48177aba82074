/** What a question was answered from, as its method declares it. Pure. */
import type { MethodRegistry } from './registry.js';
import type { MethodResult } from './result.js';
import type { OwnReference, PassageRef } from './vocabulary.js';

/** What a question was answered from: references to passages, and texts that a model wrote. */
export interface Read {
  /** Distinct passages, in the order in which the method declares them. */
  passages: PassageRef[];
  /** Texts written instead of passages (GenRead), or in addition to them. */
  documents: string[];
}

/**
 * Returns what the answer of a result rests on: what its method declares for its chain, or else the
 * evidence, with 1/rank as score. 'unknown' if there is neither, or if the method's declaration
 * throws; undefined for a question that failed.
 */
export function readBy(
  {
    method,
    outcome,
    chain,
    evidence,
  }: Pick<MethodResult, 'method' | 'outcome' | 'chain' | 'evidence'>,
  methods: MethodRegistry,
): Read | 'unknown' | undefined {
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
      // The answer is kept and scored without what its chain does not show.
      return 'unknown';
    }
  }
  if (evidence.length === 0) return 'unknown';
  const refs = evidence.map((id, i) => ({ id, title: '', score: 1 / (i + 1) }));
  return { passages: distinctPassages(refs), documents: [] };
}

/** Returns the `passages` of an object. */
export function passagesOf<P>({ passages }: { passages: P }): P {
  return passages;
}

/** Returns the passages read, for a method whose chain has them as `passages`. */
export function chainPassages(chain: { passages: PassageRef[] }): readonly PassageRef[] {
  return passagesOf(chain);
}

/** Returns the passages of these ids, in the order of the ids; missing ones are left out. */
export function inOrder<P extends { id: string }>(
  passages: readonly P[],
  ids: readonly string[],
): P[] {
  const found = new Map(passages.map((passage) => [passage.id, passage]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Returns each passage once, at its first place. */
export function distinctPassages(passages: readonly PassageRef[]): PassageRef[] {
  const found = new Map<string, PassageRef>();
  for (const passage of passages) if (!found.has(passage.id)) found.set(passage.id, passage);
  return [...found.values()];
}

/**
 * A found passage as a history holds it, without the names of its fields, which would take as much
 * as what they name.
 */
export type FoundRow = readonly [id: string, title: string, score: number, own?: OwnReference];

/** Returns a passage as a row. */
export function rowOf({ id, title, score, own }: PassageRef): FoundRow {
  return own ? [id, title, score, own] : [id, title, score];
}

/** Returns the passage of a row. */
export function foundIn([id, title, score, own]: FoundRow): PassageRef {
  return { id, title, score, ...(own && { own }) };
}
