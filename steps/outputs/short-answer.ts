/** A short answer. Pure. */
import { saysUnknown, UNKNOWN } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema } from './output.js';
import { bareValue, behindLabel, membersOf, plainText, says } from './plain.js';

/** Words before an answer, as alternatives of a pattern. */
export const ANSWER = 'answers?|final answer is|answer is';

export interface ShortAnswerForm {
  /** The most words of an answer. */
  words?: number;
  /** The words before it, as alternatives of a pattern. */
  label?: string;
  form?: string;
}

/** More than any short answer has: the running text of an explanation. */
export const MOST_WORDS = 40;

/**
 * A short answer: what follows the last label up to the line's end, else the reply's only line, else
 * a first line with an empty line behind it, less its last full stop. `UNKNOWN` where it is empty in
 * JSON, or one of the words for that.
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
      if (answer === '' || answer === null) return UNKNOWN;
      const said = ['string', 'number'].includes(typeof answer)
        ? String(answer)
        : (answerLine(output, label) ?? '');
      return answerIn(said, output, words);
    },
    longest: (text) => text,
  };
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

function answerLine(output: ModelOutput, label: string): string | undefined {
  const text = plainText(output);
  const behind = behindLabel(text, label);
  const [line = '', ...rest] = (behind ?? text).split('\n');
  const next = rest.find(says);
  const alone = behind !== undefined || next === undefined || rest[0]?.trim() === '';
  const whole = !output.cut || next !== undefined || rest.length > 0;
  return alone && whole ? line : undefined;
}
