import { Failure } from '../../core/failure.js';
import type { MethodResult, QuestionFailure } from '../../core/result.js';
import type { RecordRef, Tally } from '../../core/run/run.js';
import { addUsage, hasUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import { unscoredReasons } from '../../evaluation/unscored.js';
import type { CallRecord } from '../../steps/call-record.js';
import { packCalls } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunStore, StoppedUsage } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { recordUnsupported } from './change-run.js';
import { needsJudge } from './judge-task.js';
import { type GivenPorts, passagesReadIn } from './run-fit.js';
import { manifestOfRun, questionInRun } from './run-of.js';
import { failureIfGone, refsRead, scoreInRun } from './score-result.js';

interface Recorded {
  result: MethodResult | null;
  failure: QuestionFailure | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  calls?: readonly CallRecord[] | undefined;
}

type RecordPorts = Pick<Ports, 'metrics' | 'methods'> & GivenPorts;

/**
 * Scores a question that has ended, with or without an answer, and stores the outcome in place of
 * an earlier one. Returns its `outcome`, `scores` and `usage`, to be added to the totals of the
 * run; `toJudge` is set if the answer is to be judged.
 *
 * A question without an answer scores 0 in the scorers and the judge's metrics that apply to it,
 * unless a scorer has another score for such a question; see `scoreEnded`.
 *
 * @throws Failure UnknownRun if the run, BadInput if the question is not in the store.
 */
export async function recordAnswer(
  record: RecordRef,
  { result, failure, startedAt, calls }: Recorded,
  ports: RecordPorts,
): Promise<Tally> {
  const { runs } = ports;
  const asked = await questionInRun(record, runs);
  const { manifest, question } = asked;
  const reason = failure ?? result?.failure ?? (result ? undefined : NO_REASON);
  const refs = refsRead(result, ports.methods);
  const found = await passagesReadIn(asked, refs, ports).catch(failureIfGone);
  const { scored, applying } = scoreInRun(manifest.input, question, result, {
    ...ports,
    found,
    calls: () => calls,
  });
  const scoring = manifest.rescored?.at(-1);
  const earlier = await usageBefore(record, startedAt, runs);
  const answer: RunAnswer = {
    id: record.id,
    result,
    ...(reason && { failure: reason }),
    ...scored,
    ...(hasUsage(earlier) && { earlier }),
    ...(calls && { calls: packCalls(calls) }),
    ...(record.resample && { resample: record.resample }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date().toISOString(),
    ...(scoring && { scoredAt: scoring.at }),
  };
  await runs.put(record.run, answer);
  if (result) await recordUnsupported(record.run, result.steps, runs);
  const toJudge = needsJudge(manifest, question, answer, { ...ports, applying });
  return { ...tallyOf(answer), ...(toJudge && { toJudge }) };
}

/**
 * Returns the usage of the answers that this one replaces. Recording the same answer again changes
 * nothing.
 */
async function usageBefore(
  { run, id }: RecordRef,
  startedAt: number,
  runs: RecordPorts['runs'],
): Promise<Usage> {
  // An answer that cannot be read is replaced as well.
  const before = await runs.get(run, id).catch(undefinedIfDamaged);
  if (!before) return NO_USAGE;
  const isThisOne = Date.parse(before.startedAt) === startedAt;
  return isThisOne ? (before.earlier ?? NO_USAGE) : usageOfAll(before);
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof Failure && error.type === 'Damaged')) throw error;
}

const NO_REASON: QuestionFailure = { type: 'Unexpected', message: 'No reason given.', step: null };

/**
 * Records usage that is part of no answer, such as that of cancelled questions, in a run's
 * manifest. An earlier record of the same start of the run is replaced.
 *
 * @throws Failure UnknownRun if there is no such run.
 */
export async function recordStopped(
  run: string,
  stopped: StoppedUsage,
  runs: RunStore,
): Promise<void> {
  const manifest = await manifestOfRun(run, runs);
  const others = (manifest.stopped ?? []).filter(
    ({ startedAt }) => startedAt !== stopped.startedAt,
  );
  await runs.change(run, () => ({ ...manifest, stopped: [...others, stopped] }));
}

/**
 * Returns the `outcome`, `scores` and `usage` of an answer, as they are added to the totals of its
 * run. The usage is that of the method only; the scores include the judge's, if it has been asked.
 */
export function tallyOf(answer: RunAnswer): Tally {
  const { id, result, failure, scores, judgement } = answer;
  const unscored = unscoredReasons(answer);
  return {
    id,
    outcome: result?.outcome ?? 'failed',
    scores: { ...scores, ...judgement?.scores },
    ...(Object.keys(unscored).length > 0 && { unscored }),
    usage: result?.usage ?? NO_USAGE,
    ...(result?.build !== undefined && { build: result.build }),
    ...(failure && { failure }),
  };
}

/**
 * Returns the usage of the method for a question, including that of earlier answers that its answer
 * replaced.
 */
export function usageOfAll({ result, earlier = NO_USAGE }: RunAnswer): Usage {
  return addUsage(earlier, result?.usage ?? NO_USAGE);
}
