/** The passages of one question, each once, whichever run names it. */
import type { RunManifest } from '../../../results/run-store.js';

interface Placed {
  id: string;
  title: string;
  /** Position of the first run that names it. */
  run: number;
  wantsText: boolean;
}

/** A passage as chains name it; ids of two corpora may be equal. */
export interface NamedPassage {
  id: string;
  title?: string;
}

/** Gives the place of a passage on the shelf; its text is wanted unless said otherwise. */
export type PlacePassage = (passage: NamedPassage, wantsText?: boolean) => number;

export class Shelf {
  readonly placed: Placed[] = [];
  private readonly places = new Map<string, number>();

  /** For the passages that a run names. */
  forRun(manifest: RunManifest, run: number): PlacePassage {
    return ({ id, title }, wantsText = true) => {
      const key = JSON.stringify([manifest.input.corpus, id]);
      const at = this.places.get(key) ?? this.placed.length;
      const before = this.placed[at] ?? { id, title: '', run, wantsText: false };
      this.placed[at] = {
        ...before,
        title: before.title || (title ?? ''),
        wantsText: before.wantsText || wantsText,
      };
      this.places.set(key, at);
      return at;
    };
  }
}
