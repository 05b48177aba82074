/**
 * Output types: lines that begin with one of several labels, and reasoning that ends in a labelled
 * answer. Pure.
 */
import { refuses } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema } from './output.js';
import { bare, behindLabel, isJsonObject, linesOf, membersOf, plainText, says } from './plain.js';
import { answerIn, answerOf, FEW_WORDS, readInWords } from './short-answer.js';

/** Labels of the follow-up lines of a chain, as alternatives of a pattern. */
export const FOLLOW_UP = 'follow[- ]?ups?(?: question)?';
export const FINAL = '(?:so )?(?:the )?final answer(?: is)?';

/** Words of the label of each kind, as alternatives of a pattern. */
type Labels<K extends string> = Readonly<Record<K, string>>;

/** A line of an output that begins with one of the expected labels. */
export interface LabelledLine<K extends string> {
  /** Which of the labels it is. */
  kind: K;
  /** What follows the label. */
  text: string;
}

/** Returns the lines that begin with a label, each with its text or that of the next line. */
export function labelledLines<K extends string>(
  output: ModelOutput,
  labels: Labels<K>,
): LabelledLine<K>[] {
  const lines = linesOf(plainText(output)).map((line) => labelled(line, labels) ?? line);
  return lines.flatMap((line, i) => {
    if (typeof line === 'string') return [];
    const next = lines[i + 1];
    const text = says(line.text) || typeof next !== 'string' ? line.text : bare(next);
    return says(text) ? [{ ...line, text }] : [];
  });
}

function labelled<K extends string>(line: string, labels: Labels<K>): LabelledLine<K> | undefined {
  for (const [kind, names] of Object.entries(labels) as [K, string][]) {
    const label = `^[^\\p{L}\\p{N}]{0,6}(?:${names})(?: ?\\d{1,2})?(?: ?:| [-–—](?= )|(?<= is)(?= ))\\s*`;
    const [said] = new RegExp(label, 'iu').exec(line) ?? [];
    if (said !== undefined) return { kind, text: bare(line.slice(said.length)) };
  }
  return undefined;
}

/**
 * Reads the first line with a label. Later lines are ignored, since models continue and make things
 * up.
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
      const [kind, text] = membersOf(output, ['kind', 'text']) ?? [];
      const named = kinds.find((one) => one === kind);
      if (named && typeof text === 'string' && says(text)) return { kind: named, text };
      return labelledLines(output, labels)[0];
    },
  };
}

/** Reads the next part of a chain, or its answer. A refusal is neither. */
export function nextOrAnswer<K extends string>(
  labels: Labels<K | 'answer'>,
  { form, words }: { form: string; words: number },
): Output<Record<K, string> | { answer: string }> {
  const { schema = {}, looksFor = [], read } = labelledLine(labels, form);
  return {
    schema,
    form,
    looksFor,
    ...readInWords(words, (output, most) => {
      const { kind, text = '' } = read(output) ?? {};
      if (kind === 'answer') {
        const answer = answerIn(text, output, most);
        return answer === undefined ? undefined : { answer };
      }
      const isPart = kind !== undefined && !refuses(text, output.refusals);
      return isPart ? ({ [kind]: text } as Record<K, string>) : undefined;
    }),
  };
}

/** An answer, and the reasoning that the model wrote before it. */
export interface Reasoned {
  reasoning: string;
  answer: string;
}

/** Returns the type of reasoning followed by a labelled short answer of about `words` words. */
export function reasoned(form: string, words = FEW_WORDS): Output<Reasoned> {
  return {
    schema: objectSchema({ reasoning: { type: 'string' }, answer: { type: 'string' } }),
    form,
    looksFor: ['answer'],
    ...readInWords(words, (output, most) => {
      const [thought, said] = membersOf(output, ['reasoning', 'answer']) ?? [];
      if (typeof thought === 'string') {
        const answer = answerOf(said, output, most);
        return answer === undefined ? undefined : { reasoning: thought, answer };
      }
      const text = plainText(output);
      const behind = isJsonObject(output) ? undefined : behindLabel(text, 'answer');
      if (behind === undefined) return undefined;
      const [line = '', ...rest] = behind.split('\n');
      const answer = output.cut && rest.length === 0 ? undefined : answerIn(line, output, most);
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
