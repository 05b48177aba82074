import { canonicalJson } from '../../core/canonical-json.js';
import { groupedBy } from '../../core/grouped-by.js';
import { badInput } from '../../core/options/problems.js';
import { outputsText } from '../../core/step-models.js';
import {
  type Comparison,
  compareScores,
  ENOUGH,
  LEVEL,
  type NullControl,
  nullControl,
  type Tested,
  testedTogether,
} from '../statistics/compare-scores.js';
import { isLook } from './fork-accounts.js';
import { mainsOf } from './metrics.js';
import type { RunFigures } from './run-figures.js';
import { dataOf, experimentOf, noiseOf } from './run-identity.js';

interface Pair {
  /** Positions of the runs. */
  first: number;
  second: number;
  metric: string;
  title: string;
}

/** What is read from a comparison. */
export type Finding =
  | 'differs'
  | 'noDifference'
  | 'withinNoise' // no larger than what a null control of the same metric differs by
  | 'tooFew' // the main metric of fewer than 20 questions
  | 'notTested'; // not the main metric of any question

/** The difference is that of the run minus its baseline, with unanswered questions as 0. */
export interface RunComparison extends Omit<Comparison, 'difference'>, Pair, Tested {
  finding: Finding;
}

export interface RunControl
  extends Omit<NullControl, 'difference'>,
    Pair,
    Omit<Tested, 'corrected'> {}

type Untested = Comparison & Pair & { mainOf: number; data: string };

/**
 * Every run against the baseline, in the headline metrics that both have, where both were asked
 * from one data set under the same noise; where the baseline was not, the first run that was
 * stands for it. Tested together, within a data set, is the main metric of each kind of question of
 * which there are 20 or more. Two runs of the same experiment are a null control and no comparison.
 * A look is neither: its questions were chosen by their answers.
 *
 * @param options.baseline Name of a run. @default the first
 * @param options.whole By run the questions of a fork that are asked whole: they are not compared
 *   with the run that is forked, since they would differ without the change as well.
 * @throws Failure BadInput when none of the runs has this name.
 */
export function compareAll(
  runs: readonly RunFigures[],
  { baseline, whole }: { baseline: string | undefined; whole: readonly ReadonlySet<string>[] },
) {
  const names = runs.map(({ manifest }) => manifest.run);
  if (baseline !== undefined && !names.includes(baseline)) {
    throw badInput('baseline', `must be one of the runs compared (${names.join('; ')})`);
  }
  const usual = runs.findIndex(({ manifest }) => !isLook(manifest));
  const named = baseline === undefined ? Math.max(0, usual) : names.indexOf(baseline);
  if (baseline !== undefined && runs[named] && isLook(runs[named].manifest)) {
    throw badInput(
      'baseline',
      `must not be ${baseline}, whose questions were chosen by their answers`,
    );
  }
  const comparisons: Untested[] = [];
  const controls: RunControl[] = [];
  const against = runs.map((run) => baselineOf(run, runs, named));
  const notes: string[] = [];
  const apart: { run: string; against: string }[] = [];
  const noteOn = (one: RunFigures, other: RunFigures, compared: boolean) => {
    if (compared) notes.push(...notesOn(one, other));
    else apart.push({ run: one.manifest.run, against: other.manifest.run });
  };
  for (const [first, run] of runs.entries()) {
    if (isLook(run.manifest)) continue;
    const second = against[first] ?? -1;
    const other = runs[second];
    if (second !== first && other && !isControl(run, other)) {
      const isFork = run.manifest.input.fork?.run === other.manifest.run;
      const shared = sharedMetrics(run, other, isFork ? whole[first] : undefined);
      const data = dataOf(run.manifest);
      for (const { scores, others, ...metric } of shared) {
        comparisons.push({ ...metric, first, second, data, ...compareScores(scores, others) });
      }
      noteOn(run, other, shared.length > 0);
    }
    for (const [earlier, before] of runs.slice(0, first).entries()) {
      if (!isControl(before, run)) continue;
      const made = controlsOf(before, earlier, run, first);
      controls.push(...made);
      noteOn(before, run, made.length > 0);
    }
  }
  return {
    /** Every run, the first, against its baseline, the second. */
    comparisons: testTogether(comparisons, controls, runs),
    /** Of runs that are the same experiment. */
    controls,
    notes: [...notesOnBaselines(runs, named, against), ...apartNotes(apart), ...notes],
  };
}

/** Of the runs alike the one that is most like the baseline: its method and options, then the model. */
function baselineOf({ manifest }: RunFigures, runs: readonly RunFigures[], named: number): number {
  const isAlike = ({ manifest: other }: RunFigures) =>
    !isLook(other) && dataOf(other) === dataOf(manifest) && noiseOf(other) === noiseOf(manifest);
  const baseline = runs[named];
  const askedLike = baseline && methodOf(baseline.manifest);
  const ofMethod = ({ manifest: other }: RunFigures) => methodOf(other) === askedLike;
  const sameModel = runs.findIndex(
    (run) =>
      isAlike(run) &&
      ofMethod(run) &&
      canonicalJson(run.manifest.models) === canonicalJson(manifest.models),
  );
  if (sameModel !== -1 && methodOf(manifest) !== askedLike) return sameModel;
  if (baseline && isAlike(baseline)) return named;
  const other = runs.findIndex((run) => isAlike(run) && ofMethod(run));
  return other === -1 ? runs.findIndex(isAlike) : other;
}

