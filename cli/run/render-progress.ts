/** Describes the progress and status of runs for people. Pure. */
import pc from 'picocolors';
import { command } from '../../core/command.js';
import { dollars } from '../../core/dollars.js';
import type { Pause, RunProgress, ScoreSum } from '../../core/run/run.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import { metricsInOrder } from '../../evaluation/runs/metrics.js';
import {
  buildsText,
  count,
  overFewer,
  percent,
  plural,
} from '../../evaluation/runs/number-text.js';
import { unscoredTexts } from '../../evaluation/runs/unscored-text.js';
import { scoreInterval } from '../../evaluation/statistics/score-interval.js';
import { printable } from '../../report/views/printable.js';
import { renderCost, renderEstimated, renderSaved, renderUsage } from '../render-result.js';
import { afterPause } from './next-step.js';
import { renderStuck } from './render-stuck.js';
import type { RunStatus } from './run-status.js';

const BAR_WIDTH = 30;
/** Kinds of failures shown, and characters of an example of one. */
const MOST_FAILURES = 5;
const EXAMPLE = 160;

/** Speed of a run, as measured by the command that follows it. */
interface Speed {
  questionsPerMinute: number;
  minutesLeft: number;
}

/**
 * Returns the lines of a run's live display: its state, counts, scores, cost and limits.
 *
 * @param speed Speed of the run; undefined if unknown.
 */
export function renderProgress(progress: RunProgress, speed: Speed | undefined): string[] {
  return [
    `${pc.bold(printable(progress.run))}  ${progress.method}, ${state(progress)}`,
    `${bar(progress)} ${count(progress.done)} of ${count(progress.questions)} done, ${count(progress.running)} under way${pace(speed)}`,
    outcomes(progress),
    ...failures(progress),
    ...scores(progress),
    ...unscored(progress),
    ...builds(progress),
    `${renderUsage(progress.usage)}${budget(progress)}`,
    ...renderEstimated(progress.usage),
    ...earlier(progress),
    ...renderSaved(progress.usage),
    ...judging(progress),
    ...limits(progress),
    ...renderPause(progress),
  ];
}

/**
 * Returns the number of answers by version of the workflows, if there are several versions;
 * otherwise no lines.
 */
function builds({ builds = {} }: RunProgress): string[] {
  if (Object.keys(builds).length < 2) return [];
  return [pc.yellow(`answered by builds of the workflows: ${buildsText(builds)}`)];
}

/**
 * Returns lines about a pause of a run: its reason, since when, and what ends it. No lines if the
 * run is not paused.
 */
export function renderPause(progress: RunProgress): string[] {
  const { run, pause } = progress;
  if (!pause) return [];
  const next =
    pause.nextProbe === undefined
      ? `To continue: ${afterPause(progress, pause.reason)}`
      : `It continues by itself; to continue at once: ${command('resume', run)}`;
  return [pc.yellow(`Paused (${pauseTimes(pause)}): ${printable(pause.message)}`), pc.yellow(next)];
}

function pauseTimes({ reason, since, nextProbe }: Pause): string {
  return [
    reason,
    ...(since === undefined ? [] : [`since ${time(since)}`]),
    ...(nextProbe === undefined ? [] : [`one question is tried at ${time(nextProbe)}`]),
  ].join(', ');
}

/** Returns the time in the local time zone. */
function time(at: number): string {
  return new Date(at).toLocaleString('sv-SE');
}

/** Returns lines about a run, which `status` prints, and other commands at their end. */
export function renderStatus({
  state,
  reason,
  progress,
  stuck,
  changes,
  idleSearch,
}: RunStatus): string[] {
  const cannot = [
    ...(idleSearch === undefined ? [] : [printable(idleSearch)]),
    ...renderChanges(changes),
    ...renderStuck(progress.run, stuck),
  ];
  if (state === progress.state) return [...renderProgress(progress, undefined), ...cannot];
  const { run, method, questions } = progress;
  const [, ...lines] = renderProgress(progress, undefined);
  const why = reason && pc.red(`${reason.type}: ${printable(reason.message)}`);
  return [
    `${pc.bold(run)}  ${method}, ${STATES[state] ?? state}`,
    ...(why ? [why] : []),
    ...(questions > 0 ? lines : []),
    ...cannot,
  ];
}

