/** Replies that do not do what was asked: a refusal, or the word that there is nothing. Pure. */

const REFUSAL =
  /^(?:(?:i['’]m|i am|we are)? ?(?:very |so |really )?sorry\b|my apologies|i apologi[sz]e|unfortunately, (?:i|we)\b|as an? (?:ai|artificial|(?:large )?language)\b|i(?: am|['’]m) (?:unable|not able) to\b|i (?:cannot|can not|can['’]t|could not|couldn['’]t|won['’]t|will not|do not|don['’]t) (?:\w+ )?(?:help|assist|answer|provide|write|give|have|know|find|generate|create|fulfil|see|determine|comply|do|think|identify|ask|take|summari[sz]e|tell)\b)/i;

/** Whether a reply says that it will not do what was asked. */
export function isRefusal(text: string): boolean {
  return REFUSAL.test(text.replace(/^[^\p{L}\p{N}]{1,20}/u, ''));
}

const NOUN =
  '(?:follow[- ]?ups?|sub-?questions?|questions?|quer(?:y|ies)|information|info|parts?|passages?|facts?|details?|evidence|aspects?)';
const NEEDED =
  '(?:(?:is|are|was|were) )?(?:(?:not|yet|further|really|clearly) )?(?:missing|needed|required|necessary|found|left|given|available|relevant|lacking|provided)';
const ABOUT = '(?: (?:on|about|in|for|to|from|at|as)\\b.{0,200})?';
const NOTHING = new RegExp(
  `^(?:none|no|null|nothing|n\\/a|not? (?:needed|required|necessary|applicable)|nothing (?:else|more|further|new)|none (?:of (?:them|these|the ${NOUN})(?: .{0,100})?)|${NEEDED}|(?:there (?:is|are) |i (?:have|need) )?(?:no|nothing|none|not any)(?: (?:more|further|other|new|additional|missing|relevant|such|follow[- ]?up|factual|useful|specific)){0,3}(?: ${NOUN}){0,2}(?: (?:that )?${NEEDED})?${ABOUT})$`,
  'i',
);

/** Whether a reply, or an item of a list, says that there is nothing: "None", "No more questions". */
export function saysNothing(text: string): boolean {
  return text.length < 300 && NOTHING.test(text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
}