function methodOf({ input: { method, options } }: RunFigures['manifest']): string {
  return canonicalJson([method, options]);
}

function isControl(one: RunFigures, other: RunFigures): boolean {
  const isEither = [one, other].some(({ manifest }) => isLook(manifest));
  return !isEither && experimentOf(one.manifest) === experimentOf(other.manifest);
}

function controlsOf(one: RunFigures, first: number, other: RunFigures, second: number) {
  return sharedMetrics(one, other).map(({ metric, title, scores, others }): RunControl => {
    const control = nullControl(scores, others);
    const { corrected: _, ...tested } = testedTogether()(control.difference);
    return { first, second, metric, title, ...control, ...tested };
  });
}

/** With the scores of both, where there is a question that both were scored on. */
function sharedMetrics(one: RunFigures, other: RunFigures, apart?: ReadonlySet<string>) {
  const shared = one.metrics.flatMap(({ metric, title, isHeadline, decides, scores: all }) => {
    const scores = apart ? new Map([...all].filter(([id]) => !apart.has(id))) : all;
    const others = other.metrics.find((figures) => figures.metric === metric)?.scores;
    const isShared = others && [...scores.keys()].some((id) => others.has(id));
    return isHeadline && isShared ? [{ metric, title, decides, scores, others }] : [];
  });
  const mains = mainsOf(shared, ({ scores, others }) =>
    [...scores.keys()].filter((id) => others.has(id)),
  );
  return shared.map(({ decides, ...metric }) => ({
    ...metric,
    mainOf: mains.get(metric.metric) ?? 0,
  }));
}

/** Corrects the p of each family, and reads what is found from it. */
function testTogether(
  comparisons: readonly Untested[],
  controls: readonly RunControl[],
  runs: readonly RunFigures[],
): RunComparison[] {
  const enough = comparisons.filter(({ mainOf }) => mainOf >= ENOUGH);
  const families = [...groupedBy(enough, ({ data }) => data).values()];
  const tested = testedTogether(
    ...families.map((family) => family.map(({ difference }) => difference)),
  );
  const ofSameData = (data: string) =>
    controls.filter(({ first }) => runs[first] && dataOf(runs[first].manifest) === data);
  return comparisons.map((comparison): RunComparison => {
    const { mainOf, data, ...rest } = comparison;
    const found = tested(comparison.difference);
    const isNoise = isWithinNoise(comparison, ofSameData(data));
    return { ...rest, ...found, finding: findingOf(mainOf, isNoise, found.corrected) };
  });
}

function findingOf(mainOf: number, isNoise: boolean, corrected: number | null): Finding {
  if (mainOf === 0) return 'notTested';
  if (corrected === null) return 'tooFew';
  if (isNoise) return 'withinNoise';
  return corrected < LEVEL ? 'differs' : 'noDifference';
}

function isWithinNoise({ metric, difference }: Untested, controls: readonly RunControl[]): boolean {
  return controls.some(
    (control) =>
      control.metric === metric && Math.abs(difference.mean) <= Math.abs(control.difference.mean),
  );
}

/** Where a run cannot be compared with the one named: which stands for it, or that none does. */
function notesOnBaselines(
  runs: readonly RunFigures[],
  named: number,
  against: readonly number[],
): string[] {
  const baseline = runs[named];
  return runs.flatMap(({ manifest }, position) => {
    const isAlone = position !== named && against[position] === position;
    if (!baseline || !isAlone || isLook(manifest)) return [];
    const otherwise = `than ${baseline.manifest.run}`;
    if (against.some((second, first) => second === position && first !== position)) {
      return [`${manifest.run} is the baseline of runs of another data set or noise ${otherwise}.`];
    }
    return dataOf(manifest) === dataOf(baseline.manifest)
      ? []
      : [`${manifest.run} was asked from another data set ${otherwise} and is not compared.`];
  });
}

/** Names the first runs that cannot be compared with another one, in one sentence however many. */
function apartNotes(apart: readonly { run: string; against: string }[]): string[] {
  return [...groupedBy(apart, ({ against }) => against)].map(([against, pairs]) => {
    const more = pairs.length - NAMED;
    const named = pairs.slice(0, NAMED).map(({ run }) => run);
    const shown = [...named, ...(more > 0 ? [`${more} more`] : []), against];
    return `${shown.join(' and ')} have no scored question in common and are not compared.`;
  });
}

/** Names that a sentence has room for. */
const NAMED = 3;

function notesOn(one: RunFigures, other: RunFigures): string[] {
  const names = `${one.manifest.run} and ${other.manifest.run}`;
  const notes: string[] = [];
  if (one.manifest.normaliser !== other.manifest.normaliser) {
    notes.push(`${names} normalise answers differently: their scores do not compare.`);
  }
  const [form, otherForm] = [one, other].map(({ manifest }) => outputsText(manifest.input.outputs));
  if (form !== otherForm) {
    notes.push(`${names} differ in the form of their outputs (${form}; ${otherForm}).`);
  }
  return notes;
}
