/** Makes short names for runs from their differences. Pure. */
import { canonicalJson } from '../../core/canonical-json.js';
import {
  hasFields,
  modelFor,
  outputsText,
  promptsText,
  type StepModels,
} from '../../core/step-models.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Pair } from '../comparisons/compare-pairs.js';
import type { PairNames } from '../comparisons/decision-words.js';
import type { RunCell } from './cells.js';
import { forkText } from './fork-text.js';
import { plural, wholePercent } from './number-text.js';

type Facet = [name: string, text: (manifest: RunManifest) => string];

/** Facets that can name a run. A seed is used only if nothing else differs. */
const METHOD: Facet = ['method', (run) => run.input.study?.method ?? methodText(run)];
const FACETS: Facet[] = [
  METHOD,
  ['model', ({ models }) => modelsText(models)],
  ['corpus', ({ input }) => input.corpus ?? ''],
  ['search', ({ input }) => input.mode ?? ''],
  ['noise', ({ input }) => noiseText(input.noise)],
  ['prompts', ({ input }) => promptsText(input.prompts)],
  ['output', ({ input }) => outputsText(input.outputs)],
  ['body', ({ input }) => (hasFields(input.extraBody) ? valueText(input.extraBody) : '')],
  ['provider', ({ provider }) => provider],
  ['judge', ({ input }) => (input.judge ? canonicalJson(input.judge).replaceAll('"', '') : '')],
  ['questions', ({ dataset }) => dataset.rule],
  ['fork', (manifest) => forkText(manifest) ?? ''],
];

/** The same facets for runs of one study, whose models have the names of its file. */
const STUDY_FACETS = FACETS.map((facet): Facet => {
  const [name, text] = facet;
  return name === 'model' ? [name, (run) => run.input.study?.model ?? text(run)] : facet;
});

/** Facets whose values are clear without the facet's name. */
const OBVIOUS = new Set(['model', 'noise']);
const SHARED = new Set(['method', 'model', 'corpus', 'noise', 'prompts']);

/**
 * Returns labels for runs of one data set (`labels`, in their order) with what distinguishes each
 * run, and a text with what they share (`shared`): "method sure, model gpt-5-mini". If a label is
 * not the run's alone, the run's name replaces it.
 */
export function labelRuns(manifests: readonly RunManifest[]) {
  const isShared = ([, text]: Facet) => new Set(manifests.map(text)).size === 1;
  const facets = studyOf(manifests) === undefined ? FACETS : STUDY_FACETS;
  const telling = facets.filter((facet) => !isShared(facet));
  const [first] = manifests;
  const parts = manifests.map((manifest) => {
    const others = telling.slice(isShared(METHOD) ? 0 : 1).flatMap(([name, text]) => {
      const value = text(manifest);
      if (value === '') return [];
      return OBVIOUS.has(name) ? [value] : [`${name} ${value}`];
    });
    const methodOf = METHOD[1];
    const method = isShared(METHOD) ? [] : [methodOf(manifest)];
    const alike = manifests.filter((other) => methodOf(other) === methodOf(manifest));
    return [...method, ...optionTexts(manifest, alike), ...others].join(' · ');
  });
  const has = (label: string) => parts.filter((other) => other === label).length;
  const seeds = (i: number) => `seed ${manifests[i]?.input.seed}`;
  const seeded = parts.map((label, i) =>
    label === '' || has(label) > 1 ? [label, seeds(i)] : [label],
  );
  const joined = seeded.map((words) => words.filter((word) => word !== '').join(' · '));
  const isUnique = (label: string) => joined.filter((other) => other === label).length === 1;
  const labels = joined.map((label, i) =>
    isUnique(label) && manifests.length > 1 ? label : (manifests[i]?.run ?? label),
  );
  const shared = facets
    .filter((facet) => SHARED.has(facet[0]) && isShared(facet))
    .flatMap(([name, text]) => {
      const value = first && text(first);
      return value && value !== 'default' ? [`${name} ${value}`] : [];
    });
  return { labels, shared: shared.join(', ') };
}

/**
 * Returns the name of the study to which all of the runs belong; undefined if they belong to none
 * or to several.
 */
export function studyOf(manifests: readonly RunManifest[]): string | undefined {
  const names = new Set(manifests.map(({ input }) => input.study?.name));
  return names.size === 1 ? [...names][0] : undefined;
}

/** Returns the name of a run's method; for imported answers, that of the system that made them. */
export function methodText({ input, predictions }: RunManifest): string {
  return predictions ? String(input.options.system) : input.method;
}

