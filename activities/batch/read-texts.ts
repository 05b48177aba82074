/** What a method has read, told from its result. Pure. */

import type { MethodResult } from '../../methods/result.js';
import { isMethod } from '../../workflows/methods.js';

export interface ReadTexts {
  /** Ids of passages, best first. */
  passages: string[];
  /** Generated documents, which were read after the passages. */
  documents: string[];
}

/**
 * Of a method of ours the passages of its chain (see `passagesOf`) and GenRead's `documents`. The
 * chain of a method of one's own has names of its own: what it read is its evidence, and 'unknown'
 * where it has none. Undefined where nothing was read, and for a question that failed.
 */
export function readTexts({
  method,
  outcome,
  chain,
  evidence,
}: Pick<MethodResult, 'method' | 'outcome' | 'chain' | 'evidence'>):
  | ReadTexts
  | 'unknown'
  | undefined {
  if (outcome === 'failed') return undefined;
  if (!isMethod(method)) {
    return evidence.length === 0 ? 'unknown' : { passages: [...new Set(evidence)], documents: [] };
  }
  if (typeof chain !== 'object' || chain === null) return undefined;
  const { documents } = chain as Record<string, unknown>;
  const passages = passagesOf(chain);
  const generated = listOf(documents);
  if (!passages && !generated) return undefined;
  return {
    passages: passages ?? [],
    documents: (generated ?? []).flatMap(({ text }) => (typeof text === 'string' ? text : [])),
  };
}

/**
 * The ids of a chain's passages, each once: its `passages`, or LLatrieval's `supporting`, best
 * first; else what the searches of ALLIES' states and of self-ask's follow-ups found, in their
 * order, which may be nothing. Undefined for the chain of a method that does not search.
 */
export function passagesOf(chain: object): string[] | undefined {
  const { passages, supporting } = chain as Record<string, unknown>;
  const found = listOf(passages) ?? listOf(supporting) ?? foundBySteps(chain);
  const ids = found?.flatMap(({ id }) => (typeof id === 'string' ? id : []));
  return ids && [...new Set(ids)];
}

/** A chain of a method that searches step by step has passages with each step. */
function foundBySteps(chain: object): Record<string, unknown>[] | undefined {
  const { states, followUps, chains } = chain as Record<string, unknown>;
  const asked = listOf(followUps) ?? listOf(chains)?.flatMap((one) => listOf(one.followUps) ?? []);
  const steps = listOf(states) ?? asked;
  return steps?.flatMap(({ passages }) => listOf(passages) ?? []);
}

function listOf(value: unknown): Record<string, unknown>[] | undefined {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : undefined;
}
