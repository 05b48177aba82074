/** Writes the results of sequential comparisons as text. Pure. */
import { dollars } from '../../core/dollars.js';
import { count, plural, points, pValue } from '../runs/number-text.js';
import type { Decision, Verdict } from '../statistics/decide.js';
import type { CellFigures } from './cell-figures.js';
import { aboutText } from './gate-summaries.js';

/**
 * Returns the verdict of a sequential comparison and its figures as a clause.
 *
 * @param against Name of the baseline.
 * @example "better than base: +7.2 points (+1.0 to +13.1) after 344 of 1,000 questions, ..."
 */
export function decisionText(decision: Decision, against: string): string {
  const { verdict, decidedAt, asked, leftOut, questions, band, delta, about, fixed } = decision;
  const by = delta > 0 ? `more than ${(100 * delta).toFixed(1)} points ` : '';
  const found: Record<Verdict, string> = {
    better: `${by}better than ${against}`,
    worse: `${by}worse than ${against}`,
    alike: `no more than ${(100 * delta).toFixed(1)} points apart from ${against}`,
    cannot: `cannot be distinguished from ${against} by the remaining questions`,
    undecided: `not yet distinguished from ${against}`,
  };
  const last = band.at(-1);
  const difference =
    last && `: ${points(last.mean)} points (${points(last.low)} to ${points(last.high)})`;
  const when = decidedAt === undefined ? '' : `, decided after ${decidedAt}`;
  const without = leftOut > 0 ? `, ${leftOut} left out` : '';
  const fixedTest = fixed ? `; a fixed-size test of the same questions: p ${pValue(fixed.p)}` : '';
  return (
    `${found[verdict]}${difference ?? ''} after ${asked} of ${plural(questions, 'question')}` +
    `${without}${when}, ${aboutText(about)}${fixedTest}`
  );
}

/**
 * Returns a sentence with the number of planned answers that a study did not ask for, and the
 * calls and US dollars that they would have taken at the mean of the others; without the dollars
 * if a price is unknown. The numbers are 0 if nothing was saved.
 */
export function savingsText(
  cells: readonly (Pick<CellFigures, 'order' | 'answers' | 'usage' | 'costUsd'> & {
    runs: readonly unknown[];
  })[],
): string {
  let [all, saved, calls, usd]: [number, number, number, number | null] = [0, 0, 0, 0];
  for (const { order, runs, answers, usage, costUsd } of cells) {
    const left = order.length * runs.length - answers;
    all += order.length * runs.length;
    saved += left;
    if (answers > 0) calls += (left * usage.calls) / answers;
    usd = usd === null || costUsd === null ? null : usd + left * costUsd;
  }
  const cost = usd === null ? '' : ` and ${dollars(usd)}`;
  return `Not asked: ${count(saved)} of ${plural(all, 'answer')}, some ${plural(Math.round(calls), 'call')}${cost}.`;
}
