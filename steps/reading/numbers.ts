/** The numbers of passages that a reply names: a choice, or an order. Pure. */
import type { ModelOutput } from '../define.js';
import { closedText, MISSING } from './cut.js';
import { finalLabel } from './label.js';
import { bareText } from './plain.js';
import { sentencesOf } from './sentences.js';

export interface ReadNumbers {
  /** As named; some may repeat, or be of no passage. */
  numbers: number[];
  /** False where the output was stopped in the middle of the list. */
  whole: boolean;
}

export interface NumbersForm {
  /** How many passages there are; numbers beyond it may count anything. */
  most: number;
  /** Whether some are chosen, and not all put in order: "2-4" names three, "2: irrelevant" none. */
  choice?: boolean;
}

const LABEL =
  '(?:(?:selected|chosen|best) )?(?:passage|document|doc)s|order|ranking|rank|answer|selection|identifier|sequence';

/**
 * Reads the numbers of passages: after the label where there is one, as a list of lines or as
 * numbers that nothing but marks stands between. Numbers that count something, that are said not to
 * be chosen, and a list's own are none.
 *
 * @returns undefined when the text names none.
 */
export function readNumbers(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  form: NumbersForm,
): ReadNumbers | undefined {
  const plain = bareText(closedText(output))
    .replace(/["“”]/g, '')
    .replace(/\bnos?\. ?(?=\d)/gi, '#');
  const label = finalLabel(plain, LABEL);
  for (const text of label === undefined ? [plain] : [plain.slice(label), plain]) {
    const read = inLines(text, form) ?? inSentences(text, form);
    if (read) return read;
  }
  return undefined;
}

const MARK = /^ ?(?:[-*•–>] ?(?=\D)|\(?(\d{1,3})[.):] ?(?=\S)|\((\d{1,3})\) ?(?=\S))/;
/** A passage's number at the head of an item, by its word or sign, or closed by what follows. */
const HEAD =
  /^(?:(?:the )?(?:passage|document|doc|no\.?|number) ?[[(#]{0,2}|[[(#]{1,2} ?)(\d{1,4})(?![\d.]*\d)|^(\d{1,4})\]?(?= ?(?:$|[:;(–—-]|[.,](?!\d)))/i;

/** Within an item: "Bell (Passage 4)" */
const WITHIN = /(?:(?:passage|document|doc) ?[[(#]{0,2}|\[)(\d{1,4})(?![\d.]*\d)/gi;

/** Two lines or more, each of which names one passage. */
function inLines(text: string, { choice }: NumbersForm): ReadNumbers | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const items = lines.map((line) => {
    const mark = MARK.exec(line);
    // "2." by itself names a passage, and is no mark.
    const item = mark ? line.slice(mark[0].length) : line;
    const head = HEAD.exec(item);
    const within = new Set(mark ? [...item.matchAll(WITHIN)].map(([, number]) => number) : []);
    const value = head?.[1] ?? head?.[2] ?? (within.size === 1 ? [...within][0] : undefined);
    const remark = item.slice(head?.[0].length).replace(/^[\s:(–—-]{1,4}/, '');
    const denied = head !== null && DENIED_AFTER.test(remark);
    return { mark: mark && (mark[1] ?? mark[2] ?? ''), value, denied };
  });
  const marked = items.filter(({ mark }) => mark !== null);
  const listed = marked.length > 1 ? marked : items;
  const whole = !lines.at(-1)?.endsWith(MISSING);
  const values = listed.flatMap(({ value }) => value ?? []);
  if (values.length > 1 && values.length * 2 > listed.length) {
    const named = choice ? listed.filter(({ denied }) => !denied) : listed;
    const numbers = named.flatMap(({ value }) => (value === undefined ? [] : Number(value)));
    return numbers.length > 0 ? { numbers, whole } : undefined;
  }
  // Marks that do not count the lines are the passages' own: "2. Bell", "6. Gray".
  const marks = marked.flatMap(({ mark }) => (mark ? [Number(mark)] : []));
  const own = marks.length > 1 && marks.length === marked.length && marks[0] !== 1;
  return own && values.length === 0 ? { numbers: marks, whole } : undefined;
}

const NUMBER =
  /(?<![\p{L}\p{N}.%$])(?<![\d],)(?:(passage|document|doc|no\.?|number)s? ?)?([[(#]{0,2}) ?(\d{1,4})(?:(?: ?[-–] ?| (?:to|through|thru) )#?(\d{1,4}))?(?![\p{L}\p{N}%]|[.,]\d)( ?\])?/giu;
/** What may stand between two numbers of one list. */
const BETWEEN =
  /^(?:[\s,;>&|→/()[\]#.=≥≻»›-]|and then|and finally|and|then|followed by|finally|next|before){0,12}$/i;
const REASONS =
  /\b(?:because|since|but|except|excluding|not|without|rather|instead|than|which|while|whereas|as(?! follows))\b/i;
/** "Passage [3] is best, followed by [1]": one order, though words stand between. */
const FOLLOWED =
  /^[^.!?;\d]{0,60}\b(?:followed by|then|next|ahead of|before|finally|after that)(?: (?:comes|is|by|the|passages?|documents?)){0,3} ?[[(#]{0,2}$/i;
const DENIED =
  /\b(?:not|no|none|nothing|neither|less|least|last|worst|lacks?|irrelevant|unrelated|exclude\w*)\b|n['’]t\b/i;
const DENIED_AFTER =
  /^ ?(?:(?:are|is|were|was|do|does|did|say|says|contain|contains|provide|provides|have|has) ?)?(?:(?:all|both|also|only|mostly|completely|entirely) ){0,2}(?:not|n['’]t|no|nothing|neither|irrelevant|unrelated|less|least)\b/i;
/** Where a list was cut before the next number. */
const GOES_ON = new RegExp(`^(?:[^\\p{L}]|passages?|documents?|docs?|then|and)*${MISSING}`, 'iu');
const ANNOUNCED = /(?:\b(?:choose|select|pick|chosen|selected|is|are)|[:=]) ?$/i;

interface Run {
  numbers: number[];
  /** By a word, a sign or brackets of a passage. */
  named: boolean;
  bracketed: boolean;
  start: number;
  end: number;
}

/** The longest list of numbers in the sentences; where none is longer, all that name a passage. */
function inSentences(text: string, form: NumbersForm): ReadNumbers | undefined {
  const sentences = linesAsWritten(text).flatMap((line) => sentencesOf(line));
  const found = sentences.flatMap((sentence, i) => {
    const said = sentence.slice(0, REASONS.exec(sentence)?.index ?? sentence.length);
    const denied = DENIED.test(said);
    return runsIn(said, form).flatMap((run) => {
      const after = sentence.slice(run.end);
      const alone = run.numbers.length === 1 && !run.bracketed;
      if (!counts(run, said, form) || DENIED_AFTER.test(after) || (denied && alone)) return [];
      const rest = /\p{L}/u.test(after) ? after : `${after}${sentences[i + 1] ?? ''}`;
      // "Passage 4 is relevant because it", where more passages may be said to be.
      const half = run.numbers.length === 1 && sentence.includes(MISSING);
      return [{ ...run, whole: !half && !GOES_ON.test(rest) }];
    });
  });
  const longest = found.reduce((most, { numbers }) => Math.max(most, numbers.length), 0);
  if (longest === 0) return undefined;
  const brackets = found.filter(({ bracketed }) => bracketed);
  const chosen = brackets.length > 0 ? brackets : found;
  const long = chosen.find(({ numbers }) => numbers.length === longest && longest > 1);
  if (long) return { numbers: long.numbers, whole: long.whole };
  return {
    numbers: chosen.flatMap(({ numbers }) => numbers),
    whole: chosen.every(({ whole }) => whole),
  };
}

const COUNTED = /^ (?!and\b|to\b|then\b)\p{L}/u;
/** "(3) > (1)", "1. 2. 3.": numbers that all have what may also mark an item. */
const MARKED_RUN = /^ ?(?:\(?\d{1,4}[.)] ?(?:[,;>→] ?)?){2,}/;

/** With lists over lines on one, and the first of several numbers in "(3) > (1)" not for a mark. */
function linesAsWritten(text: string): string[] {
  return text
    .replace(/\n(?=[\s[(#>,]|\d{1,4}(?![.)] ?\p{L}))/gu, ' ')
    .split('\n')
    .map((line) => line.replace(MARKED_RUN, (run) => run.replace(/[().]/g, ' ')));
}

/** Numbers with nothing but marks between them. */
function runsIn(text: string, { most, choice = false }: NumbersForm): Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [whole, word, open = '', first = '', last, close] = match;
    const next = text.slice(match.index + whole.length);
    // A year, or what is counted: "(1876)", "(3 dates)".
    if (word === undefined && !open.includes('[') && Number(first) > Math.max(most, 99)) continue;
    if (word === undefined && open !== '' && open !== '#' && !close && COUNTED.test(next)) continue;
    const numbers = choice ? range(Number(first), last) : [first, last ?? []].flat().map(Number);
    const named = word !== undefined || open !== '';
    const bracketed = open.includes('[') || text.slice(0, match.index).trimEnd().endsWith('[');
    const end = match.index + whole.length;
    const run = runs.at(-1);
    const between = run ? text.slice(run.end, Math.min(match.index, run.end + 100)) : '';
    const follows = !choice && FOLLOWED.test(between) && !DENIED.test(between);
    if (run && (BETWEEN.test(between) || follows)) {
      run.numbers.push(...numbers);
      run.named ||= named;
      run.bracketed ||= bracketed;
      run.end = end;
    } else {
      runs.push({ numbers, named, bracketed, start: match.index, end });
    }
  }
  return runs;
}

/** Whether a run names passages, and does not count something in running text. */
function counts(run: Run, text: string, { most }: NumbersForm): boolean {
  const { numbers, named, start, end } = run;
  if (!numbers.some((number) => number <= most)) return false;
  if (named) return true;
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const closed = /^\W*$/.test(after);
  if (/^[\s([]*$/.test(before) || ANNOUNCED.test(before)) return closed || numbers.length > 1;
  const marks = text.slice(start, end);
  return numbers.length > (/\band\b/.test(marks) ? 2 : 1);
}

function range(first: number, last: string | undefined): number[] {
  const to = last === undefined ? first : Number(last);
  if (to < first || to - first >= 100) return [first, to];
  return Array.from({ length: to - first + 1 }, (_, i) => first + i);
}
