/** Replies that do not do what was asked: a refusal, or the word that there is nothing. Pure. */

/** In sentence case: "I Can't Help Myself" is a title. */
const REFUSING =
  /^[Ii](?: am|['’]m)?(?: (?:unable|not able) to| (?:(?:cannot|can not|can['’]t|could not|couldn['’]t|won['’]t|will not|do not|don['’]t) (?:\w+ )?(?:help|assist|answer|provide|write|give|have|know|find|generate|create|fulfil|see|determine|comply|do|think|identify|ask|take|summari[sz]e|tell)|was (?:unable|not able) to|not aware of|must decline|(?:would|will) need (?:more|further|additional)))\b/;

const REGRETTING = new RegExp(
  [
    String.raw`(?:i['’]m|i am|we are|we['’]re) (?:very |so |really |truly )?sorry\b(?! (?:to hear|for your))`,
    String.raw`(?:very |so )?sorry(?:[.!]+$|[,.:;!]?\s(?:but|i|we|there|that|this|it)\b|\sfor (?:the|any) (?:inconvenience|confusion)\b)`,
    String.raw`(?:i['’]m|i am) afraid\b`,
    String.raw`my apologies(?:[.!,;:]|$)|i apologi[sz]e\b`,
    String.raw`unfortunately, (?:i|we)\b`,
    String.raw`as an? (?:\w+ )?(?:ai|artificial intelligence|language model)\b[^.!?\n]{0,80}?(?:[,\s](?:i|my)\b|,?$)`,
  ]
    .map((said) => `^(?:${said})`)
    .join('|'),
  'i',
);

/** A quotation that is closed before the end: a title, and what is said of it. */
const BEGINS_WITH_TITLE = /^["“][^"”]{1,200}["”]\s*[\p{L}\p{N}]/u;

/** Whether a reply says that it will not do what was asked. */
export function isRefusal(text: string): boolean {
  if (BEGINS_WITH_TITLE.test(text)) return false;
  const said = text.replace(/^[^\p{L}\p{N}]{1,20}/u, '');
  return REFUSING.test(said) || REGRETTING.test(said);
}

const REMARK = new RegExp(
  [
    `(?:unfortunately, )?the (?:(?:given|provided|above|existing|current) )?(?:passages?|documents?)(?: (?:above|provided|given))? (?:(?:already|fully|together|all) )*(?:do(?:es)? not|don['’]t|doesn['’]t|contain|provide|hold|answer|cover|suffice|(?:are|is) (?:sufficient|enough|insufficient))`,
    String.raw`unfortunately, (?:there (?:is|are) (?:no|not|nothing)|none|it is not)\b`,
    String.raw`it is not possible to (?:write|answer|provide|give|determine|generate|say|tell|ask)\b`,
  ]
    .map((said) => `^(?:${said})`)
    .join('|'),
  'i',
);

const NOUN =
  '(?:follow[- ]?ups?|sub-?questions?|questions?|quer(?:y|ies)|information|info|parts?|passages?|facts?|details?|evidence|aspects?|content|context)';
const NEEDED =
  '(?:(?:is|are|was|were) )?(?:(?:not|yet|further|really|clearly) )?(?:missing|needed|required|necessary|found|left|given|available|relevant|lacking|provided)';
const ABOUT = '(?: (?:on|about|in|for|to|from|at|as)\\b.{0,200})?';
const NOTHING = new RegExp(
  `^(?:none|no|null|nothing|n\\/a|(?:it |this )?(?:is )?unknown|(?:it |this )?can(?:not| not|['’]t) be (?:determined|answered|known)|(?:insufficient|not enough) (?:information|evidence|context|data)|not? (?:needed|required|necessary|applicable)|nothing (?:else|more|further|new)|none (?:of (?:them|these|the ${NOUN})(?: .{0,100})?)|${NEEDED}|(?:there (?:is|are) |i (?:have|need) )?(?:no|nothing|none|not any)(?: (?:more|further|other|new|additional|missing|relevant|such|follow[- ]?up|factual|useful|specific)){0,3}(?: ${NOUN}){0,2}(?: (?:that )?${NEEDED})?${ABOUT})$`,
  'i',
);

/** Whether a reply, or an item of a list, says that there is nothing: "None", "No more questions". */
export function saysNothing(text: string): boolean {
  return text.length < 300 && NOTHING.test(text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
}

/** That nothing is missing: "The passages already answer the question." */
const SUFFICES = new RegExp(
  `^(?:(?:the|this|all|these) ){0,2}(?:(?:provided|given|necessary|above|needed) )?(?:${NOUN}|notes|context)(?: (?:above|provided|given))? (?:(?:is|are|seems?) )?(?:already |all |fully )?(?:sufficient|enough|available|complete|answers?\\b|contains? (?:all|everything)|provides? (?:all|everything)|(?:can|could|has|have)(?: already)? be(?:en)? (?:fully )?answered)(?: .{0,200})?[.!]?$`,
  'i',
);

/**
 * Whether a reply speaks of the task, or of the passages that were shown, in place of doing what was
 * asked. A note on a passage, and what is condensed from one, may do so.
 */
export function isRemark(text: string): boolean {
  return REMARK.test(text) || (SUFFICES.test(text) && !/[?？]/.test(text));
}

/** Whether a reply asks for nothing where a query was wanted: "None", a refusal, a remark. */
export function asksNothing(text: string): boolean {
  return saysNothing(text) || isRefusal(text) || isRemark(text);
}
