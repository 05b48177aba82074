/** The activities of a run that cost no money. */

import { Context } from '@temporalio/activity';
import type { RunActivities } from '../../workflows/activities/run.js';
import { FREE_BOUNDS, LONG_BOUNDS, pollUntilFound } from '../runtime/free-calls.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { decideStudy } from './decide-study.js';
import { recordedPerfectOutput } from './fork.js';
import { identifyRun } from './identify-run.js';
import { readJudgeTask, recordJudgement } from './judge-task.js';
import { openRun } from './open-run.js';
import { readQuestions } from './read-questions.js';
import { recordAnswer, recordStopped } from './record-answer.js';

/** Pause between two checks whether workflows have ended, in milliseconds. */
const POLL_MS = 500;

/** Returns the activities of a run that cost no money, by name. */
export function runActivities(ports: Ports): RunActivities {
  return {
    openRun: (input) =>
      providerCall(FREE_BOUNDS, ({ signal }) =>
        openRun(input, ports, signal, Context.current().info.scheduledTimestampMs),
      ),
    identifyRun: (input) => providerCall(FREE_BOUNDS, () => identifyRun(input, ports)),
    readQuestions: (input) => providerCall(FREE_BOUNDS, () => readQuestions(input, ports)),
    recordAnswer: (record, result, failure, startedAt, calls) =>
      providerCall(FREE_BOUNDS, () =>
        recordAnswer(record, { result, failure, startedAt, calls }, ports),
      ),
    perfectOutput: (record, step, input, output) =>
      providerCall(FREE_BOUNDS, () =>
        recordedPerfectOutput(record, { step, input, output }, ports),
      ),
    recordStopped: (run, stopped) =>
      providerCall(FREE_BOUNDS, () => recordStopped(run, stopped, ports.runs)),
    // A parent that has continued as new is not notified of earlier children, so it polls.
    awaitEnded: (workflowIds) =>
      providerCall(LONG_BOUNDS, ({ signal }) =>
        pollUntilFound(POLL_MS, signal, () => ports.watch.ended(workflowIds, signal)),
      ),
    decideStudy: (asked) => providerCall(FREE_BOUNDS, () => decideStudy(asked, ports)),
    readJudgeTask: (record) =>
      providerCall(FREE_BOUNDS, () =>
        readJudgeTask(record, ports, Context.current().info.taskQueue),
      ),
    recordJudgement: (record, found) =>
      providerCall(FREE_BOUNDS, () => recordJudgement(record, found, ports)),
  };
}
