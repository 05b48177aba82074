import { type ModelOutput, type Output, objectSchema } from './output.js';
import {
  jsonMembers,
  linesOf,
  onlyValue,
  plainText,
  textAfterLabel,
  unwrapValue,
} from './plain.js';

interface NumberForm {
  from?: number;
  to: number;
  /** Words of the label before the number, as alternatives of a regular expression. */
  label?: string;
}

/**
 * Returns the output type of a number from `from` (default 0) to `to`, both included. It is read if
 * it is alone on its line, or if it begins the reply or follows the last label, with at most a
 * remark after it ("8 (well supported)") that contains no other number of the range. "8/10" and "8
 * out of 10" are read as 8.
 */
export function numberIn({
  from = 0,
  to,
  label = 'answer|score|rating',
}: NumberForm): Output<number> {
  const inRange = (value: number) => (value >= from && value <= to ? value : undefined);
  const end = `(?: ?(?:/|out of|of) ?${to}(?:\\.0)?(?![\\d.]))`;
  const beginning = new RegExp(`^(\\d{0,4}\\.?\\d{1,8})${end}?(?: ?[(;:–—]| ?,(?!\\d)| -|$)`, 'u');
  const ends = new RegExp(end, 'gu');

  /** Returns the number at the beginning, followed by nothing, or by a remark if allowed. */
  function numberOf(line: string, mayHaveRemark: boolean): number | undefined {
    // "[8]/10" has brackets around a part only.
    const said = unwrapValue(line).replace(/[[\]]/g, '');
    const [whole = '', digits] = beginning.exec(said) ?? [];
    const remark = said.slice(whole.length).replace(ends, '');
    const others = (remark.match(/(?<![\p{L}\d.])\d*\.?\d+/gu) ?? []).map((one) =>
      inRange(Number(one)),
    );
    const isAlone = whole === said || (mayHaveRemark && others.every((one) => one === undefined));
    return digits !== undefined && isAlone ? inRange(Number(digits)) : undefined;
  }

  function readText(output: ModelOutput): number | undefined {
    const text = plainText(output);
    const behind = textAfterLabel(text, label);
    if (behind === '') return undefined;
    const [labelled = ''] = linesOf(behind ?? '');
    const [first = '', ...others] = linesOf(text);
    const values = [
      ...[first, labelled].map((line) => numberOf(line, true)),
      ...others.map((line) => numberOf(line, false)),
    ];
    return onlyValue(values.filter((value) => value !== undefined));
  }

  return {
    schema: objectSchema({ score: { type: 'number', minimum: from, maximum: to } }),
    form: `one number from ${from} to ${to}, and nothing else`,
    read(output) {
      const [score] = jsonMembers(output, ['score']) ?? [];
      return typeof score === 'number' ? inRange(score) : readText(output);
    },
  };
}
