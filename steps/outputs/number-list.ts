import { saysUnknown } from '../../core/unknown.js';
import { type ModelOutput, type Output, objectSchema } from './output.js';
import { jsonMembers, linesOf, plainText, textAfterLabel, unwrapLine } from './plain.js';

interface NumbersForm {
  /** Largest valid number; the smallest is 1. */
  most: number;
  /** Description of the form, shown when the model is asked again. */
  form: string;
  /** Words of the label before the numbers, as alternatives of a regular expression. */
  label: string;
}

/**
 * Returns the output type of several whole numbers, such as those of selected passages, in the
 * order written: on one line with only separators between them ("[2] > [1]", "#2, #3", "2 3"), or
 * one per line, with or without a rank before it ("1. Passage 2"). At least one is from 1 to
 * `most`; others may be repeated or out of range. The list is empty if the reply states that there
 * are none.
 */
export function numbersOf({ most, form, label }: NumbersForm): Output<number[]> {
  const shown = (numbers: readonly unknown[]) => {
    const fits = numbers.every((n) => Number.isInteger(n) && Number(n) < YEARS);
    const names = numbers.some((n) => Number(n) >= 1 && Number(n) <= most);
    return fits && names ? (numbers as number[]) : undefined;
  };

  function alone(written: string): number[] | undefined {
    const line = unwrapLine(written);
    if (RANGE.test(line)) return undefined;
    const parts = line.match(/\d+|\p{L}+|[^\s\d\p{L}]/gu) ?? [];
    const numbers = line.match(/\d+/g) ?? [];
    const isList = numbers.length > 0 && parts.every((part) => PART.test(part));
    return isList ? shown(numbers.map(Number)) : undefined;
  }

  /**
   * Returns the numbers after 1, 2, 3 at the start of lines; undefined unless they are alone there.
   */
  function ranked(text: string): number[] | undefined {
    const ranks = linesOf(text).flatMap((line) => {
      const [, rank, said = ''] = /^(\d{1,2})[.)] ?(.+)$/.exec(line) ?? [];
      return rank === undefined ? [] : [{ rank: Number(rank), said }];
    });
    if (ranks.length < 2 || ranks.some(({ rank }, i) => rank !== i + 1)) return undefined;
    const each = ranks.map(({ said }) => alone(said) ?? []);
    return each.every(({ length }) => length === 1) ? each.flat() : [];
  }

  function inLines(text: string): number[] | undefined {
    const lines = linesOf(text).map(alone);
    const [first] = lines;
    if (first && first.length > 1) return first;
    const each = lines.flatMap((numbers) => (numbers?.length === 1 ? numbers : []));
    return each.length === lines.length && each.length > 0 ? each : undefined;
  }

  function readText(output: ModelOutput): number[] | undefined {
    const text = plainText(output);
    const behind = textAfterLabel(text, label);
    const ranks = ranked(behind ?? text);
    if (ranks) return ranks.length > 0 ? ranks : undefined;
    const labelled = behind === undefined ? undefined : inLines(behind);
    if (labelled) return labelled;
    const lists = linesOf(text)
      .map(alone)
      .filter((numbers = []) => numbers.length > 1);
    return lists.length === 1 ? lists[0] : inLines(text);
  }

  return {
    schema: objectSchema({
      passages: { type: 'array', items: { type: 'integer', minimum: 1, maximum: most } },
    }),
    form,
    read(output) {
      const [passages] = jsonMembers(output, ['passages']) ?? [];
      if (saysUnknown(output.text, output.unknown)) return [];
      if (!Array.isArray(passages)) return readText(output);
      return passages.length === 0 ? passages : shown(passages);
    },
  };
}

/** Least number that may be a year, so that it is not read. */
const YEARS = 1000;

/** Pattern of a range: "1-3" includes numbers that it does not show. */
const RANGE = /\d ?(?:-|\.{2,3}) ?\d/;

/** Pattern of a number, and of what may separate two numbers of a list. */
const PART = /^(?:\d+|[,;>&→=#()[\].、，≻|\\-]|and|then|passages?|documents?)$/i;
