/** Telling an answer from the statement that there is none. Pure. */

/** What people and models put before it. */
const LEAD_IN =
  /^(?:(?:(?:i['’]m|i am|we are)? ?sorry|unfortunately|(?:based on|according to|from|given|as|since|because)\b[^,.]*)[,.:]\s*)?(?:but )?/i;

/** What may follow a lone "unknown", so that "Unknown Pleasures" stays an answer. */
const NO_NAME = String.raw`(?=\s*$|\s*[^\p{L}\p{N}\s]|\s+(?:as|at|because|based|by|due|for|from|given|in|on|since|to|with|within|without)\b)`;

const READING = String.raw`(?:(?:passages?|text|context|notes?|documents?|sources?|information|question)\b)`;
const GIVEN = String.raw`(?:(?:provided|given|above|available|supplied)\s)?`;
const KNOW = '(?:know|say|tell|determine|answer|find|infer|confirm|provide|identify)';
const TOLD = '(?:determined|answered|found|known|inferred|established|told|identified|confirmed)';
const STATED =
  '(?:known|specified|stated|mentioned|provided|given|found|available|clear|determinable|disclosed|answerable|enough information|sure)';

const STATEMENTS = [
  String.raw`(?:(?:it|this|that|the (?:exact |correct |final |right )?answer)(?: to (?:the|this) question)?\s+)?(?:(?:is|remains|was|are)\s+)?(?:currently\s+)?(?:(?:unknown|unclear|undetermined|unspecified|unanswerable|undisclosed|uncertain)${NO_NAME}|not (?:explicitly |directly |publicly |clearly )?${STATED}\b)`,
  String.raw`n\s?/?\s?a\b|none${NO_NAME}|none of the|no answer\b|no idea\b|nobody knows${NO_NAME}`,
  String.raw`(?:there (?:is|was) |i have )?(?:no|not enough|insufficient|not sufficient) (?:\w+ )?(?:information|evidence|context|data|mention|idea|knowledge)\b`,
  String.raw`(?:(?:i|we|you|one) )?(?:do not|cannot|can not|could not|would not|am unable to|unable to) ${KNOW}\b`,
  String.raw`(?:i am |we are )?(?:not sure|unsure|not certain)\b`,
  String.raw`(?:(?:it|this|that|the (?:question|answer)) )?(?:cannot|can not|could not) be ${TOLD}\b`,
  String.raw`(?:it is )?(?:not possible|impossible) to ${KNOW}\b`,
  String.raw`(?:the |these |this |those )?${GIVEN}${READING}(?: provided| given| above)? (?:do|does|did) not\b`,
];

const SAYS_UNKNOWN = new RegExp(`^(?:${STATEMENTS.join('|')})`, 'iu');

/** Whether an answer says that there is none. */
export function saysUnknown(answer: string): boolean {
  const spelled = answer
    .trim()
    .replace(/\bcan['’]t\b/gi, 'cannot')
    .replace(/n['’]t\b/gi, ' not')
    .replace(/\b(i|we|you|it|that)['’](m|re|s)\b/gi, (_, who: string, verb: string) => {
      const full: Record<string, string> = { m: 'am', re: 'are', s: 'is' };
      return `${who} ${full[verb.toLowerCase()]}`;
    });
  return SAYS_UNKNOWN.test(spelled) || SAYS_UNKNOWN.test(spelled.replace(LEAD_IN, ''));
}
