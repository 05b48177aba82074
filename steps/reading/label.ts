/** What stands after the label of a reply, where a model repeats the task or thinks first. Pure. */

/** The words for a reply of any step. */
const REPLY = 'answer|verdict|choice|judge?ment|conclusion|decision|reply|response|result';

/**
 * What stands after the last "Answer:", "**Final answer** is", "Verdict =", or below a heading
 * "Answer", where anything does; else the whole text. The last one wins, since a model thinks before it decides.
 *
 * @param words the step's own, as "rating|score", as alternatives of a pattern.
 */
export function afterFinalLabel(text: string, words = REPLY): string {
  const end = finalLabel(text, words);
  return end === undefined ? text : text.slice(end);
}

/** Where the last label with something after it ends; undefined where there is none. */
export function finalLabel(text: string, words = REPLY): number | undefined {
  // A space in the text is one space at most: see `plainText`.
  const label = new RegExp(
    String.raw`(?:(?<![\p{L}\p{N}])(?:${words})s?["”'*)]{0,3}\s?(?:[:=]|->|→|(?:is|are|was|were|would be|must be|should be)(?![\p{L}\p{N}])\s?:?)|^ ?(?:[-*•] |\d{1,2}[.)] )?(?:(?:the|my|final) ){0,2}(?:${words})s? ?$)\s{0,2}(?=[^\s…])`,
    'gimu',
  );
  const last = [...text.matchAll(label)].at(-1);
  return last && last.index + last[0].length;
}
