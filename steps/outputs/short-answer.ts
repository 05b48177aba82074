/** A short answer. Pure. */
import { saysUnknown, UNKNOWN, wordsOf } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema, upTo } from './output.js';
import {
  bareValue,
  behindLabel,
  isJsonObject,
  isLabel,
  membersOf,
  plainText,
  says,
  startsWithLabel,
} from './plain.js';

/** Words before an answer, as alternatives of a pattern. */
export const ANSWER = 'answers?|final answer is|answer is';

export interface ShortAnswerForm {
  /** The most words of an answer. */
  words?: number;
  /** The words before it, as alternatives of a pattern. */
  label?: string;
  form?: string;
}

/** Where a model that has given its answer begins a question that nobody asked. */
export const NEXT_QUESTION = '\nQuestion:';

/** More than any short answer has: the running text of an explanation. */
export const MOST_WORDS = 40;

/**
 * A short answer: what follows the last label up to the line's end, else the reply's only line, else
 * a first line with an empty line behind it, less its last full stop. What two of these say in
 * different words is unreadable, and so is JSON of another form. `UNKNOWN` where it is empty in JSON,
 * or one of the words for that. A next question, with its answer, is no part of the reply.
 */
export function shortAnswer({
  words = MOST_WORDS,
  label = 'answer',
  form = 'the answer only, in a few words',
}: ShortAnswerForm = {}): Output<string> {
  return {
    schema: objectSchema({ answer: { type: 'string' } }),
    form,
    read(output) {
      const [answer] = membersOf(output, ['answer']) ?? [];
      if (answer !== undefined) return answerOf(answer, output, words);
      const said = answerLine(upTo(output, [NEXT_QUESTION]), label) ?? '';
      return answerIn(said, output, words);
    },
    longest: (text) => text,
  };
}

/** Returns a member of a JSON object as an answer; undefined where it is no text or number. */
export function answerOf(
  member: unknown,
  output: Pick<ModelOutput, 'unknown'>,
  words?: number,
): string | undefined {
  if (member === '' || member === null) return UNKNOWN;
  const isSaid = typeof member === 'string' || typeof member === 'number';
  return isSaid ? answerIn(String(member), output, words) : undefined;
}

/** "(a)" is a mark, not an answer. */
const MARK = /^ ?[([]\p{L}[)\]]\.?$/u;

/** Returns a line as an answer; undefined where it says nothing or has too many words. */
export function answerIn(
  line: string,
  { unknown }: Pick<ModelOutput, 'unknown'>,
  words = MOST_WORDS,
): string | undefined {
  const answer = bareValue(line);
  if (!says(answer) || MARK.test(line) || answer.split(' ').length > words) return undefined;
  return saysUnknown(answer, unknown) ? UNKNOWN : answer;
}

/** Tells whether a sentence names the answer where the first line has given another one. */
function isContradicted(text: string, behind: string, label: string): boolean {
  const lines = text
    .slice(0, text.length - behind.length)
    .trim()
    .split('\n');
  const [first = '', second] = lines;
  const last = lines.at(-1) ?? '';
  if (second?.trim() !== '' || first.endsWith(':')) return false;
  if (startsWithLabel(first, label)) return false;
  if (isLabel(last, label) && !last.endsWith(' is')) return false;
  return wordsOf(first) !== wordsOf(behind.split('\n')[0] ?? '');
}

/** From so many words on, a line that begins with a label's words is a sentence about the answer. */
const SENTENCE = 5;

function answerLine(output: ModelOutput, label: string): string | undefined {
  if (isJsonObject(output)) return undefined;
  const text = plainText(output);
  const behind = behindLabel(text, label);
  const [line = '', ...rest] = (behind ?? text).split('\n');
  const next = rest.find(says);
  const whole = !output.cut || next !== undefined || rest.length > 0;
  if (!whole || isLabel(line, label)) return undefined;
  if (behind !== undefined) return isContradicted(text, behind, label) ? undefined : line;
  const alone = next === undefined || rest[0]?.trim() === '';
  const about = startsWithLabel(line, label) && line.split(' ').length >= SENTENCE;
  return alone && !about ? line : undefined;
}
