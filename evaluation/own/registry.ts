/** The metrics of somebody's own that there are, and those of them that a run has. */
import { createHash } from 'node:crypto';
import type { RunMetric } from '../../methods/batch/batch.js';
import { Failure } from '../../methods/failure.js';
import { suggestion } from '../../methods/options/nearest.js';
import {
  isRubric,
  type OwnMetric,
  type Rubric,
  type RubricScale,
} from '../../methods/own-metric.js';
import { isBuiltIn } from '../runs/metrics.js';

/** By name, in the order given. */
export type OwnMetrics = ReadonlyMap<string, OwnMetric>;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** A rubric's numbers, as they can be read. */
const HIGHEST = 1000;

/**
 * The metrics by name.
 *
 * @throws Failure BadInput where a name is that of one of ours, is there twice or is none; and where
 *   the numbers of a scale are.
 */
export function ownMetrics(own: readonly OwnMetric[] = []): OwnMetrics {
  const metrics = new Map<string, OwnMetric>();
  for (const metric of own) {
    const { name } = metric;
    if (!NAME.test(name)) {
      throw new Failure(
        'BadInput',
        `"${name}" cannot name a metric: it must be letters, digits, "_" or "-", beginning with a letter.`,
      );
    }
    if (isBuiltIn(name)) {
      throw new Failure('BadInput', `There is a built-in metric "${name}"; rename yours.`);
    }
    if (metrics.has(name)) {
      throw new Failure('BadInput', `There are two metrics named "${name}"; rename one.`);
    }
    if (isRubric(metric)) checkScale(metric);
    metrics.set(name, metric);
  }
  return metrics;
}

function checkScale({ name, scale }: Rubric): void {
  if (scale === 'yesNo' || isRange(scale)) return;
  throw new Failure(
    'BadInput',
    `The scale of the metric "${name}" must be "yesNo", or numbers from 0 to ${HIGHEST} of which "to" is greater than "from".`,
  );
}

function isRange({ from, to }: Exclude<RubricScale, 'yesNo'>): boolean {
  return from >= 0 && to > from && to <= HIGHEST;
}

/** Which metrics a run is started with, and by whom they are told. */
interface Chosen {
  metrics?: readonly string[] | undefined;
  judge?: string | undefined;
}

/**
 * The metrics of a run: those named, else all of them, rubrics where the run has a judge.
 *
 * @throws Failure BadInput naming a metric that is not there, or a rubric without a judge.
 */
export function chosenMetrics({ metrics: names, judge }: Chosen, own: OwnMetrics): OwnMetric[] {
  const unknown = names?.find((name) => !own.has(name));
  if (unknown !== undefined) {
    const known = [...own.keys()];
    const others = known.length === 0 ? '; there is none of your own' : suggestion(unknown, known);
    throw refused(`there is no metric "${unknown}"${others}`);
  }
  const unasked = names?.find((name) => judge === undefined && isRubricOf(own.get(name)));
  if (unasked !== undefined) {
    throw refused(`"${unasked}" is a rubric, and no judge is named that would read it`);
  }
  return [...own.values()].filter((metric) =>
    names ? names.includes(metric.name) : judge !== undefined || !isRubric(metric),
  );
}

function isRubricOf(metric: OwnMetric | undefined): boolean {
  return metric !== undefined && isRubric(metric);
}

/** What a run keeps of a metric, so that it can be named where the metric itself is not. */
export function runMetric(metric: OwnMetric): RunMetric {
  const { name, title, headline = true } = metric;
  const judged = isRubric(metric) && { judged: true as const };
  return { name, title, headline, ...judged, version: versionOf(metric) };
}

/** The prompt of a rubric is none of it: prompts have hashes of their own. */
function versionOf(metric: OwnMetric): string {
  const scoring = isRubric(metric)
    ? [metric.scale, metric.maxTokens ?? null]
    : String(metric.score);
  const code = JSON.stringify([scoring, String(metric.applies)]);
  return createHash('sha256').update(code).digest('hex').slice(0, 12);
}

function refused(problem: string): Failure {
  return new Failure('BadInput', `Bad input. metrics: ${problem}`);
}
