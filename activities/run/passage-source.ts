/** Where the passages of a run's questions come from: with the question, or from the corpus. */

import type { DatasetPassage, DatasetRecord } from '../../core/dataset-record.js';
import { namedCorpus } from '../../core/options/idle-retrieval.js';
import { type RunSpec, searchModeOf } from '../../core/run/input.js';
import type { Passage } from '../../core/vocabulary.js';
import type { Retriever } from '../../retrieval/retriever.js';
import type { Ports } from '../runtime/ports.js';

/** A passage whose id is told by its content, with the id that the data set or the corpus gives it. */
export type FoundPassage = Passage & { ownId: string | undefined };

export type PassageSource = ReturnType<typeof passageSource>;

export function passageSource(
  spec: RunSpec,
  { corpora, describeCorpus }: Pick<Ports, 'corpora' | 'describeCorpus'>,
  signal: AbortSignal,
) {
  let opened: { retriever: Retriever; description: Record<string, unknown> } | undefined;

  /**
   * Opens the corpus for a question if it has not been.
   *
   * @throws Failure when none is named, when it is not there, or not fit.
   */
  async function openCorpus(record: DatasetRecord): Promise<Retriever> {
    const name = namedCorpus(spec.corpus, record);
    opened ??= {
      retriever: await corpora.open(name, searchModeOf(spec)),
      description: await describeCorpus(name),
    };
    return opened.retriever;
  }
  /** The passages that are used in place of the corpus. */
  const own = ({ passages = [] }: DatasetRecord): DatasetPassage[] =>
    spec.ownPassages ? passages : [];

  return {
    /** What the index says of itself; null as long as no question needed it. */
    get corpus(): Record<string, unknown> | null {
      return opened?.description ?? null;
    },
    own,
    openCorpus,
    /**
     * The first passages for a question, its own or those a search finds, best first. The same title
     * and text is there once and has the same id in every run: it is told by its content.
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

function byContent(
  passages: readonly Pick<DatasetPassage, 'id' | 'title' | 'text'>[],
): FoundPassage[] {
  const distinct = new Map(
    passages.map(({ id: ownId, title, text }) => {
      const id = JSON.stringify([title, text]);
      return [id, { id, title, text, ownId }];
    }),
  );
  return [...distinct.values()];
}
