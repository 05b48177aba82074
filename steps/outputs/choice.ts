/** Output type: one of several fixed values, such as a verdict. Pure. */
import { withoutLastCitations } from '../../core/citations.js';
import { normalizedWords, saysUnknown } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema } from './output.js';
import {
  jsonMembers,
  linesOf,
  onlyValue,
  plainText,
  textAfterLabel,
  unwrapValue,
} from './plain.js';

/**
 * A possible value of a choice, with the words by which a reply names it (`wordings`), of which the
 * prompt shows the first.
 */
export interface ChoiceValue<T> {
  value: T;
  wordings: readonly [string, ...string[]];
}

interface ChoiceForm<T> {
  /** Words of the label before the value, as alternatives of a regular expression. */
  label?: string;
  /** Words that may precede the value ("option (a)"), as alternatives of a regular expression. */
  before?: string;
  /**
   * Subject of a sentence that states the value ("the claim" is true), as alternatives of a regular
   * expression. Such a sentence is read only if there is no other value.
   */
  subject?: string;
  /**
   * Description of the form, shown when the model is asked again. @default the words of the values
   */
  form?: string;
  /** The value of a reply that means "does not know". @default such a reply is unreadable */
  unknown?: T;
}

/**
 * Returns the output type of one of several values.
 *
 * A value is read if it is alone on its line, if it follows the last label, if the reply begins
 * with it and contains no other value, or if a sentence with `subject` states it. A reply that
 * means "does not know" is read as `unknown`, if that is given. Otherwise the reply is unreadable.
 */
export function choice<T>(
  values: readonly ChoiceValue<T>[],
  { label = 'answer|choice', before, subject, form, unknown }: ChoiceForm<T> = {},
): Output<T> {
  const shown = values.map(({ wordings }) => wordings[0]);
  const ways = values.flatMap(({ value, wordings }) =>
    wordings.map((way) => ({ value, key: normalizedWords(way), words: patternOf(way) })),
  );

  const lead = new RegExp(`^(?:${before ?? ''}) ?(?=[^ ])`, 'iu');
  const withoutLead = (line: string) => (before === undefined ? line : line.replace(lead, ''));

  function alone(line: string): T | undefined {
    const key = normalizedWords(withoutLead(unwrapValue(line)));
    return onlyValue(ways.filter((way) => way.key === key).map(({ value }) => value));
  }

  /** Returns the values that a reply begins with, each with what follows it. */
  function openings(reply: string): { value: T; rest: string }[] {
    const text = withoutLead(withoutLastCitations(reply));
    return ways.flatMap(({ value, words }) => {
      const [said] = new RegExp(`^${OPEN}${words}${CLOSED}`, 'iu').exec(text) ?? [];
      return said === undefined ? [] : [{ value, rest: text.slice(said.length) }];
    });
  }

  function opening(reply: string): T | undefined {
    const open = openings(reply);
    const value = onlyValue(open.map((one) => one.value));
    const others = ways.filter((way) => way.value !== value);
    const contradicted = others.some(({ words }) =>
      open.some(({ rest }) => new RegExp(`${BORDER}${words}${END}`, 'iu').test(rest)),
    );
    return contradicted ? undefined : value;
  }

  /** Returns the value for "does not know", if one of the texts says so. */
  function unknownIn(texts: readonly string[], output: ModelOutput): T | undefined {
    return texts.some((text) => saysUnknown(text, output.unknown)) ? unknown : undefined;
  }

  function labelled(behind: string): T | undefined {
    const [line = ''] = linesOf(behind);
    return alone(line) ?? opening(behind);
  }

  function readText(output: ModelOutput): T | undefined {
    const text = plainText(output);
    const behind = textAfterLabel(text, label);
    if (behind === '') return undefined;
    const value = behind === undefined ? undefined : labelled(behind);
    if (value !== undefined) return value;
    const lines = linesOf(text).map(alone);
    const bare = onlyValue(lines.filter((one) => one !== undefined)) ?? opening(text);
    if (bare !== undefined) return bare;
    const mayUseSubject = subject !== undefined && openings(text).length === 0;
    const said = (mayUseSubject && textAfterLabel(text, subject)) || '';
    return labelled(said) ?? unknownIn([output.text, behind ?? ''], output);
  }

  return {
    schema: objectSchema({ answer: { type: 'string', enum: shown } }),
    form: form ?? `one of ${shown.join(', ')}, and nothing else`,
    looksFor: shown.map((one) => `${BORDER}${patternOf(one)}${END}`),
    read(output) {
      const [answer] = jsonMembers(output, ['answer']) ?? [];
      if (answer === undefined) return readText(output);
      return alone(String(answer)) ?? unknownIn([String(answer)], output);
    },
  };
}

/**
 * Returns the output type of a yes-or-no verdict, as a boolean. Yes, No, True and False are all
 * read.
 *
 * @param yes The word for yes that the prompt asks for.
 * @param label Words of the label before the verdict, as alternatives of a regular expression.
 */
export function verdict(
  yes: 'True' | 'Yes' = 'True',
  label = 'answer|verdict|judge?ment',
): Output<boolean> {
  const [no, otherYes, otherNo] =
    yes === 'True' ? (['False', 'Yes', 'No'] as const) : (['No', 'True', 'False'] as const);
  return choice(
    [
      { value: true, wordings: [yes, otherYes] },
      { value: false, wordings: [no, otherNo] },
    ],
    { label, form: `one word, ${yes} or ${no}` },
  );
}

const OPEN = `["“'(\\[*]{0,3}`;
/**
 * Pattern of the end of a value. A question mark closes nothing ("True or false? True", "Yes?"),
 * nor does a hyphen ("True-ish"); a reason does ("True because ...").
 */
const CLOSED = `["”')\\]*]{0,3}(?= ?(?:$|[\\n.,;:!(–—]|-(?!\\p{L}))| because )`;
const BORDER = '(?<![\\p{L}\\p{N}])';
const END = '(?![\\p{L}\\p{N}])';

function patternOf(way: string): string {
  return way.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, ' ?');
}
