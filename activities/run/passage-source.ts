/** The source of passages for a run's questions: the data set's own, or a corpus. */

import type { DatasetPassage, DatasetRecord } from '../../core/dataset-record.js';
import { requireCorpus } from '../../core/options/idle-retrieval.js';
import { type RunSpec, searchModeOf } from '../../core/run/input.js';
import type { Passage } from '../../core/vocabulary.js';
import type { Retriever } from '../../retrieval/retriever.js';
import type { Ports } from '../runtime/ports.js';

/**
 * A passage with an id derived from its title and text. `ownId` and `score` are the id and score
 * that the data set or the corpus gave it; undefined if it gave none.
 */
export type FoundPassage = Passage & Pick<DatasetPassage, 'score'> & { ownId: string | undefined };

/**
 * A source of passages for the questions of a run: `find` returns the best passages for a
 * question, `own` those that came with it and replace the corpus (none if the run has no
 * `ownPassages`), `openCorpus` opens the corpus, and `corpus` is its description, null until it
 * has been opened.
 */
export type PassageSource = ReturnType<typeof passageSource>;

/**
 * Returns a source that finds the best passages for each question of a run: those that came with
 * the question, if the run has `ownPassages` and there are any; otherwise those of a search of the
 * run's corpus, which is opened when a question first needs it.
 */
export function passageSource(
  spec: RunSpec,
  { corpora, describeCorpus }: Pick<Ports, 'corpora' | 'describeCorpus'>,
  signal: AbortSignal,
) {
  let opened: { retriever: Retriever; description: Record<string, unknown> } | undefined;

  /**
   * Opens the corpus unless it is already open.
   *
   * @throws Failure if no corpus is named, or if it is missing or unfit.
   */
  async function openCorpus(record: DatasetRecord): Promise<Retriever> {
    const name = requireCorpus(spec.corpus, record);
    opened ??= {
      retriever: await corpora.open(name, searchModeOf(spec)),
      description: await describeCorpus(name),
    };
    return opened.retriever;
  }
  /** Returns the passages of a question that replace the corpus; empty if there are none. */
  const own = ({ passages = [] }: DatasetRecord): DatasetPassage[] =>
    spec.ownPassages ? passages : [];

  return {
    /** Description of the corpus by its index; null until a question needs it. */
    get corpus(): Record<string, unknown> | null {
      return opened?.description ?? null;
    },
    own,
    openCorpus,
    /**
     * Finds the first `depth` passages for a question, best first: its own, or those of a search.
     * Passages of equal title and text are given once. The id is derived from title and text, so it
     * is the same in every run.
     */
    async find(record: DatasetRecord, depth: number): Promise<FoundPassage[]> {
      const supplied = own(record);
      if (supplied.length > 0) return byContent(supplied.slice(0, depth));
      const { search, get } = await openCorpus(record);
      const refs = await search(record.question, depth, searchModeOf(spec), signal);
      return byContent(await get(refs.map(({ id }) => id)));
    },
  };
}

function byContent(passages: readonly DatasetPassage[]): FoundPassage[] {
  const distinct = new Map(
    passages.map(({ id: ownId, title, text, score }) => {
      const id = JSON.stringify([title, text]);
      return [id, { id, title, text, score, ownId }];
    }),
  );
  return [...distinct.values()];
}
