/** Formats numbers for the terminal and the report. Pure. */
import { dollars } from '../../core/dollars.js';
import { type Range, scaledValue } from '../../core/metric.js';
import type { Usage } from '../../core/usage.js';

/** Returns a fraction as text in per cent with one decimal, without the sign "%": "33.4". */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** Returns a fraction as text in whole per cent: "10 %" for 0.104. */
export function wholePercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** The range of a metric; undefined if its scores are shares. */
interface Ranged {
  range?: Range | undefined;
}

/**
 * Returns a score from 0 to 1 as text: in per cent with one decimal and without the sign "%"
 * ("33.4"), or in the unit of the metric's range.
 */
export function scoreText(score: number, { range }: Ranged): string {
  return range ? count(scaledValue(score, range)) : percent(score);
}

/**
 * Returns a difference of scores, from -1 to 1, as text with its sign: in percentage points
 * ("+5.2"), or in the unit of the metric's range.
 */
export function differenceText(difference: number, { range }: Ranged): string {
  if (!range) return points(difference);
  const rounded = count(Math.abs(difference) * (range.to - range.from));
  if (rounded === '0') return rounded;
  return `${difference < 0 ? '−' : '+'}${rounded}`;
}

/**
 * Returns a fraction as text in per cent with at most one decimal, without the sign "%": "40",
 * "2.5".
 */
export function tickPercent(share: number): string {
  return String(Math.round(1000 * share) / 10);
}

/**
 * Returns a difference of fractions as text in percentage points, with its sign: "+5.2", "−0.3",
 * "0.0".
 */
export function points(difference: number): string {
  const rounded = percent(Math.abs(difference));
  if (rounded === '0.0') return rounded;
  return `${difference < 0 ? '−' : '+'}${rounded}`;
}

/** Cache of number formats, which are slow to create. */
const formats = new Map<string, Intl.NumberFormat>();

function formatted(value: number, least: number, most: number): string {
  const key = `${least},${most}`;
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', digits);
  formats.set(key, format);
  return format.format(value);
}

/**
 * Returns a number as text with thousands separators: without decimals from 100 on, with at most
 * one from 10 on, otherwise with at most two: "1,234", "33.4", "7.25".
 */
export function count(n: number): string {
  return formatted(n, 0, Math.abs(n) >= 100 ? 0 : Math.abs(n) >= 10 ? 1 : 2);
}

/**
 * Returns a number with its noun: "1 question", "1,250 questions".
 *
 * @param several The noun for other numbers than 1. @default `one` with an s
 */
export function plural(n: number, one: string, several = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : several}`;
}

/** Returns ", n = 16 of 100" if a mean is over fewer questions than all `of` them, otherwise ''. */
export function overFewer(questions: number, of: number): string {
  return questions < of ? `, n = ${count(questions)} of ${count(of)}` : '';
}

/** Returns an amount of US dollars as text, such as "$0.32"; "unknown" for null. */
export function dollarsOrUnknown(amount: number | null): string {
  return amount === null ? 'unknown' : dollars(amount);
}

/**
 * Returns the cost of a usage in US dollars as text. If some prices are unknown, returns the known
 * part: "$0.32 and more"; if no part is known, "unknown".
 */
export function paidText({ costUsd, knownUsd }: Pick<Usage, 'costUsd' | 'knownUsd'>): string {
  return knownUsd === undefined ? dollarsOrUnknown(costUsd) : `${dollars(knownUsd)} and more`;
}

/** Returns a duration in seconds as text: "850 ms", "12.3 s", "4 min 5 s". */
export function seconds(value: number): string {
  const milliseconds = Math.round(value * 1000);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 99_950) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  return `${count(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** Returns a p-value as text: "0.34", "0.012" below 0.1, or "< 0.001". */
export function pValue(p: number): string {
  if (p < 0.001) return '< 0.001';
  return p.toFixed(p < 0.1 ? 3 : 2);
}

/**
 * Returns as text the builds of the workflows, each with the number of questions that it answered
 * in brackets, largest first: "0f3a9c (212), 77be01 (88)"; '' without any.
 */
export function buildsText(builds: Readonly<Record<string, number>>): string {
  return Object.entries(builds)
    .sort(([, a], [, b]) => b - a)
    .map(([build, questions]) => `${build} (${count(questions)})`)
    .join(', ');
}
