/** The passages of one question with their texts, each once. */
import type { Block, PassageName } from '../../core/section.js';
import type { OwnReference } from '../../core/vocabulary.js';
import type { RunManifest } from '../../stores/runs/run-store.js';

/**
 * Texts of passages by id, of those there are; a passage without one is shown by its title.
 *
 * @param run whose corpus the ids are of, or which stored them.
 */
export type ReadTexts = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** A passage as a run names it. */
type NamedPassage = PassageName & { wantsText: boolean };

export interface PassageText {
  id: string;
  title: string;
  /** Id and score given by the supplier, or the document's id; null if there is neither. */
  own: OwnReference | null;
  /** The text; null if only the title is shown. */
  text: string | null;
  /** Whether it contains an accepted answer. */
  hit: boolean;
}

export interface Passages {
  /** Every passage of a run, each once. */
  passages: PassageText[];
  /** Returns the place among them of a passage that a run names. */
  placeOf(run: number, id: string): number;
}

/** Most passages of a list that have their texts. */
const TEXTS = 20;

/** Returns the passages that blocks contain, at any depth. */
export function passagesIn(blocks: readonly Block[] = []): NamedPassage[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'passages':
        return block.items.flatMap(({ passage, titleOnly = false, blocks: made }, rank) => [
          { ...passage, wantsText: !titleOnly && rank < TEXTS },
          ...passagesIn(made),
        ]);
      case 'cards':
        return block.items.flatMap((card) => passagesIn(card.blocks));
      case 'tree':
        return block.items.flatMap((node) => [
          ...passagesIn(node.blocks),
          ...passagesIn([{ type: 'tree', items: node.children }]),
        ]);
      case 'fold':
        return passagesIn(block.blocks);
      default:
        return [];
    }
  });
}

/**
 * Returns the passages with their texts, and the position of each. A run is asked once, for the
 * texts of those that it names first.
 *
 * @param named Passages named by each run.
 */
export async function readPassages(
  manifests: readonly RunManifest[],
  named: readonly (readonly NamedPassage[])[],
  readTexts: ReadTexts,
  isHit: (text: string) => boolean,
): Promise<Passages> {
  const entries = new Map<string, NamedPassage & { run: number; place: number }>();
  // Ids of two corpora may be equal.
  const keyOf = (run: number, id: string) => JSON.stringify([manifests[run]?.input.corpus, id]);
  for (const [run, passages] of named.entries()) {
    for (const passage of passages) {
      const key = keyOf(run, passage.id);
      const entry = entries.get(key) ?? { ...passage, run, place: entries.size };
      entry.title ||= passage.title;
      entry.own ??= passage.own;
      entry.wantsText ||= passage.wantsText;
      entries.set(key, entry);
    }
  }
  const all = [...entries.values()];
  const texts = await Promise.all(
    manifests.map((manifest, run) => {
      const wanted = all.filter((entry) => entry.run === run && entry.wantsText);
      const ids = wanted.map(({ id }) => id);
      return ids.length === 0 ? new Map<string, string>() : readTexts(manifest, ids);
    }),
  );
  const passages = all.map(({ id, title, own, run, wantsText }): PassageText => {
    const text = wantsText ? (texts[run]?.get(id) ?? null) : null;
    return { id, title, own: own ?? null, text, hit: text !== null && isHit(text) };
  });
  return { passages, placeOf: (run, id) => entries.get(keyOf(run, id))?.place ?? -1 };
}
