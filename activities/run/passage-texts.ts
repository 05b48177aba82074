import { FAILURES, Failure } from '../../core/failure.js';
import type { ReadTexts } from '../../report/question/passage-texts.js';
import type { ImportedTexts } from '../../retrieval/imported-texts.js';
import type { Corpora, Retriever } from '../../retrieval/retriever.js';
import { corpusName } from './run-of.js';

type Place = Pick<Retriever, 'get'>;

/**
 * Returns `texts`, a function that returns the texts of passages of a run as a map by id without
 * the missing ones, and `gone`, the set of names of the runs of which it missed passages. It looks
 * first in the imported texts of the run, then in its corpus, then among the passages that came
 * with questions. A corpus is opened once.
 */
export function passageTexts(
  corpora: Corpora,
  supplied: Place,
  imported: ImportedTexts['get'] = async () => new Map(),
) {
  const opened = new Map<string, Promise<Place | undefined>>();
  const gone = new Set<string>();

  function open(name: string): Promise<Place | undefined> {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const opening = corpora.open(name).catch(() => undefined);
    opened.set(name, opening);
    return opening;
  }

  const texts: ReadTexts = async (manifest, ids) => {
    const { run } = manifest;
    // The build that the run read: in another build, an id may belong to another text.
    const name = corpusName(manifest);
    const found = new Map(await imported(run, ids));
    for (const place of [...(name === null ? [] : [() => open(name)]), () => supplied]) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) break;
      for (const [id, text] of await textsFrom(await place(), missing)) found.set(id, text);
    }
    if (ids.some((id) => !found.has(id))) gone.add(run);
    return found;
  };
  return {
    /** Names of the runs of which passages were missing in a read. */
    gone: gone as ReadonlySet<string>,
    /**
     * Returns the texts of the passages that a run has read, by id; missing passages are left out.
     */
    texts,
  };
}

/** Returns the texts that exist, by id: all at once, or one by one if some are missing. */
async function textsFrom(
  place: Place | undefined,
  ids: readonly string[],
): Promise<[id: string, text: string][]> {
  if (!place || ids.length === 0) return [];
  try {
    return (await place.get(ids)).map(({ id, text }) => [id, text]);
  } catch (error) {
    if (!(error instanceof Failure) || !FAILURES[error.type].gone) throw error;
    if (ids.length === 1) return [];
    return (await Promise.all(ids.map((id) => textsFrom(place, [id])))).flat();
  }
}
