/**
 * Telling an answer from the statement that there is none. Pure.
 *
 * A text says that there is no answer when it begins with a statement of not knowing and then gives
 * none. It gives one when it goes on, after "but", a hedge ("possibly") or in a sentence of its own,
 * to say something that is not again of the passages, of what is missing, or a reason for it. So a
 * caveat before an answer does not throw it away, and neither does one after it. A statement in
 * title case that goes on ("None of the Above") is a name.
 */
import { CLOSED_FORM, notKnowing, READING } from './not-knowing.js';

/** Whether an answer says that there is none. */
export function saysUnknown(answer: string): boolean {
  const text = spelledOut(answer);
  for (const said of [text, ...withoutLeadIn(text)]) {
    const statement = notKnowing(said.toLowerCase());
    if (statement === undefined) continue;
    const rest = said.slice(statement.length);
    return !isTitle(said, statement, rest) && !givesAnswer(statement, rest);
  }
  return false;
}

/** Without markup and opening marks, and with short forms written out. */
function spelledOut(text: string): string {
  const full: Record<string, string> = { m: 'am', re: 'are', s: 'is', ve: 'have' };
  return text
    .replace(/[*`]|__/g, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[^\S\n]+/g, ' ')
    .trimEnd()
    .replace(/\bcan['’]t\b|\bcan not\b/gi, 'cannot')
    .replace(/n['’]t\b/gi, ' not')
    .replace(
      /\b(i|we|you|it|that|there|they)['’](m|re|s|ve)\b/gi,
      (_, who: string, verb: string) => `${who} ${full[verb.toLowerCase()]}`,
    );
}

/** Words of regret or conclusion, and what a statement hangs on: "It seems that". */
const OPENING =
  /^(?:(?:(?:(?:i am|we are) (?:very |really )?)?sorry|my apologies|i apologi[sz]e|unfortunately|regrettably|sadly|so|thus|therefore|hence|however|but|well|actually|overall|in conclusion|in summary|as a result|consequently|and)(?:[,.:]| but| that|(?= (?:the|it|i|there|no|this|none)\b))|(?:it (?:seems|appears)(?: to me)?|i (?:think|believe|regret|must say|would say|conclude)|this means|(?:we|i) (?:can|must) conclude|it is (?:clear|important to note|worth noting)|(?:please )?note|the (?:\w+ ){0,2}answer is)(?: that)?:?|(?:the )?(?:final |short )?answer(?: to (?:the|this) question)?(?: is)?\s*:)\s+(?:but )?/i;
/** What the statement is said to rest on, up to its comma. */
const GROUND =
  /^(?:based on|according to|from|given|as|since|because|after|having|considering|judging|in|with|without|upon|looking at|going by|although|though|even though|while|whereas|despite|if)\b[^,\n.!?;]{0,300},\s*(?:but |that )?/i;
/** A subordinate clause, which may have commas of its own. */
const SUBORDINATE = /^(?:although|though|even though|while|whereas|as|since|because|despite)\b/i;

/** The text from behind each lead-in that it has. */
function withoutLeadIn(text: string): string[] {
  const texts: string[] = [];
  for (let rest = text; texts.length < 4; ) {
    const open = OPENING.exec(rest)?.[0] ?? GROUND.exec(rest)?.[0];
    if (open === undefined) break;
    const subordinate = SUBORDINATE.test(rest);
    rest = rest.slice(open.length);
    texts.push(rest);
    if (subordinate && notKnowing(rest.toLowerCase()) === undefined) {
      const [clause = ''] = rest.split(/[.!?;\n]/, 1);
      const commas = [...clause.matchAll(/, (?:and )?/g)].slice(0, 3);
      texts.push(...commas.map(({ index, 0: comma }) => rest.slice(index + comma.length)));
    }
  }
  return texts;
}

const SMALL = /^(?:an?|the|of|to|in|for|and|or|on|at|by|with|from|not|cannot|is|am|are)$/;

/** Whether a text is written as the titles of works are, and says more than a statement. */
function isTitle(said: string, statement: string, rest: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(rest) && !/^none of/i.test(statement)) return false;
  if (READING.test(said) || said.length > 100) return false;
  const words = said.split(/[^\p{L}\p{N}'’]+/u).filter((word) => word !== '' && !SMALL.test(word));
  const named = words.filter((word) => word !== 'I' && /^[\p{Lu}\p{N}]/u.test(word));
  return (
    named.length > 1 && words.every((word) => /^[\p{Lu}\p{N}]/u.test(word)) && /\p{Ll}/u.test(said)
  );
}

/** How a part of a text hangs on what stands before it. */
type Link = 'contrast' | 'sentence' | 'aside';

const LINKS =
  /(?<sentence>[.!?]["”’)]{0,3}(?:\s|$)|[;\n])|(?<contrast>,? ?\b(?:but|however|nevertheless|nonetheless|that said|although|though|yet)\b(?:,? (?:however|still|yet)\b)?,? ?)|(?<aside>, |[(:—–[\])] ?| -{1,3} )/giu;

/** Whether what follows a statement of not knowing gives an answer after all. */
function givesAnswer(statement: string, rest: string): boolean {
  const closed = CLOSED_FORM.test(statement.trim());
  let reason = REASON.test(rest.trimStart());
  for (const { link, text } of partsOf(rest)) {
    if (link !== 'aside') reason = false;
    reason ||= REASON.test(text);
    if (!reason && answers(text, link, closed)) return true;
  }
  return false;
}

/** The parts of what follows, without the rest of the statement's own clause. */
function partsOf(rest: string): { link: Link; text: string }[] {
  const links = [...rest.matchAll(LINKS)];
  return links.map(({ index, 0: mark, groups }, i) => ({
    link: groups?.sentence ? 'sentence' : groups?.contrast ? 'contrast' : 'aside',
    text: rest.slice(index + mark.length, links[i + 1]?.index).trim(),
  }));
}

const REASON = /^(?:and )?(?:because|since|as|due to|given)\b/i;
const HEDGE =
  /^(?:and |so |it (?:is|was|would be|seems|appears) |the answer is )?(?:(?:but|most|very|quite) )?(?:possibly|probably|perhaps|maybe|likely|presumably|apparently|arguably|allegedly|reportedly|(?:it|he|she|they|this|that|the (?:\w+ )?answer) (?:could|might|may|must|would|should|(?:seems|appears) to) (?:\w+ )?be\b|(?:i|we) (?:would |can |could |do )?(?:think|believe|guess|say|assume|suspect|estimate|recall|know|infer)|(?:my|a|the|an|our) (?:\w+ )?(?:guess|estimate|assumption|answer)|if i (?:had|have) to|(?:based on|from|to|by|according to|using|in) (?:my|general|common|prior|what i)|it is (?:commonly|generally|widely|well|often|believed|thought|said)|around|about|circa|c\.)(?![\p{L}\p{N}])/iu;
const ASSERTION =
  /^(?:and |so |then |thus |therefore,? |hence,? )*(?:it|he|she|they|this|that|the (?:\w+ ){0,2}answer(?: to (?:the|this) question)?)(?: is| was| are| were|['’]s)(?: \w+ly)? (?!(?:not|about|only|just|all|because|since|due|possible|impossible|in(?:sufficient| the)|irrelevant|unrelated|necessary|important|recommended|best|therefore|mentioned|discussed|described|said that|what|why)\b)/i;
/** Speaks of the reading, of what is missing, or to the reader. */
const NO_ANSWER =
  /^(?:(?:and|so|that|rather|only|just|instead|merely|also|none|no|all|thus|therefore|hence|overall|in fact),? )*(?:(?:it|they|these|this|those|some|one|each|both|most|all|others?|the (?:first|second|third|last|other|rest|two))(?: of (?:them|these|the \w+))?(?: (?:only|just|merely|also|all|both|do|does|did|instead|mainly|mostly|simply))* (?:mention|discuss|describe|talk|provide|focus|refer|say|state|speak|deal|concern|contain|give|list|cover|relate|explain|tell|name|not|(?:is|are) (?:about|on|irrelevant|unrelated|not|only|all))|further|more|additional|please|let me|feel free|you (?:may|can|could|should|might|would)|we (?:need|would need)|i (?:can|could|would|will|need|hope|am)\b(?! (?:say|guess|think|believe|assume|estimate))|if you|sorry|thank|apologies|without\b|it (?:would|is|may|might) (?:be )?(?:best|advisable|recommended|necessary|possible|important|needed|required|likely that the (?:passages?|text))|(?:rather|only|just|instead|merely|about|which|who|where|whose|whether|or|nor)\b|to (?:answer|determine|find|know|get))/i;
const SUGGESTS = /\b(?:suggests?|impl(?:y|ies)|hints?|points? to|indicates?|leads? to)\b/i;
/** The reading as the subject of what is said. */
const OF_READING = new RegExp(
  `^(?:(?:and|so|only|since|as|in) )?(?:(?:the|these|this|those|all|any|some|one|both|each|no|none|neither|of|other|provided|given|retrieved|available|relevant|first|second|third|last|above|name|mention) ){0,5}${READING.source}`,
  'i',
);

/** Whether a part of a text gives an answer, by how it hangs on a statement of not knowing. */
function answers(text: string, link: Link, closed: boolean): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if ([text, ...withoutLeadIn(text)].some((said) => notKnowing(said.toLowerCase()) !== undefined)) {
    return false;
  }
  if (OF_READING.test(text)) return SUGGESTS.test(text);
  if (ASSERTION.test(text)) return true;
  if (HEDGE.test(text)) return true;
  if (NO_ANSWER.test(text)) return false;
  if (link === 'contrast') return true;
  return link === 'sentence' && !closed ? true : isName(text);
}

/** A few words that are all names or numbers, as a short answer is. */
function isName(text: string): boolean {
  const words = text.slice(0, 100).split(/\s+/);
  return (
    text.length < 60 &&
    words.length <= 4 &&
    words.every((word) => /^["“'(]?[\p{Lu}\p{N}]/u.test(word))
  );
}
