/** `eval --fail-below`: compares the scores of runs with required minimums. */
import { Failure } from '../../core/failure.js';
import { suggestion } from '../../core/options/nearest.js';
import { metricNamed } from '../../evaluation/comparisons/tested-metrics.js';
import { BUILT_IN } from '../../evaluation/metrics/built-in.js';
import { metricsInOrder } from '../../evaluation/runs/metrics.js';
import { overFewer, percent } from '../../evaluation/runs/number-text.js';
import { scoreGate } from '../../evaluation/statistics/gate.js';
import { scoreInterval } from '../../evaluation/statistics/score-interval.js';
import {
  type CheckedGate,
  gatesMarkdown,
  junitXml,
} from '../../evaluation/study/gate-summaries.js';
import type { CliContext } from '../context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { writeOut } from '../print-output.js';
import type { RunStatus } from './run-status.js';

/** The lowest accepted means, each a fraction from 0 to 1, by the name or title of the metric. */
type LeastScores = Readonly<Record<string, number>>;

/**
 * The gates of `eval --fail-below`: the lowest accepted scores, as fractions by metric, and the
 * files for the results.
 */
export interface ScoreGates extends GateFiles {
  least: LeastScores;
}

/**
 * Paths of the JUnit XML and Markdown files that the results of gates are written to; undefined
 * for none.
 */
export interface GateFiles {
  /** JUnit XML. */
  junit?: string | undefined;
  markdown?: string | undefined;
}

/**
 * Throws if a gate of `--fail-below` names an unknown metric.
 *
 * @param own Returns the names of the run's custom metrics; called only for a metric that is not
 * built in.
 * @throws Failure BadInput naming the closest known metric.
 */
export async function checkGateMetrics(
  least: LeastScores,
  own: () => Promise<readonly string[]>,
): Promise<void> {
  const ours = BUILT_IN.filter(({ from }) => from !== 'passages').map(({ name, title }) => ({
    metric: name,
    title,
  }));
  const others = Object.keys(least).filter((name) => !metricNamed(name, ours));
  if (others.length === 0) return;
  const known = [...ours, ...(await own()).map((name) => ({ metric: name, title: name }))];
  const unknown = others.find((name) => !metricNamed(name, known));
  if (unknown === undefined) return;
  const meant = suggestion(
    unknown,
    known.map(({ metric }) => metric),
  );
  throw new Failure('BadInput', `--fail-below: there is no metric "${unknown}"${meant}`);
}

/**
 * Returns an array with the result of each gate for a run, in the order of `least`: its `name`,
 * its `verdict` (PASS, FAIL or UNDECIDED), and the score in per cent with its 95 % interval as
 * text (`summary`). Failed questions count as wrong, as in the run's scores. A gate whose metric
 * has no score is undecided.
 */
export function gateResults({ progress }: RunStatus, least: LeastScores): CheckedGate[] {
  const { run, scores, questions } = progress;
  return Object.entries(least).map(([metric, share]): CheckedGate => {
    const name = `${run}: ${metric} at least ${percent(share)} %`;
    const shown = metricNamed(metric, metricsInOrder(Object.keys(scores), progress.metrics));
    const sums = shown && scores[shown.metric];
    if (!sums || sums.questions === 0) {
      const there = Object.keys(scores).filter((one) => (scores[one]?.questions ?? 0) > 0);
      const summary = `no question has a score in ${metric}; there are ${there.join(', ') || 'none'}`;
      return { name, verdict: 'UNDECIDED', summary };
    }
    const interval = scoreInterval(sums);
    const { mean, low, high } = interval;
    const over = overFewer(sums.questions, questions);
    const summary = `${percent(mean)} % (${percent(low)} to ${percent(high)} at 95 %${over})`;
    return { name, verdict: scoreGate(interval, share), summary };
  });
}

/**
 * Prints the results of the gates for all runs, writes them to the files, and returns the exit
 * code. If a run has not finished, prints nothing and returns the code of the runs.
 *
 * @param code The exit code of the runs.
 */
export async function reportScoreGates(
  statuses: readonly RunStatus[],
  { least, ...files }: ScoreGates,
  code: ExitCode,
  context: Pick<CliContext, 'reporter'>,
): Promise<ExitCode> {
  if (statuses.some(({ state }) => state !== 'finished')) return code;
  const gates = statuses.flatMap((status) => gateResults(status, least));
  await reportGates('durable-rag eval', gates, files, context);
  return gatesCode(gates, code);
}

/**
 * Prints the results of gates, and writes them to the files.
 *
 * @param suite Name of the test suite in the files.
 */
export async function reportGates(
  suite: string,
  gates: readonly CheckedGate[],
  { junit, markdown }: GateFiles,
  { reporter }: Pick<CliContext, 'reporter'>,
): Promise<void> {
  for (const { verdict, name, summary } of gates) reporter.part(verdict, `${name}: ${summary}`);
  const files = [
    [junit, junitXml],
    [markdown, gatesMarkdown],
  ] as const;
  for (const [file, render] of files) {
    if (file !== undefined) await writeOut(file, (write) => write(render(suite, gates)));
  }
}

/**
 * Returns the exit code for results of gates: 9 (`EXIT.gateFailed`) if one failed, else 10
 * (`EXIT.gateUndecided`) if one is undecided, else `code`.
 */
export function gatesCode(gates: readonly CheckedGate[], code: ExitCode): ExitCode {
  const has = (wanted: CheckedGate['verdict']) => gates.some(({ verdict }) => verdict === wanted);
  if (has('FAIL')) return EXIT.gateFailed;
  return has('UNDECIDED') ? EXIT.gateUndecided : code;
}
