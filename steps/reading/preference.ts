/** Which of two things shown a reply prefers. Pure. */
import type { ModelOutput } from '../define.js';
import { closedText, MISSING } from './cut.js';
import { afterFinalLabel } from './label.js';
import { bareText } from './plain.js';
import { sentencesOf, wordsOf } from './sentences.js';

export type Preference = 'first' | 'second' | 'tie';

const TYPE = '(?:passage|summary|text|paragraph|option)';
const OPENING = new RegExp(
  String.raw`^\(?(?:the )?(?:${TYPE} ?#?)?(?:([12])|(first|second)(?: (?:${TYPE}|one))?)[)\]]?(?:$|\n| ?[.,;:!–—-]+(?=\s|$)| (?=\(|(?:as|because|since)\b))`,
  'i',
);

/** "Passage 2: it names the year", or the beginning of that where the output was stopped. */
const LISTED = new RegExp(
  `^(?:[,;>] ?)?(?:and |or )?(?:the )?${TYPE} ?(?:#?[12] ?(?:$|[,;:(–—-])|…|$)`,
  'i',
);

/** Anything that bears on which of two is preferred. */
const SPEAKS =
  /\b(?:[12]|one|two|first|second|both|neither|either|equal\w*|same|tie|none|not|former|latter)\b/i;

/**
 * Reads which of Passage 1 and Passage 2 is preferred: named by itself, after a label, or in what a
 * sentence says of them ("Passage 1 is not as informative as Passage 2.").
 *
 * Of an output that was cut only a passage that is named first and closed by what follows is read.
 *
 * @returns undefined when the text prefers none, hedges, or says different things.
 */
