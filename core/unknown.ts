/** Recognises replies without an answer by closed lists: "does not know", and refusals. Pure. */

/** The answer that a step returns if the model replies that it does not know. */
export const UNKNOWN = 'unknown';

const SOURCE =
  '(the|these|) (given|provided|supplied|retrieved|available|above|) (passage|passages|document|documents|context|text|texts|sources|information|evidence) (provided|given|above|)';
const LACKS =
  '(do not|does not|don’t|doesn’t|did not|didn’t) (explicitly|directly|) (contain|provide|mention|include|state|specify|give|answer|say|have)';
const WANTED =
  '(it|this|that|the answer|an answer|any answer|a clear answer|the question|this question|the information|this information|that information|any information|any relevant information|any information about this|any information on this|enough information|sufficient information|the necessary information|)';
const IN_SOURCE =
  '(in|from|by|based on|with|using|) (any of|) (the|these|) (given|provided|supplied|retrieved|available|above|) (passage|passages|document|documents|context|text|texts|sources|information|) (provided|given|above|)';
const BASED = '(based on the passages|based on the given passages|based on the provided passages|)';
const QUESTION =
  '(to answer|needed to answer|required to answer|to|for|) (it|the question|this question|your question|the given question|)';

/**
 * Sentences by which a model replies that it does not know. A whole answer is compared with them,
 * without letter case and punctuation. Parentheses contain alternatives separated by "|", of which
 * one may be empty. A prompt set in another language has its own in `unknown.txt`, one per line.
 */
export const UNKNOWN_PHRASES: readonly string[] = [
  '(the answer is|it is|it’s|) (unknown|unclear|not known|not clear|uncertain|unanswerable)',
  'none (of the above|of them|of these|)',
  'none of (the|these) (given|provided|retrieved|) (passages|documents) (mention|mentions|answer|answers|contain|contains|provide|provides|state|states|say|says) (it|this|that|the answer|an answer|the question|this question|the information|this information|)',
  `(the answer is|it is|this is|that is|) (unclear|unknown) ${IN_SOURCE}`,
  '(the answer is|it is|this is|that is|) not (in|from|among) (any of|) (the|these) (given|provided|retrieved|) (passage|passages|document|documents|context|text|information)',
  `(there is|) no (answer|mention|information|info) (of|about|on|to|) (it|this|that|the question|this question|this topic|) ${IN_SOURCE}`,
  `${SOURCE} (contain|contains|provide|provides|have|has|give|gives) no (information|answer|mention|details) (about|on|of|to|) (it|this|that|the question|this question|)`,
  '(the|) information (is|) not (available|provided|given|found)',
  '(not applicable|undetermined|indeterminate)',
  '(cannot|can not|can’t) (answer|say|tell|determine)',
  '(there is|) no (clear|definite|definitive|) answer (is|) (given|provided|available|found|)',
  'n/a',
  '(not in corpus|not found|answer not found|no answer found)',
  '(I|) (do not|don’t) (really|) know (the answer|the answer to this question|the answer to that|that|this|)',
  'I am not (sure|certain)',
  'I’m not (sure|certain)',
  '(there is|) (insufficient|not enough|no|no relevant|no specific) (information|info|evidence|context|data) (is|) (available|given|provided|found|) (in|) (the passage|the passages|the documents|the context|the text|the given passages|the provided passages|) (to answer|) (the question|this question|)',
  'insufficient',
  '(the answer is|the information is|this information is|that information is|it is|this is|) not (explicitly|directly|) (mentioned|specified|provided|stated|given|available|contained|included|found) (in|by|) (the|these|) (given|provided|retrieved|above|) (passage|passages|document|documents|context|text|information|)',
  '(the answer|it|this|this question|the question|) (cannot|can not|can’t|could not) be (determined|answered|found|inferred) (from|with|based on|by|in|) (the|these|) (given|provided|retrieved|above|) (passage|passages|document|documents|context|text|information|) (alone|)',
  `${BASED} (it is|) (unable|impossible|not possible) to (answer|determine|say|tell) (it|this|the answer|the question|this question|) ${IN_SOURCE}`,
  `(I’m sorry but|I am sorry but|sorry but|unfortunately|) ${BASED} I (cannot|can not|can’t|could not|couldn’t|am unable to|am not able to|’m unable to|’m not able to) (answer|find|determine|find an answer to|provide an answer to|give an answer to) (it|that|this|the answer|the question|this question|that question|your question|the answer to this question|the answer to the question|) ${IN_SOURCE}`,
  '(I’m sorry but|I am sorry but|sorry but|unfortunately|) I (do not|don’t) have (enough|sufficient|any|the|that) information (to answer|about|on|) (the question|this question|your question|this|that|it|)',
  `(I’m sorry but|I am sorry but|sorry but|unfortunately|based on the passages|) ${SOURCE} ${LACKS} ${WANTED} ${QUESTION}`,
];

const APOLOGY =
  '(I’m sorry|I am sorry|I’m really sorry|I’m very sorry|I am very sorry|sorry|I apologize|I apologise|my apologies|apologies|unfortunately|I regret that|as an ai|as an ai language model|as an ai model|as an ai assistant|as a language model|) (but|)';
