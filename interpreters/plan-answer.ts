/** Plans the calls for answering a question of a run and for judging the answer. */
import { ApplicationFailure } from '@temporalio/common';
import { judgeTask } from '../activities/run/judge-task.js';
import type { KnownMetrics } from '../activities/run/run-metrics.js';
import { canonicalJson } from '../core/canonical-json.js';
import type { FailureType } from '../core/failure.js';
import { searchesNothing } from '../core/options/idle-retrieval.js';
import { parseInput } from '../core/options/input.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import type { Fork, RunSpec } from '../core/run/input.js';
import type { SearchSource } from '../steps/non-model-steps.js';
import { callsOf } from '../stores/runs/call-records.js';
import type { RunQuestion } from '../stores/runs/run-store.js';
import {
  boundOptions,
  type Call,
  checkedOptions,
  type FinishedCall,
  type Interpreter,
  runAlgorithm,
} from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { askJudge, judgeSettings } from '../workflows/judge-answer.js';
import { performFork } from '../workflows/question/forked.js';
import type { QuestionSettings } from '../workflows/question/step-activities.js';
import { questionInput } from '../workflows/run/question-child.js';
import type { ShownTexts } from './call-tokens.js';
import type { PlannedCall, QuestionPlan } from './plan-question.js';

/**
 * Planned calls whose tokens are still to be counted, with lookups for the texts in their prompts.
 */
export interface CallsToCount extends ShownTexts {
  calls: readonly PlannedCall[];
}

/** The planned answer of a question. */
interface PlannedAnswer {
  counted: CallsToCount[];
  /** The conclusion; undefined if the question would fail. */
  conclusion: Conclusion<unknown> | undefined;
  /** Reason why a fork would or might pause at this question; absent if it would not. */
  mismatch?: string;
}

/**
 * Returns the plan for answering a question: `counted`, an array of groups of planned calls, each
 * with lookups for the texts of its calls; `conclusion`, to which the calls lead (outcome, answer,
 * evidence and chain), undefined if the question would fail; and `mismatch`, the reason why a fork
 * would or might pause at it, absent if it would not. There are no calls and no conclusion if the
 * method declares no algorithm. If the costliest outputs do not lead to the most calls of the
 * method, the calls of its declared bound are added.
 *
 * @param plan Plan of the question, which looks up stored outputs.
 * @param unknown Returns a plan of the same question that looks up nothing.
 */
export async function planAnswer(
  spec: RunSpec,
  method: OwnMethod<unknown>,
  asking: RunQuestion,
  { defaultModel, taking }: { defaultModel: string; taking: ForkReuse },
  plan: QuestionPlan,
  unknown: () => QuestionPlan,
): Promise<PlannedAnswer> {
  const { algorithm } = method;
  const { question, stored } = asking;
  if (!algorithm) return { counted: [], conclusion: undefined };
  const parsed = parseInput(method, questionInput(spec, { question }), true);
  const { corpus, mode } = parsed.retrieval;
  const retrieval: SearchSource = searchesNothing(method, spec.options)
    ? { supplied: [] }
    : { ...(stored ? { supplied: stored } : { corpus }), ...(mode && { mode }) };
  const settings = { input: { ...parsed, retrieval }, defaultModel, run: spec.run };
  const takes = reusingCalls(asking, taking);
  let isBound = isOwnBound(method, parsed.options);
  const end = await planAlgorithm(algorithm, settings, plan, takes, (inner, options) => {
    isBound &&= isOwnBound(inner, options);
    return checkedOptions(inner, options);
  });
  const counted = { ...plan.shown, calls: plan.takeCalls() };
  if (plan.isKnown || isBound) return { counted: [counted], ...end };
  // The costliest outputs do not bound this method: calls that its bound has in addition are
  // uncertain.
  const most = unknown();
  const options = method.bound?.(parsed.options) ?? parsed.options;
  const bounding = { ...settings, input: { ...settings.input, options } };
  await planAlgorithm(algorithm, bounding, most, takes, boundOptions);
  const certain = counted.calls.filter(({ certainty }) => certainty !== 'atMost');
  const more = { ...most.shown, calls: without(certain, most.takeCalls()) };
  return { counted: [{ ...counted, calls: certain }, more], ...end };
}

