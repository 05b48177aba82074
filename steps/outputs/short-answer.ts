/** Output type: a short answer. Pure. */
import { normalizedWords, refuses, saysUnknown, UNKNOWN } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema, outputBefore } from './output.js';
import {
  hasWords,
  isJsonObject,
  isLabel,
  jsonMembers,
  linesOf,
  plainText,
  startsWithLabel,
  textAfterLabel,
  unwrapValue,
} from './plain.js';

/** Default number of words, 5, that prompts ask for in a short answer. */
export const FEW_WORDS = 5;

/**
 * Number of words by which an answer may exceed the requested length before it counts as too long.
 */
const EXTRA_WORDS = 7;

interface ShortAnswerForm {
  /** Number of words that the prompt asks for. @default 5 */
  words?: number;
  /**
   * Words of the label before the answer, as alternatives of a regular expression. @default
   * "answer", "answer to the question"
   */
  label?: string;
  /** Description of the form, shown when the model is asked again. */
  form?: string;
  /** Whether a reply that stays far too long is used. @default true */
  longStands?: boolean;
}

const ANSWER = 'answer(?: to (?:the|this|that|your) question)?';

/** Stop text: the beginning of a further question, which some models invent after their answer. */
export const NEXT_QUESTION = '\nQuestion:';

/**
 * Returns the output type of a short answer: the text after the last label up to the end of its
 * line, or else the only line, or else a short first line with an empty line after it. Citations
 * and the full stop at its end are removed. An answer that means "does not know", or refuses, is
 * read as `UNKNOWN`. It is unreadable if the reply contradicts itself, if it is other JSON, or if
 * the answer has over seven words more than requested. Such a long answer is used if the model,
 * asked again, gives no shorter one, unless `longStands` is false.
 */
export function shortAnswer({
  words = FEW_WORDS,
  label = ANSWER,
  form = `the answer only, in at most ${words} words`,
  longStands = true,
}: ShortAnswerForm = {}): Output<string> {
  const { read, long } = shortAndLongReaders(words, (output, most) => {
    const [answer] = jsonMembers(output, ['answer']) ?? [];
    if (answer !== undefined) return answerFromJson(answer, output, most);
    const reply = outputBefore(output, [NEXT_QUESTION]);
    if (isJsonObject(reply)) return undefined;
    if (saysUnknown(reply.text, output.unknown)) return UNKNOWN;
    const text = plainText(reply);
    const behind = textAfterLabel(text, label);
    const [line = '', ...rest] = (behind ?? text).split('\n');
    const isWhole = !reply.cut || rest.length > 0;
    const stands =
      behind === undefined
        ? isAlone(line, rest, label, words)
        : !isContradicted(text.slice(0, text.length - behind.length), line, label, words);
    if (isWhole && stands && !isLabel(line, label)) return answerFromLine(line, output, most);
    const all = linesOf(text).join(' ');
    const isLong = behind === undefined && !reply.cut && countWords(all) > words + EXTRA_WORDS;
    return most === Infinity && isLong ? answerFromLine(all, output) : undefined;
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
 * Returns the readers of an output type that ends in an answer: `read` for answers with at most
 * seven words more than requested, and `long` for those of any length.
 *
 * @param words Requested number of words.
 * @param read Reads an output whose answer has at most `most` words.
 */
export function shortAndLongReaders<T>(
  words: number,
  read: (output: ModelOutput, most: number) => T | undefined,
): Required<Pick<Output<T>, 'read' | 'long'>> {
  return {
    read: (output) => read(output, words + EXTRA_WORDS),
    long: (output) => read(output, Infinity),
  };
}

/**
 * Reads a JSON value as an answer: "unknown" (`UNKNOWN`) for an empty text or null; undefined if
 * it is neither a text nor a number. A text or number is read by `answerFromLine`, so a refusal is
 * "unknown" as well, and a text without words or with more than `most` words gives undefined.
 *
 * @param output The phrases that mean "unknown" or refuse.
 */
export function answerFromJson(
  member: unknown,
  output: Omit<ModelOutput, 'text' | 'cut'>,
  most?: number,
): string | undefined {
  if (member === '' || member === null) return UNKNOWN;
  const isSaid = typeof member === 'string' || typeof member === 'number';
  return isSaid ? answerFromLine(String(member), output, most) : undefined;
}

/** Pattern of a mark such as "(a)", which is not an answer. */
const MARK = /^ ?[([]\p{L}[)\]]\.?$/u;

/**
 * Returns a line of text as an answer, unwrapped (`unwrapValue`): "unknown" (`UNKNOWN`) if it
 * means "does not know" or refuses; undefined if it has no words, is only a mark such as "(a)", or
 * has more words than `most` (by default any number).
 */
export function answerFromLine(
  line: string,
  { unknown, refusals }: Omit<ModelOutput, 'text' | 'cut'>,
  most = Infinity,
): string | undefined {
  const answer = unwrapValue(line);
  if (!hasWords(answer) || MARK.test(line)) return undefined;
  if (saysUnknown(answer, unknown) || refuses(answer, refusals)) return UNKNOWN;
  return countWords(answer) > most ? undefined : answer;
}

/** Returns the number of words of a text, which must be separated by single spaces. */
export function countWords(text: string): number {
  return text.split(' ').length;
}

/** Number of words from which a line that begins with a label's words counts as a sentence. */
const SENTENCE = 5;

/**
 * Returns whether a line without a label is the whole reply, or is short enough and followed by an
 * empty line. False for a sentence about the answer: "The answer to this would be ...".
 */
function isAlone(line: string, rest: readonly string[], label: string, words: number): boolean {
  const isAbout = startsWithLabel(line, label) && countWords(line) >= SENTENCE;
  const isShort = rest[0]?.trim() === '' && countWords(unwrapValue(line)) <= words;
  return !isAbout && (isShort || !rest.some(hasWords));
}

/**
 * Returns whether the first line of a reply gives another answer than the one found after a label.
 */
function isContradicted(before: string, answer: string, label: string, words: number): boolean {
  const [first = '', second, ...others] = before.trim().split('\n');
  const last = others.at(-1) ?? second ?? first;
  if (second?.trim() !== '' || first.endsWith(':') || countWords(first) > words) return false;
  if (startsWithLabel(first, label)) return false;
  if (isLabel(last, label) && !last.endsWith(' is')) return false;
  return normalizedWords(unwrapValue(first)) !== normalizedWords(unwrapValue(answer));
}
