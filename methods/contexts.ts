/** What a question was answered from, whichever method asked it: passages and generated texts. Pure. */
import { isMethod } from '../workflows/methods.js';
import type { MethodResult } from './result.js';
import type { PassageRef } from './vocabulary.js';

/** In the order in which they were come to. */
export interface Contexts {
  /** Each once; where the method put them in an order of its own, in that one. */
  passages: PassageRef[];
  /** Texts written in place of passages (GenRead), or beside them. */
  documents: string[];
}

/** The parts of chains that name passages in an order of the method's own. */
interface Ordered {
  /** RankGPT: ids, best first. */
  order?: string[];
  /** Reranking: the first is the one that is read. */
  rankings?: { ranked: PassageRef[] }[];
  /** LLatrieval: those the answer may cite. */
  supporting?: { id: string; title: string }[];
  documents?: { text: string }[];
}

/**
 * Reads the chain of a method of ours. Of one of one's own it is the evidence, with the titles and
 * scores that the passages have in its chain, if they do: else 1/rank for a score.
 */
export function contextsOf({
  method,
  chain,
  evidence,
}: Pick<MethodResult, 'method' | 'chain' | 'evidence'>): Contexts {
  const found = new Map<string, PassageRef>();
  for (const ref of refsIn(chain)) if (!found.has(ref.id)) found.set(ref.id, ref);
  if (!isMethod(method)) {
    const known = (id: string, i: number) => found.get(id) ?? { id, title: '', score: 1 / (i + 1) };
    return { passages: [...new Set(evidence)].map(known), documents: [] };
  }
  const { order, rankings, supporting, documents = [] } = Object(chain) as Ordered;
  const ids = order ?? rankings?.[0]?.ranked.map(({ id }) => id) ?? supporting?.map(({ id }) => id);
  return {
    passages: ids ? ids.flatMap((id) => found.get(id) ?? []) : [...found.values()],
    documents: documents.map(({ text }) => text),
  };
}

/** Every reference to a passage in a chain, in the order of its fields. */
function* refsIn(part: unknown): Generator<PassageRef> {
  if (typeof part !== 'object' || part === null) return;
  if (isRef(part)) yield part;
  else for (const inside of Object.values(part)) yield* refsIn(inside);
}

function isRef(part: object): part is PassageRef {
  const { id, title, score } = part as Partial<PassageRef>;
  return typeof id === 'string' && typeof title === 'string' && typeof score === 'number';
}
