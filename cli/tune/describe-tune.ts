/** Describes a tune before it starts. Pure. */
import { command } from '../../core/command.js';
import { dollars } from '../../core/dollars.js';
import { goalOf, type Tune } from '../../core/tune/tune.js';
import { count, percent, plural, wholePercent } from '../../evaluation/runs/number-text.js';
import {
  addEffort,
  type Effort,
  type EffortBounds,
  timesEffort,
} from '../../evaluation/tune/bounds.js';
import { paidBackAfter } from '../../evaluation/tune/power.js';
import type { PlannedTune } from '../../interpreters/plan-tune.js';

/**
 * Returns lines about a planned tune: its questions, the calls and cost of each stage, how small a
 * gain it could still prove, and how soon it would pay for itself. The tune searches for changes
 * with one half of the questions (half A), and confirms the best with the other (half B).
 */
export function describeTune(tune: Tune, planned: PlannedTune): string[] {
  const { questions, search, confirmation, start, proposals } = planned;
  const used = questions.used > 0 ? `; ${questions.used} more have confirmed another claim` : '';
  const asksStart = start.A.calls > 0 || start.B.calls > 0;
  return [
    `${tune.name}: ${plural(changesIn(planned), 'change')}, searched on ${count(questions.A)} questions (half A), confirmed on ${count(questions.B)} (half B${used})`,
    ...(asksStart ? [`Start     at most ${effortText(start.A)} on half A`] : []),
    ...(proposals.most.calls > 0 ? [`Propose   at most ${effortText(proposals.most)}`] : []),
    `Search    ${boundsText(search)}`,
    `Confirm   at most ${effortText(confirmation)}, set aside`,
    `Shows     ${showsText(tune, planned)}`,
    ...payBackText(planned),
    `Failures  an answer that fails counts as wrong, in the start and in every candidate${failedText(tune, planned)}`,
  ];
}

/**
 * Returns a note about the failed answers of a stored start, which each candidate asks anew; empty
 * if there are none.
 */
function failedText({ start }: Tune, { startFailed: failed }: PlannedTune): string {
  if (failed === 0 || typeof start !== 'string') return '';
  return `; ${count(failed)} of the start failed, which each candidate asks anew: ${command('retry', start)} asks them again first`;
}

/**
 * Returns lines about the changes that a tune tries: a heading, then for each change the calls and
 * cost of asking it all questions of half A, with which the tune searches; below it a line for
 * each of its steps if there are several.
 */
export function describeChanges({ candidates, questions }: PlannedTune): string[] {
  const labels = candidates.map(({ candidate, times }) =>
    times === 1 ? candidate.label : `${candidate.label}, each of ${times}`,
  );
  const width = Math.max(...labels.map(({ length }) => length));
  const each = candidates.flatMap(({ steps, ...bounds }, i) => [
    `  ${labels[i]?.padEnd(width)}  ${boundsText(times(bounds, questions.A))}`,
    ...(steps.length < 2
      ? []
      : steps.map((step) => `    ${step.step}: ${boundsText(times(step, questions.A))}`)),
  ]);
  return ['On all of half A, each change takes', ...each];
}

function showsText(tune: Tune, planned: PlannedTune): string {
  const { confirmable, changing, chance } = planned;
  const share = `if ${wholePercent(changing)} of the answers change`;
  const { goal } = goalOf(tune);
  if (goal === 'cheaper') {
    return `a change that loses nothing is confirmed with a chance of ${wholePercent(chance)}, ${share}; a margin of ${percent(confirmable)} points would give a chance of 80 %`;
  }
  return `a gain of ${percent(confirmable)} points with a chance of 80 %, ${share}; one such gain among ${plural(changesIn(planned), 'change')} is found and shown with a chance of about ${wholePercent(chance)}`;
}

/**
 * Returns a line about how soon the tune pays for itself if a question becomes cheaper by half;
 * none if the cost is unknown.
 */
function payBackText({ startFigures, ...planned }: PlannedTune): string[] {
  const usd = startFigures?.usd ?? null;
  const { proposals, search, confirmation } = planned;
  const most = addEffort(addEffort(proposals.most, search.most), confirmation);
  const after = (spent: Effort) => paidBackAfter(spent.usd, usd, usd && usd / 2);
  const [least, at] = [after(search.least), after(most)];
  if (usd === null || least === null || at === null) return [];
  return [
    `Pays      a question of the start costs ${dollars(usd)}; if half of that is saved, the tune has paid for itself after ${count(least)} to ${count(at)} questions`,
  ];
}

/** Returns the number of changes that a tune tries. */
function changesIn({ candidates }: Pick<PlannedTune, 'candidates'>): number {
  return candidates.reduce((sum, { times }) => sum + times, 0);
}

/** Returns the bounds of one question multiplied by a number of questions. */
function times({ least, most }: EffortBounds, questions: number): EffortBounds {
  return { least: timesEffort(least, questions), most: timesEffort(most, questions) };
}

function effortText({ calls, usd }: Effort): string {
  return `${plural(Math.ceil(calls), 'call')}, ${costText(usd)}`;
}

/** Returns the least and the most calls and cost; one figure if both are equal. */
function boundsText({ least, most }: EffortBounds): string {
  const range = (from: string, to: string) => (from === to ? to : `${from} to ${to}`);
  const [fewest, calls] = [Math.ceil(least.calls), Math.ceil(most.calls)];
  const noun = calls === 1 ? 'call' : 'calls';
  return `${range(count(fewest), count(calls))} ${noun}, ${range(costText(least.usd), costText(most.usd))}`;
}

function costText(usd: number | null): string {
  return usd === null ? 'at an unknown price' : dollars(usd);
}
