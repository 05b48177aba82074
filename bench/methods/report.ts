/** The table of the measurement, in Markdown. Pure. */

import { withoutCitations } from '../../core/citations.js';
import { exactMatch } from '../../core/exact-match.js';
import { addUsage, noUsage } from '../../core/usage.js';
import { shortAnswerRecall } from '../../evaluation/metrics/short-answer-recall.js';
import { tokenF1 } from '../../evaluation/metrics/token-f1.js';
import { countOutcomes } from '../../evaluation/score-summary.js';
import type { Asked, Place } from './asked.js';
import type { PlannedMethod } from './plan.js';

/** A row with the questions it was planned for, asked or not. */
export interface MeasuredMethod extends Pick<PlannedMethod, 'method' | 'options'> {
  places: readonly Pick<Place, 'question' | 'asked'>[];
}

const HEADINGS: readonly (readonly [heading: string, rule: string])[] = [
  ['method', '---'],
  ['options, the rest as by default', '---'],
  ['questions', '---:'],
  ['EM', '---:'],
  ['F1', '---:'],
  ['contained', '---:'],
  ['calls', '---:'],
  ['prompt tokens', '---:'],
  ['of these cached', '---:'],
  ['completion tokens', '---:'],
  ['seconds', '---:'],
  ['CPU seconds of the model', '---:'],
  ['not answered, or not as asked', '---'],
];

/** Means over the questions; a method of which nothing was asked yet has no row. */
export function table(measured: readonly MeasuredMethod[]): string {
  const rows = measured.map(rowOf).filter((row) => row !== undefined);
  const lines = [HEADINGS.map(([heading]) => heading), HEADINGS.map(([, rule]) => rule), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowOf({ method, options, places }: MeasuredMethod): string[] | undefined {
  const done = places.flatMap(({ question, asked }) => (asked ? [{ question, ...asked }] : []));
  if (done.length === 0) return undefined;
  const usage = done.map(({ result }) => result.usage).reduce(addUsage, noUsage);
  const mean = (sum: number, digits = 0) => (sum / done.length).toFixed(digits);
  const total = (figure: (one: (typeof done)[number]) => number) =>
    done.reduce((sum, one) => sum + figure(one), 0);
  return [
    `\`${method}\``,
    optionsText(options),
    done.length === places.length ? String(done.length) : `${done.length} of ${places.length}`,
    String(
      total(({ question, result }) =>
        exactMatch(withoutCitations(result.answer ?? ''), question.answers),
      ),
    ),
    mean(
      100 *
        total(({ question, result }) =>
          tokenF1(withoutCitations(result.answer ?? ''), question.answers),
        ),
    ),
    String(
      total(
        ({ question, result }) => shortAnswerRecall(result.answer ?? '', [question.answers]).recall,
      ),
    ),
    mean(usage.calls, 1),
    mean(usage.promptTokens),
    share(usage.cachedPromptTokens, usage.promptTokens),
    mean(usage.completionTokens),
    mean(total(({ seconds }) => seconds)),
    meanOf(done.map(({ modelCpuSeconds }) => modelCpuSeconds)),
    otherwise(done),
  ];
}

/** "passages 3, by sureSummary"; "none" where all are as by default. */
export function optionsText(options: object): string {
  const text = (value: unknown) => (Array.isArray(value) ? value.join(' and ') : String(value));
  return (
    Object.entries(options)
      .map(([name, value]) => `${name} ${text(value)}`)
      .join(', ') || 'none'
  );
}

/** Over those that are known. */
function meanOf(figures: readonly (number | undefined)[]): string {
  const known = figures.filter((figure) => figure !== undefined);
  const sum = known.reduce((one, other) => one + other, 0);
  return known.length === 0 ? '' : (sum / known.length).toFixed(0);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(0)} %`;
}

/** Outcomes other than answered, and outputs that stayed unreadable. */
function otherwise(done: readonly Pick<Asked, 'result'>[]): string {
  const { answered: _, ...others } = countOutcomes(done.map(({ result }) => result));
  const fallbacks = done.flatMap(({ result }) => result.flags).filter(isFallback).length;
  return Object.entries({ ...others, 'output unreadable': fallbacks })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

function isFallback({ kind }: { kind: string }): boolean {
  return kind === 'fallback';
}
