/**
 * Output types: lines that begin with one of several labels, and reasoning that ends in a labelled
 * answer. Pure.
 */
import { refuses } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema } from './output.js';
import {
  hasWords,
  isJsonObject,
  jsonMembers,
  linesOf,
  plainText,
  textAfterLabel,
  unwrapLine,
} from './plain.js';
import { answerFromJson, answerFromLine, FEW_WORDS, shortAndLongReaders } from './short-answer.js';

/** Source of a regular expression that matches the label of a follow-up question in an output. */
export const FOLLOW_UP_LABEL = 'follow[- ]?ups?(?: question)?';
/** Source of a regular expression that matches the label of a final answer in an output. */
export const FINAL_LABEL = '(?:so )?(?:the )?final answer(?: is)?';

/** Words of the labels by kind of line, as alternatives of a regular expression. */
type Labels<K extends string> = Readonly<Record<K, string>>;

/**
 * A line of an output that begins with one of the expected labels: the kind of the label, and the
 * text after it.
 */
export interface LabelledLine<K extends string> {
  /** Kind of the label. */
  kind: K;
  /** Text after the label. */
  text: string;
}

/**
 * Returns the lines of an output that begin with a label, in order, each as its kind and the text
 * after the label, or the text of the next line if there is none after the label. Lines without
 * any text are left out.
 *
 * @param labels Words of the labels by kind of line, as alternatives of a regular expression.
 */
export function labelledLines<K extends string>(
  output: ModelOutput,
  labels: Labels<K>,
): LabelledLine<K>[] {
  const lines = linesOf(plainText(output)).map((line) => labelled(line, labels) ?? line);
  return lines.flatMap((line, i) => {
    if (typeof line === 'string') return [];
    const next = lines[i + 1];
    const text = hasWords(line.text) || typeof next !== 'string' ? line.text : unwrapLine(next);
    return hasWords(text) ? [{ ...line, text }] : [];
  });
}

function labelled<K extends string>(line: string, labels: Labels<K>): LabelledLine<K> | undefined {
  for (const [kind, names] of Object.entries(labels) as [K, string][]) {
    const label = `^[^\\p{L}\\p{N}]{0,6}(?:${names})(?: ?\\d{1,2})?(?: ?:| [-–—](?= )|(?<= is)(?= ))\\s*`;
    const [said] = new RegExp(label, 'iu').exec(line) ?? [];
    if (said !== undefined) return { kind, text: unwrapLine(line.slice(said.length)) };
  }
  return undefined;
}

/**
 * Returns the output type of one labelled line, as the `kind` of its label and the `text` after
 * it. The first labelled line is read, since models tend to continue with invented text; without
 * one the reply is unreadable.
 *
 * @param labels Words of the labels by kind of line, as alternatives of a regular expression.
 * @param form Description of the form, shown when the model is asked again.
 */
export function labelledLine<K extends string>(
  labels: Labels<K>,
  form: string,
): Output<LabelledLine<K>> {
  const kinds = Object.keys(labels) as K[];
  return {
    schema: objectSchema({ kind: { type: 'string', enum: kinds }, text: { type: 'string' } }),
    form,
    looksFor: Object.values(labels),
    read(output) {
      const [kind, text] = jsonMembers(output, ['kind', 'text']) ?? [];
      const named = kinds.find((one) => one === kind);
      if (named && typeof text === 'string' && hasWords(text)) return { kind: named, text };
      return labelledLines(output, labels)[0];
    },
  };
}

/**
 * Returns the output type of a labelled line with either the next part of a chain, as an object
 * with the kind as key, or the answer, as `{ answer }`. A refusal as the next part is unreadable.
 *
 * @param labels Words of the labels by kind, as alternatives of a regular expression.
 */
export function nextOrAnswer<K extends string>(
  labels: Labels<K | 'answer'>,
  { form, words }: { form: string; words: number },
): Output<Record<K, string> | { answer: string }> {
  const { schema = {}, looksFor = [], read } = labelledLine(labels, form);
  return {
    schema,
    form,
    looksFor,
    ...shortAndLongReaders(words, (output, most) => {
      const { kind, text = '' } = read(output) ?? {};
      if (kind === 'answer') {
        const answer = answerFromLine(text, output, most);
        return answer === undefined ? undefined : { answer };
      }
      const isPart = kind !== undefined && !refuses(text, output.refusals);
      return isPart ? ({ [kind]: text } as Record<K, string>) : undefined;
    }),
  };
}

/** An answer with the reasoning before it. */
export interface Reasoned {
  reasoning: string;
  answer: string;
}

/**
 * Returns the output type of reasoning that ends in a short answer with a label, as `{ reasoning,
 * answer }`.
 *
 * @param form Description of the form, shown when the model is asked again.
 * @param words Number of words that the prompt asks for in the answer.
 */
export function reasoned(form: string, words = FEW_WORDS): Output<Reasoned> {
  return {
    schema: objectSchema({ reasoning: { type: 'string' }, answer: { type: 'string' } }),
    form,
    looksFor: ['answer'],
    ...shortAndLongReaders(words, (output, most) => {
      const [thought, said] = jsonMembers(output, ['reasoning', 'answer']) ?? [];
      if (typeof thought === 'string') {
        const answer = answerFromJson(said, output, most);
        return answer === undefined ? undefined : { reasoning: thought, answer };
      }
      const text = plainText(output);
      const behind = isJsonObject(output) ? undefined : textAfterLabel(text, 'answer');
      if (behind === undefined) return undefined;
      const [line = '', ...rest] = behind.split('\n');
      const answer =
        output.cut && rest.length === 0 ? undefined : answerFromLine(line, output, most);
      const before = text.slice(0, text.length - behind.length);
      return answer === undefined ? undefined : { reasoning: withoutLabels(before), answer };
    }),
    longest: (text) => ({ reasoning: '', answer: text }),
  };
}

/** Returns the reasoning without its label and without the line of the answer. */
function withoutLabels(text: string): string {
  return text
    .trim()
    .replace(/(?:^|\n)[^\n]{0,60}$/, '')
    .replace(/^reasoning ?: ?/i, '')
    .trim();
}
