/** Chooses the next step for a run, and the exit code for its state. Pure. */

import { command } from '../../core/command.js';
import { traitsOf } from '../../core/failure.js';
import type { Pause, RunProgress } from '../../core/run/run.js';
import { budgetGate } from '../../workflows/run/run-budget.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { RunStatus } from './run-status.js';

type Stands = Pick<RunStatus, 'state' | 'reason' | 'progress' | 'isKept'>;

/** Advice for a failure that would occur again for the same request. */
const ASK_OTHERWISE = 'run eval with the change that the reason asks for, and another --name';

/**
 * Returns the user's next step for a run in any state, as one line: a command to type, or what to
 * fix first.
 */
export function nextStep({ state, reason, progress, isKept }: Stands): string {
  const { run, outcomes } = progress;
  switch (state) {
    case 'opening':
    case 'running':
      return command('attach', run);
    case 'unattended':
      return `start a worker (${command('worker')}), or: ${command('attach', run)}`;
    case 'paused':
      return afterPause(progress, reason?.type ?? 'user');
    case 'finished':
      if (outcomes.failed === 0) return command('report', run);
      return failsAgain(progress) ? ASK_OTHERWISE : command('retry', run);
    case 'failed':
      return isKept
        ? `mend the reason, then: ${command('retry', run)}`
        : 'mend the reason, then the same command again';
    case 'unreachable':
      return `start Temporal (${command('dev')}), or set TEMPORAL_ADDRESS`;
    case 'gone':
      return `set DURABLE_RAG_RESULTS to the place of its results, or delete the run: ${command('runs', 'delete', run)}`;
    default:
      return isKept ? command('retry', run) : 'the same command again';
  }
}

/**
 * Returns whether every failed question would fail again in the same way; false if that is not
 * known.
 */
function failsAgain({ failures = [] }: RunProgress): boolean {
  return failures.length > 0 && failures.every(({ type }) => needsAnotherRequest(type));
}

/**
 * Returns whether a failure of this type would occur again for the same request, so that only
 * another request helps.
 */
export function needsAnotherRequest(type: string): boolean {
  return traitsOf(type).healedBy === 'another request';
}

/**
 * Returns what ends a pause, as text: a command to type, or what to fix first.
 *
 * @param reason Reason of the pause.
 */
export function afterPause(progress: RunProgress, reason: string): string {
  const { run } = progress;
  const resume = command('resume', run);
  if (reason === 'user' || (reason === 'budget' && allowsOneMore(progress))) return resume;
  if (reason === 'budget') return `${command('set', run, '--budget-usd', 'N')} && ${resume}`;
  if (reason === 'UnknownRun')
    return `put the results back; or ${command('cancel', run)}, and then the same command`;
  if (reason === 'RunMismatch')
    return 'set the worker up as it was; or the same command with --accept-change, or another --name';
  if (needsAnotherRequest(reason)) return `${command('cancel', run)}, then ${ASK_OTHERWISE}`;
  return `mend the reason, then: ${resume}`;
}

/** Returns whether the budget allows one more question at the average cost so far. */
function allowsOneMore(progress: RunProgress): boolean {
  const { settings, usage, judge, done } = progress;
  const usd = (usage.costUsd ?? 0) + (judge?.usage.costUsd ?? 0);
  const spending = { usd, priced: done, unpriced: 0 };
  const { costsSeen: seen = { usd, questions: done } } = progress;
  return budgetGate({ spending, seen }, settings.budgetUsd, 0) === 'begin';
}

/**
 * Returns whether a pause lasts until a person acts: true if the run paused by itself and plans no
 * attempt to continue, false for a pause that a user requested.
 */
export function needsPerson({ reason, nextProbe }: Pick<Pause, 'reason' | 'nextProbe'>): boolean {
  return reason !== 'user' && nextProbe === undefined;
}

/**
 * Returns the exit code of a command that shows a run in this state: 0 if it is under way, 5 if it
 * is paused, 0 if it has finished (3 if some of its questions failed), 8 if no Temporal server
 * answers that could tell, otherwise 4.
 */
export function exitCodeOfRun({ state, progress }: Stands): ExitCode {
  switch (state) {
    case 'opening':
    case 'running':
    case 'unattended':
      return EXIT.ok;
    case 'paused':
      return EXIT.paused;
    case 'finished':
      return progress.outcomes.failed > 0 ? EXIT.unanswered : EXIT.ok;
    case 'unreachable':
      return EXIT.unreachable;
    default:
      return EXIT.runFailed;
  }
}