const UNABLE =
  'I (cannot|can not|can’t|could not|couldn’t|won’t|will not|won’t be able to|will not be able to|am unable to|’m unable to|am not able to|’m not able to|do not feel comfortable to|must decline to|have to decline to|would rather not|’d rather not)';
const THING =
  '(it|that|this|such a|the|a|an|any|) (relevant|) (information|document|passage|summary|content|text|query|question|background document|topic|)';
const ON_TOPIC =
  '(on|about|for|of|) (it|this|that|the|) (topic|subject|question|kind|request|information|)';
const OTHERWISE =
  '(but I can help with something else|but I can help you with something else|but I’d be happy to help with something else|)';

/**
 * Sentences by which a model declines its task or states that there is nothing to write, in the
 * form of `UNKNOWN_PHRASES`. The whole first sentence of a reply is compared with them. A prompt
 * set in another language has its own in `refusals.txt`, one per line.
 */
export const REFUSALS: readonly string[] = [
  `${APOLOGY} ${UNABLE} (help|assist|help you|assist you|continue|do) (with|) (it|that|this|that request|this request|your request|that question|this question|) ${OTHERWISE}`,
  `${APOLOGY} ${UNABLE} (fulfill|fulfil|complete|process|comply with|carry out|accommodate|engage with|respond to|answer) (it|that|this|that request|this request|your request|the request|this task|that question|this question|the question|your question)`,
  `${APOLOGY} ${UNABLE} (write|provide|generate|create|produce|give|offer|share|discuss|find) ${THING} ${ON_TOPIC}`,
  `${APOLOGY} I (am not|’m not) comfortable (writing|providing|generating|creating|sharing|discussing|answering|helping with) ${THING} ${ON_TOPIC}`,
  `${APOLOGY} I (do not|don’t) have (access to|any|enough|sufficient|) (information|) (to write|to answer|to provide|) ${ON_TOPIC}`,
  '(I must|I have to) decline (this request|that request|your request|)',
  '(this|that|the) (request|question|content) (violates|goes against) (my|our) (guidelines|policy|policies|safety guidelines|content policy)',
  `${APOLOGY} (there is|there’s) (nothing|no information|no relevant information|no missing information) (available|to summarize|to summarise|to add|to write|missing|) ${ON_TOPIC}`,
  '(the|these|) (given|provided|above|) (passages|documents) (already|) (contain|provide|hold|include|have) (all the|all|enough|sufficient|the) (necessary|needed|required|) (information|) (needed|required|) (to answer the question|)',
  'no (further|additional|more|new|missing) (information|question|questions|passage|query) (is|are|) (needed|required|necessary|missing|)',
  'nothing (is|) missing',
];

/**
 * The regular expressions of a list of phrases, as `patternsOf` makes them; each matches a whole
 * reply as `normalizedWords` returns it, with a space at its end.
 */
export type PhrasePatterns = readonly RegExp[];

/** The phrase lists of a prompt set; a list that is left out is the shipped one. */
export interface PromptSetPhrases {
  /** Patterns of the sentences that mean "does not know", like `UNKNOWN_PHRASES`. */
  unknown?: PhrasePatterns | undefined;
  /** Patterns of the sentences that decline, like `REFUSALS`. */
  refusals?: PhrasePatterns | undefined;
}

/**
 * Returns whether a whole answer means "does not know": it matches a phrase of the list (default
 * `UNKNOWN_PHRASES`) and has at most 300 characters.
 */
export function saysUnknown(answer: string, phrases: PhrasePatterns = SHIPPED_UNKNOWN): boolean {
  return isListed(answer, phrases);
}

/**
 * Returns whether a reply declines its task: its whole first sentence or line matches a phrase of
 * the list (default `REFUSALS`) and has at most 300 characters.
 */
export function refuses(reply: string, phrases: PhrasePatterns = SHIPPED_REFUSALS): boolean {
  const [first = ''] = reply.trim().split(/(?<=[.!?]["”’]?)\s|\n/);
  return isListed(first, phrases);
}

/**
 * Returns the words of a text, articles included, in lower case, without punctuation, separated by
 * single spaces.
 */
export function normalizedWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

/** Longest sentence of a list, in characters. */
const MOST_CHARACTERS = 300;

function isListed(reply: string, phrases: PhrasePatterns): boolean {
  if (reply.length > MOST_CHARACTERS) return false;
  const words = normalizedWords(reply);
  return words !== '' && phrases.some((pattern) => pattern.test(`${words} `));
}

/**
 * Returns a regular expression for each line of a list, in order; it matches a whole reply as
 * `normalizedWords` returns it, with a space at its end. Made once for a list, because every
 * answer of a run is compared.
 */
export function patternsOf(lines: readonly string[]): PhrasePatterns {
  return lines.map(patternOf);
}

/**
 * Returns the pattern of a line: "not (clear|known|)" matches "not clear ", "not known " or "not ".
 */
function patternOf(line: string): RegExp {
  const parts = line.split(/\(([^()]*)\)/).map((part) => {
    const ways = part.split('|').map(normalizedWords);
    return `(?:${ways.map((way) => way && `${way} `).join('|')})`;
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

const SHIPPED_UNKNOWN = patternsOf(UNKNOWN_PHRASES);
const SHIPPED_REFUSALS = patternsOf(REFUSALS);
