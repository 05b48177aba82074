/** Decides the comparisons of a study from the answers of its runs. */

import { Failure } from '../../core/failure.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import type { StudyCells, StudyDecision, StudyDecisions } from '../../core/study/cell.js';
import { isSameCell } from '../../core/study/cell-progress.js';
import type { DecideStudyInput } from '../../core/study/plan.js';
import { metricAcrossForms } from '../../evaluation/comparisons/compare-pairs.js';
import { pairedPrefix } from '../../evaluation/comparisons/paired-prefix.js';
import { testedMetrics } from '../../evaluation/comparisons/tested-metrics.js';
import { datasetHashOf } from '../../evaluation/runs/run-identity.js';
import { checkUnchanged } from '../../evaluation/runs/run-parts.js';
import { gate } from '../../evaluation/statistics/gate.js';
import { cellFigures } from '../../evaluation/study/cell-figures.js';
import { decisionText } from '../../evaluation/study/decision-text.js';
import { declaredPairs } from '../../evaluation/study/declared-pairs.js';
import { gateText } from '../../evaluation/study/gate-summaries.js';
import { studyCells } from '../../evaluation/study/study-of.js';
import { runsOf, studyScores } from '../../evaluation/study/study-scores.js';
import type { Ports } from '../runtime/ports.js';

/**
 * Returns as `decisions` those on the comparisons of a study, or on its gate, from the answers of
 * its runs so far, and as `over` the names of the runs that need no more questions.
 *
 * @throws Failure BadInput if a compared run was changed, or if the run of the gate is of another
 * data set or its answers have a form that cannot be compared; UnknownRun if the run of the gate
 * is missing.
 */
export async function decideStudy(
  asked: DecideStudyInput,
  { runs }: Pick<Ports, 'runs'>,
): Promise<StudyDecisions> {
  const placed = asked.runs.map(({ run, study }) => ({ run, input: { study } }));
  const study = studyCells(placed, asked.study);
  if (!study) return { decisions: [], over: [] };
  const open = runsOf(runs);
  return asked.gate
    ? checkGate(study, asked.gate, open)
    : decideAll({ ...study, untilDecided: asked.untilDecided }, asked, open);
}

async function decideAll(
  study: StudyCells,
  asked: DecideStudyInput,
  open: ReturnType<typeof runsOf>,
): Promise<StudyDecisions> {
  const { comparisons } = await studyScores(study, open, { leftUsd: asked.leftUsd });
  const failed = new Set(asked.runs.flatMap(({ run, hasFailed }) => (hasFailed ? run : [])));
  const needed = new Set<string>();
  const decisions: StudyDecision[] = [];
  for (const { first: cell, second: against } of declaredPairs(study, study.cells)) {
    const { method, dataset, model, runs } = cell;
    const pair = [...runs, ...against.runs];
    const cannotEnd = pair.some((run) => failed.has(run));
    const found = comparisons.flatMap(({ pair: { first }, title, sequential }) =>
      sequential && isSameCell(first, cell) ? [{ title, sequential }] : [],
    );
    const isOpen =
      found.length === 0 || found.some(({ sequential }) => sequential.verdict === 'undecided');
    if (isOpen && !cannotEnd) for (const run of pair) needed.add(run);
    for (const { title, sequential } of found) {
      const { asked: count, questions, decidedAt, band, verdict } = sequential;
      const { mean, low, high } = band.at(-1) ?? UNKNOWN;
      decisions.push({
        method,
        dataset,
        model,
        against: against.method,
        metric: title,
        verdict: cannotEnd && verdict === 'undecided' ? 'cannot' : verdict,
        asked: count,
        questions,
        difference: { mean, low, high },
        ...(decidedAt !== undefined && { decidedAt }),
        summary: decisionText(sequential, against.method),
      });
    }
  }
  const all = asked.runs.map(({ run }) => run);
  return { decisions, over: all.filter((run) => !needed.has(run)) };
}

const UNKNOWN = { mean: 0, low: -1, high: 1 };

/**
 * Compares the cell of a study with a stored run; questions that this run does not have are left
 * out.
 */
async function checkGate(
  { cells: [cell], metrics }: StudyCells,
  { run, margin, alpha, about = 'questionsLikeThese' }: NonNullable<DecideStudyInput['gate']>,
  open: ReturnType<typeof runsOf>,
): Promise<StudyDecisions> {
  const kept = await open(run);
  if (!kept) throw unknownRun(run, ' to check against');
  const sources = (await Promise.all((cell?.runs ?? []).map(open))).filter((one) => !!one);
  const [first] = sources;
  if (!cell || !first) return { decisions: [], over: [] };
  for (const source of [kept, ...sources]) await checkUnchanged(source);
  if (datasetHashOf(first.manifest) !== datasetHashOf(kept.manifest)) {
    const what = `The run "${run}" is of another data set than the cell ${cell.method}, ${cell.dataset}`;
    throw new Failure('BadInput', `${what}: only the same questions can be compared.`);
  }
  const [figures, against] = [
    await cellFigures(cell, sources),
    await cellFigures({ ...cell, runs: [run] }, [kept]),
  ];
  const [metric] = testedMetrics([figures, against], metrics).get(figures.data) ?? [];
  const fits = metric && metricAcrossForms({ first: figures, second: against }, metric);
  if (metric && fits !== undefined) {
    const other = fits ? `: "metrics: [${fits.metric}]" in the study compares both` : '';
    const forms = `The answers of the run "${run}" have another form than those of ${cell.method}`;
    throw new Failure('BadInput', `${forms}, so that ${metric.title} cannot compare them${other}.`);
  }
  const known = new Set(against.order);
  const order = figures.order.filter((id) => known.has(id));
  const prefix = metric && pairedPrefix(order, figures, against, metric.metric, { about });
  if (!metric || !prefix) return { decisions: [], over: [] };
  const found = gate(prefix, { margin, alpha, about, questions: order.length });
  const { verdict, asked, decidedAt, difference } = found;
  const { method, dataset, model } = cell;
  const decision = {
    method,
    dataset,
    model,
    against: run,
    metric: metric.title,
    verdict,
    asked,
    questions: order.length,
    difference,
    summary: gateText(found, run),
    ...(decidedAt !== undefined && { decidedAt }),
  };
  return { decisions: [decision], over: verdict === 'UNDECIDED' ? [] : [...cell.runs] };
}
