/** The outcomes and effort of runs, as rows of a table for the terminal or the report. Pure. */
import { dollars } from '../../core/dollars.js';
import { paidCalls, savedOf, standardTierUsd } from '../../core/usage.js';
import { count, dollarsOrUnknown, paidText, percent, seconds } from './number-text.js';
import { QUESTION_STATES } from './question-state.js';
import type { RunFigures } from './run-figures.js';
import { tiersOf } from './step-usage.js';

/**
 * A row of a table with one column for each run: its title, and a function that returns the text of
 * a run's cell, '' for an empty one.
 */
export type Row = [title: string, cell: (run: RunFigures) => string];

const each = (pick: (run: RunFigures) => number) => (run: RunFigures) =>
  run.ended === 0 ? '' : count(pick(run) / run.ended);

/**
 * Text in place of a figure that is not known because the answers were imported, such as calls,
 * tokens and cost.
 */
export const UNKNOWN_FIGURE = 'unknown';

const eachIfKnown = (pick: (run: RunFigures) => number) => (run: RunFigures) =>
  run.usage.answersWithoutUsage === undefined ? each(pick)(run) : UNKNOWN_FIGURE;

/**
 * Rows of a table with one column for each run: the number of questions in each state, then the
 * number of long answers and the reject rate in per cent.
 */
export const OUTCOME_ROWS: readonly Row[] = [
  ...QUESTION_STATES.map((state): Row => [state, ({ states }) => count(states[state])]),
  ['long answers', ({ flags }) => (flags.longAnswer ? count(flags.longAnswer) : '')],
  ['reject rate', ({ rejectRate }) => (rejectRate === undefined ? '' : percent(rejectRate))],
];

/**
 * Rows of a table with one column for each run, with calls, searches, tokens, cost and time: means
 * of a question if the title says so, medians and 90th percentiles for times, otherwise sums of the
 * run.
 */
export const EFFORT_ROWS: readonly Row[] = [
  ['paid calls a question', eachIfKnown(({ usage }) => paidCalls(usage))],
  ['searches a question', eachIfKnown(({ retrievals }) => retrievals)],
  ['prompt tokens a question', eachIfKnown(({ usage }) => usage.promptTokens)],
  ['completion tokens a question', eachIfKnown(({ usage }) => usage.completionTokens)],
  [
    '  calls without a token count',
    ({ usage: { uncounted } }) => (uncounted === undefined ? '' : count(uncounted)),
  ],
  ['cost', ({ usage }) => costText(usage)],
  [
    '  of which stated by the provider',
    ({ usage: { statedUsd } }) => (statedUsd === undefined ? '' : dollars(statedUsd)),
  ],
  [
    '  of which estimated',
    ({ usage }) => (usage.estimated ? dollarsOrUnknown(usage.estimated.costUsd) : ''),
  ],
  ['  calls repeated', ({ usage }) => (usage.estimated ? count(usage.estimated.repeated) : '')],
  [
    '  of earlier attempts',
    ({ earlier }) => (earlier.costUsd === 0 ? '' : dollarsOrUnknown(earlier.costUsd)),
  ],
  ['  of the judge', ({ judging }) => (judging ? dollarsOrUnknown(judging.costUsd) : '')],
  [
    '  at the usual tier',
    ({ usage }) =>
      usage.standardUsd === undefined ? '' : dollarsOrUnknown(standardTierUsd(usage)),
  ],
  ['  served by', servedText],
  ['  saved by the cache', savingsText],
  ['working time, median', ({ working }) => (working ? seconds(working.median) : '')],
  ['working time, 90th percentile', ({ working }) => (working ? seconds(working.p90) : '')],
  ['wall time, median', ({ durations }) => (durations ? seconds(durations.median) : '')],
  ['wall time, 90th percentile', ({ durations }) => (durations ? seconds(durations.p90) : '')],
];

function costText(usage: RunFigures['usage']): string {
  const isUnknown = usage.answersWithoutUsage !== undefined && usage.costUsd === null;
  return isUnknown && usage.knownUsd === undefined ? UNKNOWN_FIGURE : paidText(usage);
}

/**
 * Returns the number of calls by service tier, such as "flex 380, default 20"; '' if all calls asked
 * for the usual tier and got it.
 */
function servedText({ steps }: RunFigures): string {
  const served = Object.entries(tiersOf(steps)).sort(([a], [b]) => (a < b ? -1 : 1));
  return served.map(([tier, calls]) => `${tier} ${count(calls)}`).join(', ');
}

/**
 * Returns what the calls served by the response cache cost when they were first made: "$0.32, 800
 * calls".
 */
function savingsText({ usage }: RunFigures): string {
  if (usage.cachedCalls === 0) return '';
  const saved = savedOf(usage);
  return `${saved === null ? '' : `${dollars(saved)}, `}${count(usage.cachedCalls)} calls`;
}