/**
 * Returns lines about changes that were accepted while the run was under way, since its figures
 * then mix several setups.
 */
function renderChanges(changes: RunStatus['changes'] = []): string[] {
  if (changes.length === 0) return [];
  const each = changes.map(({ answered, differences }) =>
    printable(`  after ${plural(answered, 'answer')}: ${differences.join('; ')}`),
  );
  const head = 'This run is mixed: it was changed on its way. compare and report show its parts.';
  return [head, ...each].map((line) => pc.yellow(line));
}

const STATES: Partial<Record<RunStatus['state'], string>> = {
  unattended: 'under way, but no worker answers',
  kept: 'in the results',
  incomplete: 'not finished, and not under way',
  unreachable: 'not finished; Temporal would tell whether it is under way',
  timedOut: 'timed out',
  gone: 'results gone',
};

/** Returns one line about a run, for a list of runs. */
export function renderStatusLine(status: RunStatus): string {
  const { state, reason, progress, isCounted, stuck } = status;
  const cannot =
    stuck.length > 0 ? `, ${stuck.length} cannot go on: see status ${progress.run}` : '';
  if (state === progress.state && isCounted) return renderProgressLine(progress) + cannot;
  const shown = `${STATES[state] ?? state}${reason ? ` (${reason.type})` : ''}`;
  if (isCounted && progress.questions > 0) return renderProgressLine(progress, undefined, shown);
  const { run, method, questions, startedAt } = progress;
  const begun = new Date(startedAt).toISOString().slice(0, 16);
  const asked = questions > 0 ? [plural(questions, 'question')] : [];
  return `${run}: ${[...asked, method, `begun ${begun}`, shown].join(', ')}${cannot}`;
}

/**
 * Returns the progress of a run as one line, for logs and lists.
 *
 * @param shown State at the end of the line.
 */
export function renderProgressLine(
  progress: RunProgress,
  speed?: Speed,
  shown = state(progress) + pace(speed),
): string {
  const { run, done, questions, outcomes, usage, earlier = NO_USAGE } = progress;
  const [metric] = scores(progress);
  return [
    `${run}: ${count(done)} of ${count(questions)} done`,
    ...(outcomes.failed > 0 ? [`${count(outcomes.failed)} failed`] : []),
    ...(metric ? [metric] : []),
    ...renderCost(addUsage(earlier, usage)),
    shown,
  ].join(', ');
}

/**
 * Returns the speed since an earlier reading of the progress, as `questionsPerMinute`, and the
 * minutes left at that speed as `minutesLeft`; undefined if no question has ended since, or no
 * time has passed.
 *
 * @param before Number of ended questions at the earlier time, which is in milliseconds since
 * 1970.
 * @param at Time of the later reading, likewise.
 */
export function speedBetween(
  before: { at: number; done: number },
  { done, questions }: Pick<RunProgress, 'done' | 'questions'>,
  at: number,
): Speed | undefined {
  const minutes = (at - before.at) / 60_000;
  if (minutes <= 0 || done <= before.done) return undefined;
  const questionsPerMinute = (done - before.done) / minutes;
  return { questionsPerMinute, minutesLeft: (questions - done) / questionsPerMinute };
}

function state({ state, pause }: RunProgress): string {
  if (state === 'opening') return 'reading the data set';
  return state === 'paused' && pause ? `paused (${pauseTimes(pause)})` : state;
}

function bar({ done, questions }: RunProgress): string {
  const full = questions === 0 ? 0 : Math.floor((done / questions) * BAR_WIDTH);
  return pc.green('█'.repeat(full)) + pc.dim('░'.repeat(BAR_WIDTH - full));
}

function pace(speed: Speed | undefined): string {
  if (!speed) return '';
  const { questionsPerMinute, minutesLeft } = speed;
  const left = minutesLeft < 0.05 ? '' : `, ${duration(minutesLeft)} left`;
  return `, ${questionsPerMinute.toFixed(questionsPerMinute < 10 ? 1 : 0)} a minute${left}`;
}

