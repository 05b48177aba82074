/** Scores a list of answers by QAMPARI's rules. Pure. */
import { withoutCitations } from '../../core/citations.js';
import { normalizeAnswer } from '../../core/normalize-answer.js';
import { listItems } from './list-items.js';

/**
 * The precision, recall and F1 of a list of answers, each from 0 to 1, and the number of items
 * listed, as `listScores` returns them.
 */
export type ListScores = ReturnType<typeof listScores>;

/** Number of right answers that counts as full recall in ALCE. */
const ENOUGH = 5;

/**
 * Returns the `precision`, `recall` and `f1` of a list of answers, from 0 to 1, also by ALCE's
 * rule that five right answers are a recall of 1 (`recall5`, `f1At5`), and the number of its
 * `items`, repeats included.
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_qampari_f1`).
 *
 * @param output The answer, read by `listItems`. Citations are not part of an item.
 * @param groups For each right answer, all of its names.
 * @throws RangeError if there are no groups.
 * @example listScores('Nile [1], Congo, Rhine.', [['Nile'], ['Congo', 'Zaire']]).recall // 1
 */
export function listScores(output: string, groups: readonly (readonly string[])[]) {
  if (groups.length === 0) throw new RangeError('There is no answer to compare the list with.');
  const items = listItems(output)
    .map((item) => normalizeAnswer(nameIn(withoutCitations(item))))
    .filter((item) => item !== '');
  const listed = new Set(items);
  const names = groups.map((group) => group.map(normalizeAnswer));
  const right = new Set(names.flat());
  const found = names.filter((group) => group.some((name) => listed.has(name))).length;

  const precision =
    items.length === 0 ? 0 : items.filter((i) => right.has(i)).length / items.length;
  const recall = found / groups.length;
  const recall5 = Math.min(ENOUGH, found) / Math.min(ENOUGH, groups.length);
  return {
    /** Number of listed items, repeats included. */
    items: items.length,
    precision,
    recall,
    f1: harmonicMean(precision, recall),
    /** Recall in which five right answers count as all. */
    recall5,
    f1At5: harmonicMean(precision, recall5),
  };
}

/** Returns the name in an item such as "**Nile**: the longest river"; any other item unchanged. */
function nameIn(item: string): string {
  const [, name = item] = /^\*\*([^*]+?):?\*\*(?:(?<=:\*\*)|\s*[:–—(]|\s+-)/.exec(item) ?? [];
  return name;
}

/**
 * Returns the harmonic mean of two fractions, which is the F1 of precision and recall; 0 if both
 * are 0.
 */
export function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
