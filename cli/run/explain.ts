/** `durable-rag explain`: shows which steps caused the wrong answers of a run. */

import {
  type Explanation,
  explainRun,
  type LeftOut,
  type PerfectStep,
} from '../../client/explain.js';
import type { Results } from '../../client/open-results.js';
import { Failure } from '../../core/failure.js';
import { overFewer, percent, plural, points } from '../../evaluation/runs/number-text.js';
import type { Interval } from '../../evaluation/statistics/score-interval.js';
import type { AnswerLoss } from '../../interpreters/blame.js';
import type { ShownExplanation } from '../../report/sections/explanations.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { CliContext } from '../context.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import { completeRun } from './ask-runs.js';
import {
  askStronger,
  planForks,
  recordedSteps,
  type StepForkFlags,
  stepForks,
  strongerText,
} from './stronger.js';
import { withResults } from './with-runs.js';

interface ExplainFlags extends StepForkFlags {
  /** Model with which each step is asked again, one step at a time. */
  stronger?: string | undefined;
  /** Whether to show the cost of the forks and start none. */
  dryRun?: boolean | undefined;
}

/**
 * Returns the output of `explain`: the steps at which wrong answers were lost, and the effect of
 * perfect steps. With a budget, forks with perfect outputs measure effects that need calls. With
 * another model, a fork at each step measures how many wrong answers that model corrects. In both
 * cases a dry run returns the plan of the forks instead.
 *
 * @throws Failure as `explainRun`.
 */
export async function explainStoredRun(
  run: string,
  { stronger, dryRun, ...flags }: ExplainFlags,
  context: CliContext,
): Promise<CommandOutput> {
  const explain = (perfectForks?: Record<string, string>) =>
    withResults(context, ({ runs, texts, transcripts }) =>
      explainRun(run, { ...context.config, runs, texts, transcripts, perfectForks }),
    );
  if (stronger !== undefined) {
    const steps = await withResults(context, ({ runs }) => recordedSteps(run, runs, context));
    const forks = stepForks(run, steps, flags, (at) => ({ fork: { at }, models: stronger }));
    if (dryRun) return planForks(run, forks, context);
    const explanation = await explain();
    const found = await askStronger(run, forks, context);
    return {
      value: { ...explanation, stronger: { model: stronger, steps: found } },
      text: `${explanationText(explanation)}\n\n${strongerText(stronger, found)}`,
    };
  }
  const free = await explain();
  if (flags.budgetUsd === undefined) return outputOf(free);
  const open = free.steps.filter(({ needs }) => needs.questions > 0).map(({ step }) => step);
  const forks = stepForks(run, open, flags, (at) => ({ fork: { at, perfect: true } }));
  if (dryRun) return planForks(run, forks, context);
  for (const { spec } of forks) await completeRun(spec, context);
  const perfectForks = Object.fromEntries(forks.map(({ step, spec }) => [step, spec.run]));
  return outputOf(await explain(perfectForks));
}

function outputOf(explanation: Explanation): CommandOutput {
  return { value: explanation, text: explanationText(explanation) };
}

/**
 * Returns the explanation of a run for its report: the number of right answers, the wrong ones by
 * the place that lost them (`lost`), and the effect of perfect outputs of a step (`steps`).
 * Undefined if the method declares no algorithm, or if the run cannot be explained, which is
 * printed as a warning.
 */
export async function explanationForReport(
  { run, input }: RunManifest,
  { runs, texts, transcripts }: Pick<Results, 'runs' | 'texts' | 'transcripts'>,
  context: CliContext,
): Promise<ShownExplanation | undefined> {
  // A method of the user's own may declare no algorithm.
  if (!methodsOf(context).get(input.method)?.algorithm) return undefined;
  try {
    const { metrics, right, lost, steps } = await explainRun(run, {
      ...context.config,
      runs,
      texts,
      transcripts,
    });
    return {
      run,
      right,
      metric: metrics.length === 1 ? (metrics[0] ?? '') : 'score',
      lost: lost.map((one) => ({ at: lostText(one), questions: one.questions })),
      steps: steps.flatMap(({ step, more, needs }) =>
        more ? [{ step, more, needsCalls: needs.questions }] : [],
      ),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.reporter.warn(`${run} is not explained: ${error.message}`);
    return undefined;
  }
}

const LEFT_OUT: Record<LeftOut, string> = {
  unanswered: 'failed or have not ended',
  withoutRecords: 'have no records of their calls',
  otherVersion: 'have records of another version of their method',
  passagesGone: 'have read passages that are no longer there',
  undecidable: 'cannot be told from passages, or without a judge (yes or no, labels, claims)',
};

/** Returns a phrase for the place where answers were lost. */
function lostText(lost: AnswerLoss): string {
  if (lost.at === 'notRead') return 'nothing that was read or written contains the answer';
  if (lost.at === 'needsCalls') return 'not told without further calls';
  if (lost.at === 'open') return 'no single step lost it';
  if (lost.at === 'dropped')
    return `${lost.step}: was shown the answer, but wrote nothing that contains it`;
  const together = lost.at === 'misreadToo' ? ', and steps before it' : '';
  return `${lost.step}: reads or judges wrongly${together}`;
}

/** Returns an explanation as text for the terminal, of several lines. */
export function explanationText(explanation: Explanation): string {
  const { questions, leftOut, metrics, right, lost, steps } = explanation;
  const by = metrics.length === 0 ? '' : ` by ${metrics.join(', ')}`;
  const [metric = 'Score'] = metrics.length === 1 ? metrics : [];
  const wrong = lost.reduce((sum, one) => sum + one.questions, 0);
  const rows = (of: readonly (readonly [string, number])[]) =>
    of.map(([what, n]) => `${String(n).padStart(6)}  ${what}`);
  const out = Object.entries(leftOut) as [LeftOut, number][];
  return [
    `${plural(right, 'answer')} right${by}, ${wrong} wrong, of ${plural(questions, 'question')}`,
    ...rows(out.map(([why, n]) => [`left out: they ${LEFT_OUT[why]}`, n])),
    ...(wrong === 0 ? [] : ['', 'Wrong answers, by the step that lost them']),
    ...rows(lost.map((one) => [lostText(one), one.questions])),
    ...(steps.length === 0 ? [] : ['', `${metric} with perfect outputs of one step`]),
    ...steps.map((step) => perfectText(step, right + wrong)),
  ].join('\n');
}

/** Returns a line about the effect of perfect outputs of a step. */
function perfectText({ step, questions, score, more, needs }: PerfectStep, all: number): string {
  const range = ({ low, high }: Interval, shown: (share: number) => string) =>
    `${shown(low)} to ${shown(high)}`;
  const effect =
    score && more
      ? `${percent(score.mean)} (${range(score, percent)}${overFewer(questions, all)}), ${points(more.mean)} (${range(more, points)})`
      : 'not told';
  const calls =
    needs.questions === 0
      ? ''
      : `; needs at most ${plural(needs.calls, 'call')} for ${plural(needs.questions, 'question')}`;
  return `  ${step.padEnd(20)}  ${effect}${calls}`;
}
