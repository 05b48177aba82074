/** The activities of a batch evaluation that cost nothing. */
import type { RecordRef, Tally } from '../../methods/batch/batch.js';
import type { MethodResult, QuestionFailure } from '../../methods/result.js';
import type { Judgement, StoppedUsage } from '../../results/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';
import { FREE_ATTEMPTS } from '../runtime/searching.js';
import type { Ended } from '../runtime/server-ports.js';
import { awaitEnded } from './await-ended.js';
import { type IdentifiedRun, identifyRun } from './identify-run.js';
import { type JudgeTask, recordJudgement, takeJudgeTask } from './judge-task.js';
import { type OpenedRun, openRun } from './open-run.js';
import { type ReadInput, type ReadQuestions, readQuestions } from './read-questions.js';
import { recordAnswer } from './record-answer.js';
import { recordStopped } from './record-stopped.js';

export interface BatchActivities {
  /** @param input A BatchInput that nobody has checked yet. */
  openRun(input: unknown): Promise<OpenedRun>;
  /** @param input A BatchInput that nobody has checked yet. */
  identifyRun(input: unknown): Promise<IdentifiedRun>;
  readQuestions(input: ReadInput): Promise<ReadQuestions>;
  /** @param startedAt Milliseconds since 1970. */
  recordAnswer(
    record: RecordRef,
    result: MethodResult | null,
    failure: QuestionFailure | null,
    startedAt: number,
  ): Promise<Tally>;
  recordStopped(run: string, stopped: StoppedUsage): Promise<void>;
  awaitEnded(workflowIds: string[]): Promise<Ended[]>;
  readJudgeTask(record: RecordRef): Promise<JudgeTask>;
  recordJudgement(record: RecordRef, judgement: Judgement): Promise<void>;
}

/** What is to be recorded has been paid for: it outlasts a store that is away for some minutes. */
const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: FREE_ATTEMPTS, refusals: 1 };

export function batchActivities(ports: Ports): BatchActivities {
  return {
    openRun: (input) => providerCall(BOUNDS, (signal) => openRun(input, ports, signal)),
    identifyRun: (input) => providerCall(BOUNDS, (signal) => identifyRun(input, ports, signal)),
    readQuestions: (input) => providerCall(BOUNDS, () => readQuestions(input, ports)),
    recordAnswer: (record, result, failure, startedAt) =>
      providerCall(BOUNDS, () => recordAnswer(record, { result, failure, startedAt }, ports)),
    recordStopped: (run, stopped) =>
      providerCall(BOUNDS, () => recordStopped(run, stopped, ports.runs)),
    awaitEnded: (workflowIds) => awaitEnded(workflowIds, ports),
    readJudgeTask: (record) => providerCall(BOUNDS, () => takeJudgeTask(record, ports)),
    recordJudgement: (record, judgement) =>
      providerCall(BOUNDS, () => recordJudgement(record, judgement, ports.runs)),
  };
}
