/** STR-EM (EM-R): how many of the wanted short answers a long answer contains. */
import { withoutCitations } from '../../core/citations.js';
import { normalizeAnswer } from '../../core/normalize-answer.js';

/**
 * A name is in the output when its normalised form is part of the normalised output, inside a
 * word too; citations are taken out first. A name of which nothing is left by normalising is in
 * no output (in ALCE's script it is in every one).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_str_em`, `exact_presence`); LLatrieval's EM-R.
 *
 * @param groups For each short answer all of its names.
 * @throws RangeError when there is no group.
 */
export function shortAnswerRecall(output: string, groups: readonly (readonly string[])[]) {
  if (groups.length === 0) throw new RangeError('There is no short answer to look for.');
  const text = normalizeAnswer(withoutCitations(output));
  const found = groups.filter((names) =>
    names.map(normalizeAnswer).some((name) => name !== '' && text.includes(name)),
  ).length;
  // ALCE's STR-EM is the share of the groups of which one name is in the output; STR-Hit all of them.
  return { recall: found / groups.length, hit: found === groups.length ? 1 : 0 };
}
