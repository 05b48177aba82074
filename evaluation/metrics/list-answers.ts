/** QAMPARI: precision and recall of a list of answers. */
import { withoutCitations } from '../../core/citations.js';
import { normalizeAnswer } from '../../core/normalize-answer.js';
import { listItems } from './list-items.js';

/** Precision, recall and F1 of a list of answers, as QAMPARI defines them; see `listScores`. */
export type ListScores = ReturnType<typeof listScores>;

/** Number of right answers that is enough, as ALCE asks. */
const ENOUGH = 5;

/**
 * Source: princeton-nlp/ALCE, eval.py (`compute_qampari_f1`).
 *
 * @param output A list, see `listItems`; citations are no part of its items.
 * @param groups For each right answer all of its names.
 * @throws RangeError when there is no group.
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
    /** Items listed; repeats count. */
    items: items.length,
    precision,
    recall,
    f1: harmonicMean(precision, recall),
    // Five right answers are enough.
    recall5,
    f1At5: harmonicMean(precision, recall5),
  };
}

/** "**Nile**: the longest river" names the Nile; without the stars it could be a title. */
function nameIn(item: string): string {
  const [, name = item] = /^\*\*([^*]+?):?\*\*(?:(?<=:\*\*)|\s*[:–—(]|\s+-)/.exec(item) ?? [];
  return name;
}

/** F1 of a precision and a recall; 0 when both are. */
export function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