function duration(minutes: number): string {
  if (minutes < 1) return `${Math.ceil(minutes * 60)} s`;
  if (minutes < 90) return `${Math.ceil(minutes)} min`;
  return `${(minutes / 60).toFixed(1)} h`;
}

function outcomes({ outcomes }: RunProgress): string {
  const { answered, unknown, unreadable, failed } = outcomes;
  const failures = `${count(failed)} failed`;
  return [
    `${count(answered)} answered`,
    `${count(unknown)} unknown`,
    `${count(unreadable)} unreadable`,
    failed > 0 ? pc.red(failures) : failures,
  ].join(', ');
}

/**
 * Returns a line for each of the most frequent kinds of failure, such as "7 ContentRefused in read:
 * the message of the first".
 */
function failures({ failures = [] }: RunProgress): string[] {
  const shown = failures.slice(0, MOST_FAILURES).map(({ type, step, questions, example }) => {
    const where = step === null ? '' : ` in ${step}`;
    return `  ${count(questions)} ${type}${where}: ${oneLine(example)}`;
  });
  const more = failures.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${count(more)} more kinds`] : [])];
}

function oneLine(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length > EXAMPLE ? `${line.slice(0, EXAMPLE)}...` : line;
}

/**
 * Returns lines about the usage of earlier attempts, including cancelled ones, and the sum with the
 * current one.
 */
function earlier({ earlier, usage }: RunProgress): string[] {
  if (!earlier) return [];
  const both = addUsage(earlier, usage);
  const cost = both.costUsd ? `; together ${dollars(both.costUsd)}` : '';
  return [
    `earlier attempts: ${renderUsage(earlier)}${cost}`,
    ...renderSaved(earlier),
    ...renderEstimated(earlier),
  ];
}

/**
 * Returns the headline metrics as a list of one line, such as "EM 31.2 % (27.0 to 35.6)" with the
 * 95 % interval. A metric that does not cover all questions also has the number of questions that
 * it covers.
 */
function scores({ scores: sums, metrics: own, done }: RunProgress): string[] {
  const metrics = metricsInOrder(Object.keys(sums), own);
  const headlines = metrics.filter(({ isHeadline }) => isHeadline);
  const shown = headlines.length > 0 ? headlines : metrics;
  const texts = shown.flatMap(({ metric, title }) => {
    const sum = sums[metric];
    return sum && sum.questions > 0 ? [`${title} ${meanText(sum, done)}`] : [];
  });
  return texts.length > 0 ? [texts.join('  ')] : [];
}

function unscored({ unscored, metrics }: RunProgress): string[] {
  return unscoredTexts(unscored, metrics).map(pc.yellow);
}

function meanText(sums: ScoreSum, done: number): string {
  const { mean, low, high } = scoreInterval(sums);
  return `${percent(mean)} % (${percent(low)} to ${percent(high)}${overFewer(sums.questions, done)})`;
}

function budget({ usage, settings, underWayUsd = 0 }: RunProgress): string {
  if (settings.budgetUsd === null) return '';
  const over = (usage.costUsd ?? 0) - settings.budgetUsd;
  const spent = usage.costUsd === 0 ? ', $0' : '';
  const more = underWayUsd > 0 ? `, about ${dollars(underWayUsd)} more under way` : '';
  return `${spent} of ${dollars(settings.budgetUsd)}${over > 0 ? `, ${dollars(over)} over` : ''}${more}`;
}

function judging({ judge }: RunProgress): string[] {
  if (!judge) return [];
  const failed = judge.failed > 0 ? `, ${plural(judge.failed, 'answer')} could not be judged` : '';
  return [`judge: ${renderUsage(judge.usage)}${failed}`, ...renderSaved(judge.usage)];
}

function limits({ settings }: RunProgress): string[] {
  const { concurrency, requestsPerMinute, tokensPerMinute } = settings;
  return [
    [
      `${count(concurrency)} ${concurrency === 1 ? 'question' : 'questions'} at a time`,
      ...(requestsPerMinute === null ? [] : [`at most ${count(requestsPerMinute)} calls a minute`]),
      ...(tokensPerMinute === null ? [] : [`at most ${count(tokensPerMinute)} tokens a minute`]),
    ].join(', '),
  ].map(pc.dim);
}