/**
 * Returns the models of a run with their parameters as one text, the default first, then the steps
 * that differ: "gpt-5-mini, rankPair gpt-5-nano".
 */
export function modelsText(models: StepModels): string {
  const textOf = (step: string) => {
    const { model, parameters } = modelFor(step, { models }, '');
    const set = Object.entries(parameters ?? {}).map(
      ([name, value]) => `${name} ${valueText(value)}`,
    );
    return [model, ...set].filter((word) => word !== '').join(' ');
  };
  const usual = textOf('default');
  const others = Object.keys(models)
    .filter((step) => step !== 'default' && textOf(step) !== usual)
    .map((step) => `${step} ${textOf(step)}`);
  return [...(usual === '' ? [] : [usual]), ...others.sort()].join(', ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function noiseText(noise: RunManifest['input']['noise']): string {
  return noise ? `${wholePercent(noise.ratio)} ${noise.kind} noise` : '';
}

/**
 * Returns a sorted list of the options in which a run differs from at least one of the other runs
 * of its method, each as text: "candidates 3".
 */
export function optionTexts({ input }: RunManifest, others: readonly RunManifest[]): string[] {
  const alike = others.filter((other) => other.input.method === input.method);
  return Object.entries(input.options)
    .filter(([name, value]) => {
      const own = canonicalJson(value ?? null);
      return alike.some((other) => canonicalJson(other.input.options[name] ?? null) !== own);
    })
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .sort();
}

/** The name of a cell in a list of comparisons. */
interface CellName {
  /** Name of its method, or of its run with the number of repeats. */
  name: string;
  /** Its data set and model, each only if cells differ in it; empty without a study. */
  labels: readonly string[];
}

/**
 * Returns a map from each cell to an object of its `name` for display and `labels`, an array with
 * its data set and model, each only if the cells differ in it. If the cells are all of one study,
 * the name is that of the method, provided that this makes them distinct; otherwise it is that of
 * the first run, "sure-1 and 2 repeats", without labels.
 */
export function cellNames(cells: readonly RunCell[]): ReadonlyMap<RunCell, CellName> {
  const labels = cells.map(({ figures }) => {
    const { method = '', dataset = '', model = '' } = figures.manifest.input.study ?? {};
    return [method, dataset, model];
  });
  const ofStudy = new Set(cells.map(({ figures }) => figures.manifest.input.study?.name));
  const differs = (part: number) => new Set(labels.map((label) => label[part])).size > 1;
  const named = labels.map(([name = '', ...others]): CellName => {
    return { name, labels: others.filter((_, i) => differs(i + 1)) };
  });
  const isUnique = new Set(named.map(withLabels)).size === named.length;
  const isStudy = ofStudy.size === 1 && !ofStudy.has(undefined) && isUnique;
  return new Map(
    cells.map((cell, i) => {
      const [first = '', ...repeats] = cell.names;
      const more = repeats.length > 0 ? ` and ${plural(repeats.length, 'repeat')}` : '';
      return [cell, (isStudy && named[i]) || { name: `${first}${more}`, labels: [] }];
    }),
  );
}

/**
 * Returns an object with the names of the `first` and the `second` cell of a comparison, each with
 * its labels in brackets: "sure (nq)" and "base (nq)".
 */
export function namesIn(
  names: ReadonlyMap<RunCell, CellName>,
  { pair }: { pair: Pair<RunCell> },
): PairNames {
  const full = (cell: RunCell) => withLabels(names.get(cell) ?? UNNAMED);
  return { first: full(pair.first), second: full(pair.second) };
}

/**
 * Returns an object with the names of the `first` and the `second` cell of a comparison, without
 * the labels that both have; `shared` has those labels as text, '' if there are none.
 */
export function shortNamesIn(
  names: ReadonlyMap<RunCell, CellName>,
  { pair }: { pair: Pair<RunCell> },
): PairNames & { shared: string } {
  const [first, second] = [names.get(pair.first) ?? UNNAMED, names.get(pair.second) ?? UNNAMED];
  const isShared = (label: string) => first.labels.includes(label) && second.labels.includes(label);
  const own = ({ name, labels }: CellName) =>
    withLabels({ name, labels: labels.filter((label) => !isShared(label)) });
  return {
    first: own(first),
    second: own(second),
    shared: first.labels.filter(isShared).join(', '),
  };
}

const UNNAMED: CellName = { name: '', labels: [] };

function withLabels({ name, labels }: CellName): string {
  return labels.length === 0 ? name : `${name} (${labels.join(', ')})`;
}
