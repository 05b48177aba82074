/** The passages of one question with their texts, each once. */

import type { PassageName } from '../../core/section.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { PassageText } from '../page-data.js';

/**
 * Texts of passages by id, of those there are; a passage without one is shown by its title.
 *
 * @param run whose corpus the ids are of, or which stored them.
 */
export type ReadTexts = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface Entry {
  id: string;
  title: string;
  /** Position of the first run that names it. */
  run: number;
  wantsText: boolean;
}

/** Returns the place of a passage in the index; loads its text unless told not to. */
export type PlacePassage = (
  passage: Pick<PassageName, 'id'> & Partial<PassageName>,
  wantsText?: boolean,
) => number;

export class PassageIndex {
  private readonly entries: Entry[] = [];
  private readonly places = new Map<string, number>();

  constructor(private readonly manifests: readonly RunManifest[]) {}

  /** An index for one run: ids of two corpora may be equal. */
  forRun(run: number): PlacePassage {
    const corpus = this.manifests[run]?.input.corpus;
    return ({ id, title }, wantsText = true) => {
      const key = JSON.stringify([corpus, id]);
      const at = this.places.get(key) ?? this.entries.length;
      const before = this.entries[at] ?? { id, title: '', run, wantsText: false };
      this.entries[at] = {
        ...before,
        title: before.title || (title ?? ''),
        wantsText: before.wantsText || wantsText,
      };
      this.places.set(key, at);
      return at;
    };
  }

  /**
   * Returns all passages in their places; a run is asked once for the texts of those it named
   * first.
   */
  async read(readTexts: ReadTexts, isHit: (text: string) => boolean): Promise<PassageText[]> {
    const texts = await Promise.all(
      this.manifests.map((manifest, run) => {
        const wanted = this.entries.filter((entry) => entry.run === run && entry.wantsText);
        const ids = wanted.map(({ id }) => id);
        return ids.length === 0 ? new Map<string, string>() : readTexts(manifest, ids);
      }),
    );
    return this.entries.map(({ id, title, run, wantsText }) => {
      const text = wantsText ? (texts[run]?.get(id) ?? null) : null;
      return { id, title, text, hit: text !== null && isHit(text) };
    });
  }
}
