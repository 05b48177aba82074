/** Splits a text into sentences. Pure. */

/** Pattern of initials, titles and list numbers, after which a full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s("“‘[])(?:(?:\p{L}\.)*\p{L}|mr|mrs|ms|dr|prof|st|mt|sr|gen|col|capt|lt|sgt|rev|hon|gov|sen|rep|pres|vs|vol|fig|eds?|cf|ca|approx|dept|univ|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s*$|^\s*\d+\.\s*$/iu;
/** Pattern of abbreviations before a number: "No. 10", "Fig. 3", "pp. 12". */
const NUMBERED = /(?:(?:^|[\s("“‘[])(?:[Nn]os?|pp)|\s\p{Lu}\p{L}{0,2})\.\s*$/u;
const ONLY_CITATIONS = /^(?:\s*[[【]\s*\d[\d\s,;–-]*[\]】]\s*)+[.!?]?\s*$/u;
const LEADING_CITATIONS = /^((?:[[【]\s*\d[\d\s,;–-]*[\]】]\s*(?:[,;]\s*(?=[[【]))?)+)(.*)$/su;
/**
 * Pattern of citations directly after the end of a sentence, within which Unicode's rules would
 * cut.
 */
const GLUED_CITATIONS = /([.!?…。！？]["”’')]?)((?:\[\d+\])+)/gu;

/** Pattern of blank lines, and of line breaks before list items. */
const BLOCK_BORDER = /\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sentences of an English text, without surrounding white space, by Unicode's rules
 * (UAX 29) with corrections for abbreviations, initials and line breaks. Citations after a full
 * stop belong to the sentence before it.
 *
 * ALCE uses NLTK's Punkt instead; tests compare the two.
 */
export function splitSentences(text: string): string[] {
  return text.split(BLOCK_BORDER).flatMap((block) => sentencesOf(spaced(block)));
}

function spaced(block: string): string {
  return block.replace(GLUED_CITATIONS, '$1 $2 ').replace(/\s+/g, ' ');
}

function sentencesOf(block: string): string[] {
  const sentences: string[] = [];
  let before = '';
  for (const { segment } of segmenter.segment(block)) {
    const [citations, rest] = leadingCitations(segment, sentences.length > 0);
    if (citations !== '') append(sentences, citations);
    if (rest.trim() === '') continue;
    const isNumber = citations === '' && NUMBERED.test(before) && /^\d/.test(rest);
    const isOpen = isNumber || ABBREVIATION.test(before);
    if (isOpen) append(sentences, rest);
    else sentences.push(rest);
    before = isOpen ? `${before}${rest}` : rest;
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/**
 * Returns the citations at the beginning of a segment, which belong to the previous sentence, and
 * the rest.
 */
function leadingCitations(segment: string, hasBefore: boolean): [string, string] {
  if (!hasBefore) return ['', segment];
  if (ONLY_CITATIONS.test(segment)) return [segment, ''];
  const [, citations = '', rest = segment] = LEADING_CITATIONS.exec(segment) ?? [];
  return [citations, rest];
}

function append(sentences: string[], text: string): void {
  sentences.push(`${sentences.pop() ?? ''}${text}`);
}
