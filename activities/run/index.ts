/** The activities of a run that cost no money. */

import { Context } from '@temporalio/activity';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { RunActivities } from '../../workflows/activities/run.js';
import type { Ports } from '../runtime/ports.js';
import { LONG_BOUNDS, providerCall, untilSome } from '../runtime/provider-call.js';
import { FREE_ATTEMPTS } from '../runtime/searching.js';
import { decideStudy } from './decide-study.js';
import { recordedPerfectOutput } from './fork.js';
import { identifyRun } from './identify-run.js';
import { recordJudgement, takeJudgeTask } from './judge-task.js';
import { openRun } from './open-run.js';
import { readQuestions } from './read-questions.js';
import { recordAnswer, recordStopped } from './record-answer.js';

/** Pause between two checks whether workflows have ended. */
const POLL_MS = 500;

/** Bounds of recording, long enough to outlast a store that is away: the answer was paid for. */
const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: FREE_ATTEMPTS, refusals: 1 };

export function runActivities(ports: Ports): RunActivities {
  return {
    openRun: (input) =>
      providerCall(BOUNDS, (signal) =>
        openRun(input, ports, signal, Context.current().info.scheduledTimestampMs),
      ),
    identifyRun: (input) => providerCall(BOUNDS, () => identifyRun(input, ports)),
    readQuestions: (input) => providerCall(BOUNDS, () => readQuestions(input, ports)),
    recordAnswer: (record, result, failure, startedAt, calls) =>
      providerCall(BOUNDS, () =>
        recordAnswer(record, { result, failure, startedAt, calls }, ports),
      ),
    perfectOutput: (record, step, input, output) =>
      providerCall(BOUNDS, () => recordedPerfectOutput(record, { step, input, output }, ports)),
    recordStopped: (run, stopped) =>
      providerCall(BOUNDS, () => recordStopped(run, stopped, ports.runs)),
    // A parent that has continued as new is not notified of earlier children, so it polls.
    awaitEnded: (workflowIds) =>
      providerCall(LONG_BOUNDS, (signal) =>
        untilSome(POLL_MS, signal, () => ports.watch.ended(workflowIds, signal)),
      ),
    decideStudy: (asked) => providerCall(BOUNDS, () => decideStudy(asked, ports)),
    readJudgeTask: (record) =>
      providerCall(BOUNDS, () => takeJudgeTask(record, ports, Context.current().info.taskQueue)),
    recordJudgement: (record, found) =>
      providerCall(BOUNDS, () => recordJudgement(record, found, ports)),
  };
}
