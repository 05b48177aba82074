/** The answers that a text with notes or reasoning states: "Answer: Bell", "so the answer is Bell". */
import { saysUnknown } from '../../methods/unknown.js';
import { MISSING } from './cut.js';
import { LONE_NUMBER } from './plain.js';
import { sentencesOf } from './sentences.js';
import { cleanAnswer } from './text.js';

/** An answer that is stated somewhere in a text. */
export interface StatedAnswer {
  /** Null where the output was stopped within it. */
  answer: string | null;
  /** Where what states it begins. */
  start: number;
  /** Whether a label at the start of a line or sentence states it, not a clause of the reasoning. */
  labelled: boolean;
}

const IS = String.raw`(?:is|was|are|would be|must be|should be|appears to be|seems to be)(?![\p{L}\p{N}])`;
const QUESTION = String.raw`(?:the|this) (?:original )?question(?:,? ["“'][^"”\n]{1,300}["”'],?)?`;
const NAMED = String.raw`(?:(?:final|correct|short|brief|best|most likely|right) ){0,2}(?:answer|conclusion)(?: \([^()\n]{1,60}\)| in [\w ]{1,30}words?)?(?: to (?:${QUESTION}|["“'][^"”\n]{1,300}["”']))?`;
/** A space in a plain text is one space at most. */
const LABEL = new RegExp(
  String.raw`(?<=^|[.!?]["”')]? )[^\p{L}\p{N}\n…]{0,6}(?:\d{1,2}[.)] )?(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my|our) )?${NAMED}["”')\]]{0,2} ?(?:[:=]|${IS} ?:|\n)`,
  'gimu',
);
const OPENING = new RegExp(
  String.raw`^[^\p{L}\p{N}\n…]{0,6}(?:(?:the|my|our) )?${NAMED} ${IS}`,
  'gimu',
);
const CLAUSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:the|my|our) ${NAMED}(?: ${IS}|(?= (?:cannot|can not|can't|can’t|could not|remains)(?![\p{L}\p{N}])))`,
  'giu',
);

/** All answers that a plain text states, in order. */
export function statedAnswers(text: string): StatedAnswer[] {
  const labels = found(text, LABEL, true, lineAnswer);
  const openings = found(text, OPENING, true, sentenceAnswer);
  const clauses = found(text, CLAUSE, false, sentenceAnswer);
  const taken = new Set<number>();
  return [labels, openings, clauses]
    .flat()
    .filter(({ end }) => !taken.has(end) && taken.add(end))
    .sort((a, b) => a.end - b.end)
    .map(({ answer, start, labelled }) => ({ answer, start, labelled }));
}

function found(
  text: string,
  pattern: RegExp,
  labelled: boolean,
  read: (said: string) => string | null | undefined,
): (StatedAnswer & { end: number })[] {
  return [...text.matchAll(pattern)].slice(-MOST).flatMap(({ index: start, 0: label }) => {
    const end = start + label.trimEnd().length;
    const answer = read(text.slice(end, end + FARTHEST));
    return answer === undefined ? [] : [{ answer, start, end, labelled }];
  });
}

/** No answer of these steps is longer, and of many statements the last ones count. */
const FARTHEST = 500;
const MOST = 20;

/** The first line that says something, null where it is not whole; undefined where there is none. */
export function lineAnswer(said: string): string | null | undefined {
  for (const line of said.split('\n')) {
    if (line.includes(MISSING)) return null;
    const answer = cleanAnswer(line.replace(LONE_NUMBER, ''));
    if (/[\p{L}\p{N}]/u.test(answer)) return answer;
  }
  return undefined;
}

/** Up to a full stop after a word of two letters or more, so that "D.C." stays whole. */
const SENTENCE_END = /(?<=[\p{L}\p{N}]{2}["”')]?)[.!?]["”')]?(?= |$)|\n/u;
const HEDGE =
  /^(?:(?:that|therefore|thus|simply|actually|indeed|also|clearly|most|very|quite|likely|probably|possibly|presumably|apparently) |based on [^,\n]{1,80}, )+(?!to be |found )/;
/** Says where the answer stands, or what it is like. */
const NO_ANSWER =
  /^(?:(?:likely|probably|also|not|most) )*(?:to be |being )?(?:found|given|stated|mentioned|located|contained|based|provided|described|discussed|supported|determined|within|as follows|what|which|whether|in (?:the |one of |any of )*(?:\w+ )?(?:passages?|notes?|texts?|documents?|context)|(?:correct|incorrect|wrong|right|clear|obvious|simple|here|below|above|straightforward)[^\p{L}\p{N}]*$)(?![\p{L}\p{N}])/u;

const DENIED =
  /^(?:not|neither|never|unlikely|no longer|can(?:not| not|['’]t)|could(?: not|n['’]t)|remains)\b/;

/**
 * What a sentence says the answer is, from behind the "is". "not Lyon" is none, "not Lyon but
 * Paris" is Paris, and that it is not known is one.
 */
export function sentenceAnswer(said: string): string | null | undefined {
  const [sentence = ''] = said.replace(/^[\s:]{1,9}/, '').split(SENTENCE_END, 1);
  if (sentence.includes(MISSING)) return null;
  const plain = sentence.replace(HEDGE, '');
  if (saysUnknown(plain)) return cleanAnswer(plain);
  const contrast = /^not [^.;\n]{1,100}?,? but (?:rather |instead )?/.exec(plain)?.[0] ?? '';
  const named = plain.slice(contrast.length);
  if (NO_ANSWER.test(named) || DENIED.test(named)) return undefined;
  const answer = cleanAnswer(named);
  return /[\p{L}\p{N}]/u.test(answer) ? answer : undefined;
}

/** What a sentence that is no label begins with: "Based on the above passages, the answer is 1996." */
const LEADS_IN =
  /^[^\p{L}\p{N}]{0,6}(?:(?:based|therefore|thus|hence|so|in conclusion|in summary|overall|given|considering|finally|consequently|as|since|from|according|without|sure|certainly|of course)(?![\p{L}\p{N}])[^\n]*)?$/iu;

/** A statement with the start of its sentence; undefined where it neither is a label nor concludes. */
export function concludingSentence(text: string, stated: StatedAnswer): StatedAnswer | undefined {
  if (stated.labelled) return stated;
  const before = text.slice(Math.max(0, stated.start - 400), stated.start);
  const start = (/^.*(?:[.!?]["”’)]? |\n)/s.exec(before)?.[0] ?? '').length;
  if (!LEADS_IN.test(before.slice(start))) return undefined;
  return { ...stated, start: stated.start - before.length + start };
}

const CONCLUDES =
  /^(?:so|therefore|thus|hence|consequently|in conclusion),? (?:it|this|that|he|she|they) (?:is|was|are|were|must be|must have been|has to be) /i;

/** The answer of a text whose last sentence concludes without the word: "So it is Paris." */
export function concludingAnswer(text: string): { answer: string; start: number } | undefined {
  const sentence = sentencesOf(text).at(-1) ?? '';
  const opening = CONCLUDES.exec(sentence)?.[0];
  if (opening === undefined) return undefined;
  const said = sentence.slice(opening.length).replace(/,? (?:who|which|that) .*/, '');
  const answer = sentenceAnswer(said);
  return answer ? { answer, start: text.lastIndexOf(sentence) } : undefined;
}
