import { type ModelOutput, type Output, objectSchema } from './output.js';
import { bareValue, behindLabel, linesOf, membersOf, plainText } from './plain.js';

export interface NumberForm {
  from?: number;
  to: number;
  /** The words before it, as alternatives of a pattern. */
  label?: string;
}

/**
 * A number from `from`, 0 when left out, to `to`: alone on its line, with the range's end behind it
 * ("8/10") where there is one, or behind the last label.
 */
export function numberIn({
  from = 0,
  to,
  label = 'answer|score|rating',
}: NumberForm): Output<number> {
  const inRange = (value: number) => (value >= from && value <= to ? value : undefined);

  function alone(line: string): number | undefined {
    const [, digits, most] =
      /^(\d{0,4}\.?\d{1,8})(?: ?\/ ?(\d{1,4})(?:\.0)?)?$/.exec(bareOf(line)) ?? [];
    const fits = digits !== undefined && (most === undefined || Number(most) === to);
    return fits ? inRange(Number(digits)) : undefined;
  }

  function readText(output: ModelOutput): number | undefined {
    const text = plainText(output);
    const [labelled = ''] = linesOf(behindLabel(text, label) ?? '');
    const said = linesOf(text).flatMap((line) => alone(line) ?? []);
    return alone(labelled) ?? (new Set(said).size === 1 ? said[0] : undefined);
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

/** "[8]/10" has its brackets around a part. */
function bareOf(line: string): string {
  return bareValue(line).replace(/[[\]]/g, '');
}
