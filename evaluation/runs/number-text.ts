/** Numbers as people read them, in the terminal and in the report. Pure. */
import { dollars as knownDollars } from '../../core/dollars.js';
import { type Range, scaledValue } from '../../core/metric.js';
import type { Usage } from '../../core/usage.js';

/** A share as per cent, without the sign: 33.4 */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** What a metric says of its values. */
interface Ranged {
  range?: Range | undefined;
}

/** A score of a metric as it is read: a share as per cent, of a metric with a range its value. */
export function scoreText(score: number, { range }: Ranged): string {
  return range ? count(scaledValue(score, range)) : percent(score);
}

/** A difference of scores of a metric, with its sign: in points, of a metric with a range as it is. */
export function differenceText(difference: number, { range }: Ranged): string {
  if (!range) return points(difference);
  const rounded = count(Math.abs(difference) * (range.to - range.from));
  if (rounded === '0') return rounded;
  return `${difference < 0 ? '−' : '+'}${rounded}`;
}

/** Returns a fraction as a rounded percentage: 40, 2.5 */
export function tickPercent(share: number): string {
  return String(Math.round(1000 * share) / 10);
}

/** A difference of shares in points, with its sign: +5.2, −0.3, 0.0 */
export function points(difference: number): string {
  const rounded = percent(Math.abs(difference));
  if (rounded === '0.0') return rounded;
  return `${difference < 0 ? '−' : '+'}${rounded}`;
}

/** Making a format takes much longer than using it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: number, least: number, most: number): string {
  const key = `${least},${most}`;
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', digits);
  formats.set(key, format);
  return format.format(value);
}

/** Returns a number such as 1,234, with decimals only if it is small: 7.25, 33.4 */
export function count(n: number): string {
  return formatted(n, 0, Math.abs(n) >= 100 ? 0 : Math.abs(n) >= 10 ? 1 : 2);
}

/** Returns a number with its noun, such as "1 question" or "1,250 questions". */
export function plural(n: number, one: string, several = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : several}`;
}

/** ", n = 16 of 100" of a mean over fewer questions than there are; else nothing. */
export function overFewer(questions: number, of: number): string {
  return questions < of ? `, n = ${count(questions)} of ${count(of)}` : '';
}

/** US dollars, or that they are not known. */
export function dollars(amount: number | null): string {
  return amount === null ? 'unknown' : knownDollars(amount);
}

/** Returns the cost paid; if some prices are unknown, the known part. */
export function paidText({ costUsd, knownUsd }: Pick<Usage, 'costUsd' | 'knownUsd'>): string {
  return knownUsd === undefined ? dollars(costUsd) : `${dollars(knownUsd)} and more`;
}

/** 850 ms, 12.3 s, 4 min 5 s */
export function seconds(value: number): string {
  const milliseconds = Math.round(value * 1000);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 99_950) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  return `${count(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** Returns a p-value: 0.012, or "< 0.001". */
export function pValue(p: number): string {
  if (p < 0.001) return '< 0.001';
  return p.toFixed(p < 0.1 ? 3 : 2);
}

/** Returns how many questions each build answered, the most first: "0f3a9c (212), 77be01 (88)". */
export function buildsText(builds: Readonly<Record<string, number>>): string {
  return Object.entries(builds)
    .sort(([, a], [, b]) => b - a)
    .map(([build, questions]) => `${build} (${count(questions)})`)
    .join(', ');
}
