/** Collects the passages of one question with their texts, each once. */
import type { Block, PassageName } from '../../core/section.js';
import type { OwnReference } from '../../core/vocabulary.js';
import type { RunManifest } from '../../stores/runs/run-store.js';

/**
 * A function that returns a map from the ids of passages to their texts. A passage whose text no
 * longer exists is left out.
 *
 * @param run Run whose corpus or store contains the passages.
 */
export type ReadTexts = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** A passage that a run refers to, and whether its text is shown. */
type NamedPassage = PassageName & { wantsText: boolean };

/**
 * A passage of a question's page: its id, title and text. The text is null if only the title is
 * shown, or if the text no longer exists.
 */
export interface PassageText {
  id: string;
  title: string;
  /** Id and score from the user's corpus, or the document's id; null if there is neither. */
  own: OwnReference | null;
  /** The text; null if only the title is shown or the text no longer exists. */
  text: string | null;
  /** Whether the text contains an accepted answer. */
  hit: boolean;
}

/**
 * The passages on the page of a question, each once for all runs, and a function that returns the
 * position of the one to which a run refers.
 */
export interface Passages {
  /** All passages, each once. */
  passages: PassageText[];
  /** Returns the position in `passages` of a passage that a run refers to; -1 if there is none. */
  placeOf(run: number, id: string): number;
}

/** Number of passages at the beginning of a list whose texts are shown. */
const TEXTS = 20;

/**
 * Returns the passages (id and title) in blocks and in the blocks inside them, in order.
 * `wantsText` tells whether the text is shown: that of the first 20 of a list, unless only titles
 * are. A passage can occur several times.
 */
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
 * Returns the passages of all runs (`passages`), each once for each corpus, in the order in which
 * they are first named, and a function that returns the position of a run's passage among them
 * (`placeOf`), -1 if it is not there. A text is read once, for the first run that refers to it; it
 * is null if no run shows it, or if it no longer exists.
 *
 * @param named For each run, the passages that it refers to.
 * @param isHit Returns whether a text contains an accepted answer.
 */
export async function readShownPassages(
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
