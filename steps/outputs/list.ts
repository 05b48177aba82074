import { distinctAnswers } from '../../core/answer-key.js';
import { inParts, type ModelOutput, type Output, objectSchema } from './output.js';
import { bareValue, behindLabel, jsonOf, linesOf, membersOf, plainText, says } from './plain.js';

export interface ListForm {
  /** How many are taken, the first ones. */
  most: number;
  form: string;
  /** The words before it, as alternatives of a pattern. */
  label: string;
  /** Whether one line without marks is a list of one. */
  lone: boolean;
}

/**
 * Different texts: marked by letters or numbers in their order ("(a) Paris, (b) Lyon"), one a line,
 * or a JSON array. Of an output that was cut the unfinished one is left out.
 */
export function list({ most, form, label, lone }: ListForm): Output<string[]> {
  function itemsOf(output: ModelOutput): string[] | undefined {
    const [listed = jsonOf(output)] = membersOf(output, ['items']) ?? [];
    if (Array.isArray(listed)) return listed.filter((item) => typeof item === 'string');
    const plain = plainText(output);
    const text = behindLabel(plain, label) ?? plain;
    const marked = markedItems(text);
    if (marked) return output.cut ? marked.slice(0, -1) : marked;
    const lines = linesOf(text);
    return lines.length > 1 || lone ? lines : undefined;
  }

  return {
    schema: objectSchema({ items: { type: 'array', items: { type: 'string' }, maxItems: most } }),
    form,
    read(output) {
      const items = itemsOf(output)?.map(cleaned).filter(says);
      return items && items.length > 0 ? distinctAnswers(items).slice(0, most) : undefined;
    },
    longest: (text) => inParts(text, most),
  };
}

/**
 * "(a) ", "[1] ", "a) ", "1. " at the start of a line; within one those in brackets, and "b) " or
 * "b: " behind a comma.
 */
const MARK =
  /(?:(?:^|[,;]) ?([a-z]|\d{1,2})[):] |^ ?([a-z]|\d{1,2})\. |[([]([a-z]|\d{1,2})[)\]][:.]?)/gim;

/** Returns what stands behind each mark, where the marks come in their order. */
function markedItems(text: string): string[] | undefined {
  const marks = [...text.matchAll(MARK)].map(({ 0: whole, index, ...said }) => ({
    place: placeOf(said[1] ?? said[2] ?? said[3] ?? ''),
    start: index,
    end: index + whole.length,
  }));
  const inOrder = marks.filter(({ place }, i) => i === 0 || place > (marks[i - 1]?.place ?? 0));
  const [first] = inOrder;
  const heads = first === undefined || !says(text.slice(0, first.start).split('\n').at(-1) ?? '');
  if (!first || !heads) return undefined;
  return inOrder.map(({ end }, i) => text.slice(end, inOrder[i + 1]?.start));
}

function placeOf(mark: string): number {
  return /^\d/.test(mark) ? Number(mark) : mark.toLowerCase().charCodeAt(0) - 96;
}

/** Returns the first line of an item, without what joins it to the next. */
function cleaned(item: string): string {
  const [line = ''] = linesOf(item);
  return bareValue(line.replace(/(?:[,;]| and| or)+$/, ''));
}
