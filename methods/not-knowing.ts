/** The statements of not knowing that people and models make, as patterns. Pure. */

/** What a model was given to read, and what it is asked for. */
export const READING =
  /\b(?:passages?|texts?|context|notes?|documents?|sources?|information|info|questions?|evidence|excerpts?|paragraphs?|articles?|materials?|search results?)\b/i;

const MATERIAL = READING.source;
const GIVEN =
  '(?:(?:all|both|any|each|every|other|provided|given|above|available|supplied|retrieved|relevant|specific|reading|wikipedia|following|first|second|third|fourth|fifth|last) ){0,2}';
const OF_THEM = String.raw`(?: (?:that (?:were|was|you|i) \w+(?: \w+)?|you (?:have )?(?:provided|given|gave|shared)|i (?:have|was given)|provided|given|above|here|available|supplied|shown|at hand|on hand))?`;
/** Words between a verb and its negation, or before what is negated. */
const HOW = `(?:(?:yet|been|also|actually|really|even|currently|explicitly|directly|publicly|clearly|specifically|definitively|precisely|exactly|fully|readily|officially|immediately|necessarily|otherwise|in any way) ){0,2}`;
/** The end of what is said, or a word that goes on to say why or where. */
const NO_NAME = String.raw`(?=\s*$|\s*[^a-z0-9\u00aa-\uffff\s]|\s+(?:as|at|and|but|because|based|by|due|for|from|given|in|on|or|since|to|though|although|what|when|where|whether|which|who|how|with|within|without|if)\b)`;

const KNOW =
  '(?:know|say|tell|determine|answer|find|infer|confirm|provide|identify|give|be sure|be certain|ascertain|establish|conclude|verify|see|locate|deduce|derive|specify|help|assist)';
const TOLD =
  '(?:determined|answered|found|known|inferred|established|told|identified|confirmed|ascertained|concluded|verified|provided|given|derived|deduced|made|located|said|stated|resolved)';
const STATED =
  '(?:known|specified|stated|mentioned|provided|given|found|available|clear|determinable|disclosed|answerable|enough|sufficient|sure|certain|included|listed|indicated|named|identified|discussed|addressed|revealed|recorded|documented|described|applicable|present|contained|supplied|answered|shown|detailed|reported|covered|possible to|in the|in any|in these|in this|in passages|part of the)';
/** "It was not found until 1996" tells when. */
const NO_TIME = String.raw`(?![a-z0-9\u00aa-\uffff-])(?![^.,;]{0,40} (?:until|till)\b)(?! to (?:him|her|them)\b)`;
const LACKING = `(?:${[
  'unknown|unclear|undetermined|unspecified|unanswerable|undisclosed|uncertain|unavailable',
  'unstated|indeterminate|indeterminable|inconclusive',
].join('|')})`;
const THING =
  '(?:information|info|evidence|context|data|mention|idea|knowledge|details?|answers?|clue|references?|indication|record|proof|basis|way|support|facts?|specifics|date|name|such|relevant)';
const SAYING =
  '(?:mention|contain|provide|give|state|say|specify|include|indicate|tell|name|identify|discuss|answer|address|offer|have|has|make|reveal|list|refer|describe|show|confirm|support|help|supply|speak|hold|explain|present)(?:e?s)?';

/** A subject of which it is then said that it is not known: "The exact date of the patent". */
const SUBJECT = String.raw`(?:(?:it|this|that|they|these|he|she)|(?:the|this|that|these|those|his|her|its|their|any|such|specific|exact|details?|information|info|data|answer|name|date|year)(?: [^\s,.;:!?()]+){0,16}?)(?<! (?:who|which|that|whose|but))`;
const BE = '(?:is|are|was|were|remains?|has|have|stays?|seems?|appears?(?: to be)?)';

