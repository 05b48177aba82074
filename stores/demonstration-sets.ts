import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.js';
import { command } from '../core/command.js';
import type { DemonstrationSet, QuestionDocument } from '../core/demonstration-sets.js';
import { Failure } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import type { DemonstrationSetRef } from '../steps/non-model-steps.js';
import type { KeyValueStore } from './key-value-store.js';

/** A store of demonstration sets, as `demonstrationSets` returns it. */
export type DemonstrationSets = ReturnType<typeof demonstrationSets>;

const stored = z.object({
  origin: z.object({
    run: z.string(),
    method: z.string(),
    embeddingModel: z.string().nullable(),
    drawnFrom: z.literal('allPairs').exactOptional(),
    clusters: z.number(),
    pairs: z.number(),
    seed: z.number(),
    questions: z.string(),
    questionsHash: z.string(),
  }),
  size: z.number(),
  clusters: z.array(
    z.object({
      size: z.number(),
      pairs: z.array(z.object({ question: z.string(), document: z.string() })),
    }),
  ),
}) satisfies z.ZodType<DemonstrationSet>;

/**
 * Returns a store of the demonstration sets of GenRead's clustering-based prompts in a key-value
 * store that all workers share: `put` stores a set under a name, `find` returns a reference to the
 * set of a name (its id and its number of clusters), and `get` the set of an id. A set has pairs
 * of a question and a document, grouped by cluster.
 */
export function demonstrationSets(store: KeyValueStore) {
  /** Returns the set of an id. @throws Failure UnknownText if there is none. */
  async function get(id: string): Promise<DemonstrationSet> {
    const text = await store.get(`set:${id}`);
    if (text === undefined) throw missing(`the id "${id}"`);
    return stored.parse(JSON.parse(text));
  }

  return {
    get,
    /**
     * Stores a set, and returns a reference to it. From now on the name refers to this set, even if
     * it referred to another one before.
     */
    async put(name: string, set: DemonstrationSet): Promise<DemonstrationSetRef> {
      const text = canonicalJson(set);
      const id = `set-${sha256Of(text, 32)}`;
      await store.set(`set:${id}`, text);
      await store.set(`name:${name}`, id);
      return { id, clusters: set.clusters.length };
    },
    /** Returns a reference to the set of a name. @throws Failure UnknownText if there is none. */
    async find(name: string): Promise<DemonstrationSetRef> {
      const id = await store.get(`name:${name}`);
      if (id === undefined) throw missing(`the name "${name}"`);
      return { id, clusters: (await get(id)).clusters.length };
    },
    /**
     * Returns the pairs of one cluster of a set; clusters are counted from 0.
     *
     * @throws Failure UnknownText if there is no such set or cluster.
     */
    async pairs(id: string, cluster: number): Promise<QuestionDocument[]> {
      const found = (await get(id)).clusters[cluster];
      if (!found) throw missing(`the id "${id}" and a cluster ${cluster + 1}`);
      return found.pairs;
    },
  };
}

function missing(what: string): Failure {
  return new Failure(
    'UnknownText',
    `demonstrationSet: no set with ${what} is in the worker's store; make one with ${command('clusters')}.`,
  );
}
