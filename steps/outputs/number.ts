import { type ModelOutput, type Output, objectSchema } from './output.js';
import { bareValue, behindLabel, linesOf, membersOf, only, plainText } from './plain.js';

interface NumberForm {
  from?: number;
  to: number;
  /** Words before it, as alternatives of a pattern. */
  label?: string;
}

/**
 * Returns the type of a number from `from` (default 0) to `to`. It is read if it is alone on its
 * line, or at the beginning of the reply or after the last label, followed by a remark ("8 (well
 * supported)") without another number of the range. The end of the range does not count ("8/10", "8
 * out of 10").
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
    const said = bareValue(line).replace(/[[\]]/g, '');
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
    const behind = behindLabel(text, label);
    if (behind === '') return undefined;
    const [labelled = ''] = linesOf(behind ?? '');
    const [first = '', ...others] = linesOf(text);
    const values = [
      ...[first, labelled].map((line) => numberOf(line, true)),
      ...others.map((line) => numberOf(line, false)),
    ];
    return only(values.filter((value) => value !== undefined));
  }

  return {
    schema: objectSchema({ score: { type: 'number', minimum: from, maximum: to } }),
    form: `one number from ${from} to ${to}, and nothing else`,
    read(output) {
      const [score] = membersOf(output, ['score']) ?? [];
      return typeof score === 'number' ? inRange(score) : readText(output);
    },
  };
}