/** Each from where the statement begins; the longest first where one begins like another. */
const STATEMENTS = [
  // Unknown. Not specified in the passages. N/A.
  `${LACKING}${NO_NAME}`,
  `not ${HOW}${STATED}${NO_TIME}`,
  String.raw`n\s?/\s?a\b|n\.\s?a\.|none\W*$|nobody knows${NO_NAME}|no ?one (?:really )?knows${NO_NAME}|insufficient${NO_NAME}`,
  String.raw`insufficient_information\b|not_enough_info(?:rmation)?\b`,
  // The date is not given. It remains unclear who did.
  String.raw`${SUBJECT} ${BE} (?:${HOW}${LACKING}${NO_NAME}|not ${HOW}${STATED}${NO_TIME}|(?:missing|lacking|absent)${NO_NAME}|nowhere\b|impossible to\b|beyond\b|outside\b)`,
  String.raw`(?:(?:specific|further|exact|relevant|the) ){0,2}(?:information|info|data|details?|answer|evidence) (?:not ${HOW}${STATED}|${LACKING}|insufficient)\b`,
  String.raw`(?:i|we|you)(?: would)? need (?:further|more|additional) (?:\w+ )?(?:information|context|evidence|passages?|details?|data|sources?)\b`,
  String.raw`(?:further|more|additional) (?:\w+ )?(?:information|context|evidence|passages?|details?|data|sources?) (?:(?:is|are|would be) )?(?:needed|required|necessary)\b`,
  // There is no mention of it. No relevant information. Nothing in the passages says so.
  String.raw`(?:there (?:is|was|are|were|exists?) (?:simply |currently )?|(?:i|we) (?:have|see|find|found|had) |(?:there )?seems to be )?(?:no|not enough|not any|insufficient|not sufficient|too little|little|lack of|a lack of|no clear|nothing in)(?: [^\s,.;:!?()]+){0,3}? ?${THING}\b`,
  String.raw`(?:none|nothing|nobody|no one|no(?: [^\s,.;:!?()]+){1,3}?)(?: (?:is|was|are|were))? ${HOW}(?:mentioned|specified|given|stated|provided|listed|named|identified|indicated|said)\b`,
  'there (?:is|was) nothing (?:about|on|in|that)\\b',
  `(?:there (?:is|was) )?nothing (?:in|from|within) (?:the|these|any of the|any) ${GIVEN}${MATERIAL}`,
  // No passage answers the question. None of the notes does. Neither document mentions it.
  String.raw`(?:no|neither|not one|none) (?:(?:of|one) )?(?:(?:the|these|those|them|single|of|two|three|four|five|ten|\d{1,3}) ){0,3}${GIVEN}(?:${MATERIAL})`,
  String.raw`(?:none|neither) of (?:them|these|those|which) (?:\w+ )?${SAYING}\b`,
  String.raw`none of the (?:above|options|choices|candidates|answers)(?![a-z0-9\u00aa-\uffff])`,
  // I do not know. Unable to determine. We have not enough to go on.
  String.raw`(?:(?:i|we|you|one) )?(?:(?:do|did|would|could) not|cannot|am (?:currently )?unable to|are unable to|was unable to|were unable to|am not able to|unable to|not able to|may not) ${HOW}${KNOW}\b`,
  String.raw`(?:(?:i|we) )?(?:do not|did not) ${HOW}(?:have|possess|see|find)\b(?: (?:\w+ ){0,3}${THING}\b| an?y?\b| access| enough| the)`,
  String.raw`(?:i am |we are )?(?:not (?:entirely |completely |quite |really |too |very |\w+ly )?(?:sure|certain|aware|familiar)|unsure|unaware)\b`,
  String.raw`(?:i|we) (?:have )?no (?:idea|clue|knowledge)\b`,
  // It cannot be determined. This question cannot be answered.
  String.raw`(?:${SUBJECT} )?(?:cannot|could not|can neither|may not|will not) ${HOW}be ${HOW}${TOLD}\b`,
  String.raw`(?:it is |it was |it would be )?(?:not possible|impossible|difficult|hard|unable|not feasible) (?:for me )?to ${HOW}${KNOW}\b`,
  `(?:(?:it|this|they) )?(?:do|does|did) not ${HOW}${SAYING}\\b`,
  // The passages do not say. The text provides no date. The documents are not relevant.
  String.raw`(?:(?:the|these|this|those|any|all|my|our|both)(?: of (?:the|these))? )?${GIVEN}(?:${MATERIAL})(?:(?: and| or|,) (?:the )?[a-z]+)?${OF_THEM}(?: [^\s,.;:!?()]{1,20}){0,4}? (?:(?:do|does|did) not\b|cannot\b|could not\b|(?:fails?|failed) to\b|lacks?\b|(?:is|are) silent\b|(?:only |${SAYING} )?(?:${SAYING}|says?|holds?|makes?|has|bears?) (?:no|nothing|neither|little)\b|(?:is|are|was|were) ${HOW}(?:not ${HOW}(?:relevant|related|helpful|useful|about|clear|specific|able|${STATED})\b|insufficient|irrelevant|unrelated|${LACKING}|(?:all|both|too \w+|mostly|completely|entirely) (?:irrelevant|unrelated|not)\b))`,
  String.raw`irrelevant\W*$|(?:all|both|they|these) (?:(?:of them|of these|passages) )?are (?:all |both )?(?:irrelevant|unrelated)\b`,
];

const PATTERNS = STATEMENTS.map((statement) => new RegExp(`^(?:${statement})`));

/**
 * The statement of not knowing that a text in small letters begins with. Small letters, and one
 * pattern after the other, since a single one in any letter case takes a second to compile.
 */
export function notKnowing(text: string): string | undefined {
  for (const pattern of PATTERNS) {
    const statement = pattern.exec(text)?.[0];
    if (statement !== undefined) return statement;
  }
  return undefined;
}

/** One word, or a form that a prompt asks for: what follows it explains it. */
export const CLOSED_FORM = new RegExp(
  String.raw`^(?:${LACKING}|n\s?/\s?a|none|insufficient(?:[ _](?:information|evidence|data|context))?|not[ _]enough[ _]info(?:rmation)?)$`,
  'iu',
);