export function readPreference(output: Pick<ModelOutput, 'text' | 'cut'>): Preference | undefined {
  const plain = bareText(closedText(output)).replace(/["“”[\]]/g, '');
  const labelled = afterFinalLabel(plain);
  // "Passage 2. The answer is Bell." labels another thing than the preference.
  const reply = SPEAKS.test(labelled) ? labelled : plain;
  const sentences = sentencesOf(reply).filter((sentence) => !sentence.endsWith('?'));
  const [first = '', ...others] = sentences;
  const opening = OPENING.exec(first);
  // "Passage 1, which names the year, is less ..." goes on to say it, and after "Passage 1: ..." the
  // other one may come.
  const open = /[,:]/.test(opening?.[0] ?? '') || (others[0] === MISSING && !/[.!]$/.test(first));
  const closed = output.cut ? !open : statedIn(first).length === 0;
  if (opening && closed && !others.some(opensAnother) && !opensAnother(rest(first, opening))) {
    return nameOf(opening[1] ?? opening[2]?.toLowerCase());
  }
  if (output.cut) return undefined;
  const stated = sentences.flatMap(statedIn);
  const preferences = new Set(stated.length > 0 ? stated : onlyNamed(sentences));
  const [preference] = preferences;
  return preferences.size === 1 ? (preference ?? undefined) : undefined;
}

function rest(sentence: string, opening: RegExpExecArray): string {
  return sentence.slice(opening[0].length).trim();
}

/** Whether what follows a passage names one again, as a list of both does. */
function opensAnother(text: string): boolean {
  return OPENING.test(text) || LISTED.test(text);
}

function nameOf(name: string | undefined): Preference {
  return name === '1' || name === 'first' || name === 'one' ? 'first' : 'second';
}

const words = (list: string) => new Set(list.split(' '));
const MORE = words(
  'more better best most superior stronger strongest clearer preferable preferred greater closer',
);
const LESS = words('less worse worst least inferior weaker weakest poorer');
/** What speaks for a passage: "more general" does not. */
const MERIT = words(
  'informative relevant relevance relevantly specific specifically detailed detail details direct directly accurate accurately precise precisely helpful useful comprehensive complete completely explicit explicitly clear clearly convincing reliable suitable appropriate pertinent information evidence context about on closely valuable thorough thoroughly definitive definitively concrete correct informed support supportive supported satisfactory fitting applicable strongly convincingly effectively effective',
);
const DEGREE = words('more most less least');
const ADVERBS = words('highly much far somewhat and the');
const CHOSEN = words('choose chose pick select prefer favor favour recommend with');
const NOT = words('not no never neither nor hardly');
const SAID = words(
  'think believe say agree claim conclude consider feel find see case true clear sure certain that',
);
const OBJECT = words('than as to over with unlike against versus vs of from');
const HEDGE = words('may might could perhaps possibly maybe if whether unless');
const EVEN = words('equally equal equivalent tie tied same neither alike');

/** How many words a comparison reaches back. */
const REACH = 40;

type Name = Exclude<Preference, 'tie'>;
const other = (name: Name): Name => (name === 'first' ? 'second' : 'first');

/** What a sentence prefers; null where it says so in a way that leaves it open. */
function statedIn(sentence: string): (Preference | null)[] {
  if (sentence.includes(MISSING)) return [];
  const said = sentence.split(/ (?:because|since) /i, 1)[0] ?? '';
  const all = wordsOf(said);
  const hedged = all.some((word) => HEDGE.has(word));
  const compared = all.flatMap((_, at) => comparison(all, at));
  if (compared.length > 0) return hedged ? [null] : compared;
  return isEven(all) ? [hedged ? null : 'tie'] : [];
}

/** "equally", "no difference", "Neither", but not "neither date". */
function isEven(all: readonly string[]): boolean {
  return all.some((word, at) => {
    if (word === 'neither') return /^(?:passages?|one|of|is|summary|\d|)$/.test(all[at + 1] ?? '');
    if (word === 'same')
      return (
        at + 1 === all.length ||
        /^(?:amount|level|degree|relevance|information|extent)$/.test(all[at + 1] ?? '')
      );
    if (word === 'difference')
      return all.slice(Math.max(0, at - REACH), at).some((before) => NOT.has(before));
    return EVEN.has(word);
  });
}

/** What the comparison at a place says: of which passage, and whether it is denied. */
function comparison(all: readonly string[], at: number): (Preference | null)[] {
  const word = all[at] ?? '';
  const sign = MORE.has(word) || CHOSEN.has(word) ? 1 : LESS.has(word) ? -1 : 0;
  // "as informative as" prefers one only where it is denied.
  if (word === 'as') return asMuchAs(all, at);
  if (sign === 0) return [];
  if (CHOSEN.has(word)) {
    const chosen = nameAt(all, at + 1) ?? nameAt(all, at + 2);
    const goes = word !== 'with' || all[at - 1] === 'go';
    return chosen && goes ? [denied(all, Math.max(0, at - REACH), at) ? null : chosen] : [];
  }
  const subject = subjectBefore(all, at) ?? predicateAfter(all, at);
  if (!subject || !isMerit(all, at)) return [];
  if (denied(all, subject.at, at) || isDoubted(all, subject.at)) return [null];
  return [sign === 1 ? subject.name : other(subject.name)];
}

/** Whether a comparison is by what counts: "more informative", "better", not "more general". */
function isMerit(all: readonly string[], at: number): boolean {
  if (!DEGREE.has(all[at] ?? '')) return true;
  const next = ADVERBS.has(all[at + 1] ?? '') ? all[at + 2] : all[at + 1];
  return next === undefined || MERIT.has(next);
}

/** "I do not think that Passage 1 is": what is denied before the passage is named. */
function isDoubted(all: readonly string[], before: number): boolean {
  return all
    .slice(Math.max(0, before - REACH), before)
    .some((word, i, some) => NOT.has(word) && some.slice(i + 1, i + 4).some((w) => SAID.has(w)));
}

/** "Passage 1 is not as informative as Passage 2": the second. */
function asMuchAs(all: readonly string[], at: number): (Preference | null)[] {
  if (all[at - 1] !== 'not' && all[at - 1] !== 'nearly' && all[at - 1] !== 'quite') return [];
  if (!all.slice(at + 1, at + 6).includes('as')) return [];
  const subject = subjectBefore(all, at);
  return subject && denied(all, subject.at, at) ? [other(subject.name)] : [];
}

interface Named {
  name: Name;
  at: number;
}

/** The passage named last before a place that nothing is compared with. */
function subjectBefore(all: readonly string[], before: number): Named | undefined {
  for (let at = before - 1; at >= Math.max(0, before - REACH); at--) {
    const name = nameAt(all, at);
    if (name && !isObject(all, at)) return { name, at };
  }
  return undefined;
}

/** "The more informative one is Passage 2." */
function predicateAfter(all: readonly string[], from: number): Named | undefined {
  const after = all.slice(from + 1, from + 8).findIndex((word) => /^(?:is|be|was)$/.test(word));
  if (after < 0) return undefined;
  const is = from + 1 + after;
  const at = [is + 1, is + 2].find((place) => nameAt(all, place));
  const name = at === undefined ? undefined : nameAt(all, at);
  return name && at !== undefined ? { name, at: from } : undefined;
}

/** "passage 1" at its first word; "the first passage", "the second one" at theirs. */
function nameAt(all: readonly string[], at: number): Name | undefined {
  const [word = '', next = ''] = [all[at], all[at + 1]];
  const isType = /^(?:passage|summary|text|paragraph|option)$/;
  if (isType.test(word) && /^(?:[12]|one|two)$/.test(next)) {
    return nameOf(next) as Name;
  }
  if (!/^(?:first|second)$/.test(word)) return undefined;
  return isType.test(next) || next === 'one' ? (nameOf(word) as Name) : undefined;
}

/** Whether it is what another is compared with: "than Passage 1", "compared to the first one". */
function isObject(all: readonly string[], at: number): boolean {
  const before = all[at - 1] === 'the' ? all[at - 2] : all[at - 1];
  return before !== undefined && OBJECT.has(before);
}

function denied(all: readonly string[], from: number, to: number): boolean {
  return all.slice(from, to).some((word) => NOT.has(word));
}

/** The one passage that is named at all, where nothing is denied or left open. */
function onlyNamed(sentences: readonly string[]): (Preference | null)[] {
  return sentences.flatMap((sentence) => {
    const all = wordsOf(sentence);
    const named = all.flatMap((_, at) => nameAt(all, at) ?? []);
    const open = all.some((word) => NOT.has(word) || HEDGE.has(word) || word === 'or');
    return open && named.length > 0 ? [null] : named;
  });
}
