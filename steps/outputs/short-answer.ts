/** A short answer. Pure. */
import { refuses, saysUnknown, UNKNOWN, wordsOf } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema, upTo } from './output.js';
import {
  bareValue,
  behindLabel,
  isJsonObject,
  isLabel,
  linesOf,
  membersOf,
  plainText,
  says,
  startsWithLabel,
} from './plain.js';

/** What prompts mean by "a few words". */
export const FEW_WORDS = 5;

/** A reply is far longer than was asked for if it has more words than these beyond. */
const FAR = 7;

interface ShortAnswerForm {
  /** How many words the prompt asks for. @default 5 */
  words?: number;
  /** The words before it, as alternatives of a pattern. @default "answer", "answer to the question" */
  label?: string;
  form?: string;
  /** Whether a reply that is far longer stands if no shorter one comes. @default true */
  longStands?: boolean;
}

const ANSWER = 'answer(?: to (?:the|this|that|your) question)?';

/** Start of a further question, which some models write after their answer. */
export const NEXT_QUESTION = '\nQuestion:';

/**
 * A short answer: what follows the last label up to the line's end, else the reply's only line,
 * else a first line as short as was asked for with an empty line behind it. Less its last full
 * stop, and the citations behind it. What two of these say in different words is unreadable, and so
 * are JSON of another form, and more than seven words beyond those asked for: that reply stands
 * only if no shorter one comes. `UNKNOWN` where it is empty in JSON, or a sentence with which
 * models say so. A next question, with its answer, is no part of the reply.
 */
export function shortAnswer({
  words = FEW_WORDS,
  label = ANSWER,
  form = `the answer only, in at most ${words} words`,
  longStands = true,
}: ShortAnswerForm = {}): Output<string> {
  const { read, long } = readInWords(words, (output, most) => {
    const [answer] = membersOf(output, ['answer']) ?? [];
    if (answer !== undefined) return answerOf(answer, output, most);
    const reply = upTo(output, [NEXT_QUESTION]);
    if (isJsonObject(reply)) return undefined;
    if (saysUnknown(reply.text, output.unknown)) return UNKNOWN;
    const text = plainText(reply);
    const behind = behindLabel(text, label);
    const [line = '', ...rest] = (behind ?? text).split('\n');
    const isWhole = !reply.cut || rest.length > 0;
    const stands =
      behind === undefined
        ? isAlone(line, rest, label, words)
        : !isContradicted(text.slice(0, text.length - behind.length), line, label, words);
    if (isWhole && stands && !isLabel(line, label)) return answerIn(line, output, most);
    const all = linesOf(text).join(' ');
    const isLong = behind === undefined && !reply.cut && countWords(all) > words + FAR;
    return most === Infinity && isLong ? answerIn(all, output) : undefined;
  });
  return {
    schema: objectSchema({ answer: { type: 'string' } }),
    form,
    read,
    ...(longStands && { long }),
    longest: (text) => text,
  };
}

/**
 * Returns two readers of what ends in an answer: about as short as was asked for, and of any
 * length.
 */
export function readInWords<T>(
  words: number,
  read: (output: ModelOutput, most: number) => T | undefined,
): Required<Pick<Output<T>, 'read' | 'long'>> {
  return {
    read: (output) => read(output, words + FAR),
    long: (output) => read(output, Infinity),
  };
}

/** Returns a member of a JSON object as an answer; undefined where it is no text or number. */
export function answerOf(
  member: unknown,
  output: Omit<ModelOutput, 'text' | 'cut'>,
  most?: number,
): string | undefined {
  if (member === '' || member === null) return UNKNOWN;
  const isSaid = typeof member === 'string' || typeof member === 'number';
  return isSaid ? answerIn(String(member), output, most) : undefined;
}

/** "(a)" is a mark, not an answer. */
const MARK = /^ ?[([]\p{L}[)\]]\.?$/u;

/** Returns a line as an answer; undefined where it says nothing or has more words than `most`. */
export function answerIn(
  line: string,
  { unknown, refusals }: Omit<ModelOutput, 'text' | 'cut'>,
  most = Infinity,
): string | undefined {
  const answer = bareValue(line);
  if (!says(answer) || MARK.test(line)) return undefined;
  if (saysUnknown(answer, unknown) || refuses(answer, refusals)) return UNKNOWN;
  return countWords(answer) > most ? undefined : answer;
}

/** Returns the number of words of a text on one line. */
export function countWords(text: string): number {
  return text.split(' ').length;
}

/**
 * Least number of words for which a line that begins with a label's words is read as a sentence.
 */
const SENTENCE = 5;

/**
 * Tells whether a line without a label is the whole reply, or as short as was asked for with an
 * empty line behind it. A sentence about the answer is not: "The answer to this would be ...".
 */
function isAlone(line: string, rest: readonly string[], label: string, words: number): boolean {
  const isAbout = startsWithLabel(line, label) && countWords(line) >= SENTENCE;
  const isShort = rest[0]?.trim() === '' && countWords(bareValue(line)) <= words;
  return !isAbout && (isShort || !rest.some(says));
}

/**
 * Tells whether a sentence names the answer where the first line of the reply has given another
 * one.
 */
function isContradicted(before: string, answer: string, label: string, words: number): boolean {
  const [first = '', second, ...others] = before.trim().split('\n');
  const last = others.at(-1) ?? second ?? first;
  if (second?.trim() !== '' || first.endsWith(':') || countWords(first) > words) return false;
  if (startsWithLabel(first, label)) return false;
  if (isLabel(last, label) && !last.endsWith(' is')) return false;
  return wordsOf(bareValue(first)) !== wordsOf(bareValue(answer));
}