/** Returns whether a method makes the most calls with these options as they are. */
function isOwnBound<O>({ bound }: Pick<OwnMethod<O>, 'bound'>, options: O): boolean {
  return bound === undefined || canonicalJson(bound(options)) === canonicalJson(options);
}

/**
 * The facts that decide which recorded calls a fork reuses: the fork's input (undefined if the run
 * is no fork), the steps with other prompts, and a function that returns perfect outputs.
 */
export interface ForkReuse {
  fork: Fork | undefined;
  /** Steps whose prompts differ from those of the parent run. */
  changed: readonly string[];
  /** Returns the output of the step's oracle for a call; undefined if it is unknown. */
  perfectOf(question: RunQuestion, call: FinishedCall): Promise<unknown>;
}

/** Wraps a function that makes calls, so that recorded calls are reused instead. */
type ReuseCalls = (ask: Asking) => Asking;
type Asking = (call: Call) => Promise<unknown>;

function reusingCalls(question: RunQuestion, { fork, changed, perfectOf }: ForkReuse): ReuseCalls {
  const { id, taken } = question;
  if (!fork || taken === undefined) return (ask) => ask;
  const calls = callsOf({ id, calls: taken }) ?? [];
  const given = { ...fork, changed: [...changed], taken: calls };
  return (ask) =>
    performFork(given, ask, { addReused: () => {} }, (call) => perfectOf(question, call));
}

async function planAlgorithm(
  algorithm: NonNullable<OwnMethod<unknown>['algorithm']>,
  settings: QuestionSettings & { input: { options: unknown } },
  plan: QuestionPlan,
  takes: ReuseCalls,
  within: NonNullable<Interpreter['within']>,
): Promise<Omit<PlannedAnswer, 'counted'>> {
  const { question, options } = settings.input;
  const interpreter = { perform: takes(plan.performing(settings)), flag: () => {}, within };
  try {
    const { conclusion } = await runAlgorithm(algorithm, { question, options }, interpreter);
    return { conclusion };
  } catch (error) {
    // A custom step may throw on a stored response, as it would in the run.
    if (!(error instanceof ApplicationFailure)) throw error;
    await plan.ended();
    const isMismatch = error.type === ('RunMismatch' satisfies FailureType);
    return { conclusion: undefined, ...(isMismatch && { mismatch: error.message }) };
  }
}

/** Returns calls without the first ones of each step, as many as are in `made`. */
function without(
  made: readonly PlannedCall[],
  calls: readonly PlannedCall[],
): readonly PlannedCall[] {
  const left = new Map<string, number>();
  for (const { step } of made) left.set(step, (left.get(step) ?? 0) + 1);
  return calls.filter(({ step }) => {
    const before = left.get(step) ?? 0;
    left.set(step, before - 1);
    return before <= 0;
  });
}

/** The fields of a question's result that its judge needs: answer, chain, evidence and outcome. */
export type JudgedResult = Pick<MethodResult, 'answer' | 'chain' | 'evidence' | 'outcome'>;

/**
 * Returns the planned calls of the judge about one answer (`calls`), with lookups for the texts in
 * their prompts. `calls` is empty if the run has no judge or the question has no answer to judge.
 */
export async function planJudge(
  spec: RunSpec,
  question: RunQuestion,
  result: JudgedResult,
  known: KnownMetrics,
  plan: QuestionPlan,
): Promise<CallsToCount> {
  const { judge, method, corpus = null } = spec;
  const isJudged = plan.isKnown ? result.outcome === 'answered' : result.answer !== null;
  if (judge !== undefined && isJudged) {
    const task = judgeTask({ ...spec, judge }, question, { method, ...result }, corpus, known);
    await askJudge(task, plan.performing({ ...judgeSettings(task), run: spec.run }));
  }
  return { ...plan.shown, calls: plan.takeCalls() };
}
