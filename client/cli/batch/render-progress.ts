/** Where a run stands, as a person likes to read it. Pure. */

import pc from 'picocolors';
import { inOrder } from '../../../evaluation/runs/metrics.js';
import { unscoredTexts } from '../../../evaluation/runs/unscored-text.js';
import { scoreInterval } from '../../../evaluation/statistics/score-interval.js';
import type { BatchProgress, Pause, ScoreSum } from '../../../methods/batch/batch.js';
import { answeredUsd, type Usage } from '../../../methods/usage.js';
import { printable } from '../../../views/printable.js';
import { renderEstimated, renderUsage } from '../render-result.js';

const BAR_WIDTH = 30;

/** How fast a run is, measured by whoever looks on. */
export interface Speed {
  questionsPerMinute: number;
  minutesLeft: number;
}

/** The lines of the live display, and of `status`. */
export function renderProgress(progress: BatchProgress, speed: Speed | undefined): string[] {
  return [
    `${pc.bold(printable(progress.run))}  ${progress.method}, ${state(progress)}`,
    `${bar(progress)} ${count(progress.done)} of ${count(progress.questions)} done, ${count(progress.running)} under way${pace(speed)}`,
    outcomes(progress),
    ...scores(progress),
    ...unscored(progress),
    `${renderUsage(progress.usage)}${budget(progress)}`,
    ...renderEstimated(progress.usage),
    ...saved(progress.usage),
    ...judging(progress),
    ...limits(progress),
    ...renderPause(progress),
  ];
}

/** Why a run is paused, since when, and what goes on with it; nothing where it is not. */
export function renderPause({ run, pause }: Pick<BatchProgress, 'run' | 'pause'>): string[] {
  if (!pause) return [];
  const next =
    pause.nextProbe === undefined
      ? `Go on with it: durable-rag resume ${run}`
      : `It goes on by itself; all at once: durable-rag resume ${run}`;
  return [pc.yellow(`Paused (${pauseTimes(pause)}): ${printable(pause.message)}`), pc.yellow(next)];
}

function pauseTimes({ reason, since, nextProbe }: Pause): string {
  return [
    reason,
    ...(since === undefined ? [] : [`since ${time(since)}`]),
    ...(nextProbe === undefined ? [] : [`one question is tried at ${time(nextProbe)}`]),
  ].join(', ');
}

/** In the time zone of whoever looks on. */
function time(at: number): string {
  return new Date(at).toLocaleString('sv-SE');
}

/** One line, for where lines stay: a log, a list of runs. */
export function renderProgressLine(progress: BatchProgress, speed?: Speed): string {
  const { run, done, questions, outcomes } = progress;
  const [metric] = scores(progress);
  return [
    `${run}: ${count(done)} of ${count(questions)} done`,
    ...(outcomes.failed > 0 ? [`${count(outcomes.failed)} failed`] : []),
    ...(metric ? [metric] : []),
    ...(progress.usage.costUsd === null ? [] : [`$${progress.usage.costUsd.toFixed(4)}`]),
    state(progress) + pace(speed),
  ].join(', ');
}

/** The speed from two looks at a run; undefined while nothing has ended between them. */
export function speedBetween(
  before: { at: number; done: number },
  { done, questions }: Pick<BatchProgress, 'done' | 'questions'>,
  at: number,
): Speed | undefined {
  const minutes = (at - before.at) / 60_000;
  if (minutes <= 0 || done <= before.done) return undefined;
  const questionsPerMinute = (done - before.done) / minutes;
  return { questionsPerMinute, minutesLeft: (questions - done) / questionsPerMinute };
}

function state({ state, pause }: BatchProgress): string {
  if (state === 'opening') return 'reading the data set';
  return state === 'paused' && pause ? `paused (${pauseTimes(pause)})` : state;
}

function bar({ done, questions }: BatchProgress): string {
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

function outcomes({ outcomes }: BatchProgress): string {
  const { answered, unknown, unreadable, failed } = outcomes;
  const failures = `${count(failed)} failed`;
  return [
    `${count(answered)} answered`,
    `${count(unknown)} unknown`,
    `${count(unreadable)} unreadable`,
    failed > 0 ? pc.red(failures) : failures,
  ].join(', ');
}

/** "EM 31.2 % (27.0 to 35.6)", the interval at 95 %; the headline metrics, on one line. */
function scores({ scores: sums, metrics: own }: BatchProgress): string[] {
  const metrics = inOrder(Object.keys(sums), own);
  const headlines = metrics.filter(({ isHeadline }) => isHeadline);
  const shown = headlines.length > 0 ? headlines : metrics;
  const texts = shown.flatMap(({ metric, title }) => {
    const sum = sums[metric];
    return sum && sum.questions > 0 ? [`${title} ${meanText(sum)}`] : [];
  });
  return texts.length > 0 ? [texts.join('  ')] : [];
}

function unscored({ unscored, metrics }: BatchProgress): string[] {
  return unscoredTexts(unscored, metrics).map(pc.yellow);
}

function meanText(sums: ScoreSum): string {
  const { mean, low, high } = scoreInterval(sums);
  return `${percent(mean)} % (${percent(low)} to ${percent(high)})`;
}

function budget({ usage, settings }: BatchProgress): string {
  if (settings.budgetUsd === null) return '';
  const over = (usage.costUsd ?? 0) - settings.budgetUsd;
  return ` of $${settings.budgetUsd}${over > 0 ? `, $${over.toFixed(4)} over` : ''}`;
}

/** What the response cache saved; its worth is that of the calls paid for in the same run. */
function saved(usage: Usage): string[] {
  const { calls, cachedCalls } = usage;
  if (cachedCalls === 0) return [];
  const costUsd = answeredUsd(usage);
  const paid = calls - cachedCalls;
  const worth =
    paid > 0 && costUsd ? `, about $${((costUsd / paid) * cachedCalls).toFixed(4)}` : '';
  return [`saved ${count(cachedCalls)} of ${count(calls)} calls by the response cache${worth}`];
}

function judging({ judge }: BatchProgress): string[] {
  if (!judge) return [];
  const failed = judge.failed > 0 ? `, ${count(judge.failed)} answers could not be judged` : '';
  return [`judge: ${renderUsage(judge.usage)}${failed}`];
}

function limits({ settings }: BatchProgress): string[] {
  const { concurrency, requestsPerMinute, tokensPerMinute } = settings;
  return [
    [
      `${count(concurrency)} questions at a time`,
      ...(requestsPerMinute === null ? [] : [`at most ${count(requestsPerMinute)} calls a minute`]),
      ...(tokensPerMinute === null ? [] : [`at most ${count(tokensPerMinute)} tokens a minute`]),
    ].join(', '),
  ].map(pc.dim);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
