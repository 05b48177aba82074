/** The runs of a tune: their names, and what each is asked with. Not for workflows: it hashes. */
import { canonicalJson } from '../canonical-json.js';
import { type ForkInput, OWN_FIELDS, without } from '../run/fork-input.js';
import type { HalfOfRun, RunInput, RunSpec } from '../run/input.js';
import { sha256Of } from '../sha256.js';
import { modelFor } from '../step-models.js';
import { cellsOf, parseStudy, type StudyInput } from '../study/study.js';
import { type Candidate, type Change, candidateOf } from './candidates.js';
import type { Proposals } from './proposals.js';
import { parseTune, type Tune } from './tune.js';

/** A tune as its workflow gets it: checked, and with what it starts from. JSON-safe. */
export interface TunePlan {
  definition: Tune;
  /** A kept run, or what one is asked with. */
  start: { kept: string } | { input: StartInput };
  /** The data set that confirms in the place of half B. */
  confirm?: ConfirmingDataset;
  /** The prompts that were written for it, by round; left out as long as that is not known. */
  proposed?: readonly Proposals[];
}

/** What the start of a tune is asked with if it is no kept run. */
export type StartInput = Omit<RunInput, 'half' | 'run' | 'study'>;

/** A data set of its own, with what a run takes of one. */
export type ConfirmingDataset = Partial<RunInput> & { dataset: string };

/**
 * Returns what a tune asks for of data sets and of a start that is no kept run, as a study has it;
 * undefined if it names no data set.
 */
export function studyOfTune(tune: Tune): StudyInput | undefined {
  const { name, start, confirm } = tune;
  const asked = typeof start === 'string' ? undefined : start;
  const own = (of: string | object | undefined, as: string) =>
    of === undefined ? [] : [{ ...(typeof of === 'string' ? { file: of } : of), as }];
  const other = confirm === 'half' ? undefined : confirm;
  const datasets = [...own(asked?.dataset, 'start'), ...own(other, 'confirm')];
  if (datasets.length === 0) return undefined;
  return {
    name,
    methods: [asked?.method ?? 'base'],
    datasets,
    ...(asked?.model !== undefined && { models: [asked.model] }),
  };
}

/**
 * Returns a tune as its workflow is given it.
 *
 * @param datasets How the questions of "start" and "confirm" are named in the store.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function tunePlan(
  input: unknown,
  datasets: ReadonlyMap<string, string> = new Map(),
): TunePlan {
  const definition = parseTune(input);
  const { start, confirm } = definition;
  const study = studyOfTune(definition);
  const cells = study ? cellsOf(parseStudy(study), datasets) : [];
  const inputOf = (label: string) =>
    without(cells.find(({ dataset }) => dataset === label)?.inputs[0] ?? {}, NOT_OF_PIPELINE);
  const { method, options, models, seed, ...confirming } = inputOf('confirm');
  return {
    definition,
    start: typeof start === 'string' ? { kept: start } : { input: inputOf('start') as StartInput },
    ...(confirm !== 'half' && { confirm: confirming as ConfirmingDataset }),
  };
}

/** A tune together with the input of its start. */
export interface TuneOf {
  plan: TunePlan;
  /** The start as it was asked, or would be. */
  start: StartInput | RunSpec;
}

/** Fields of a run that are no part of a pipeline; a half has an order of its own. */
const NOT_OF_PIPELINE = [...OWN_FIELDS, 'run', 'shuffle'];

/** The fields that say which questions are asked, and how they are read. */
const OF_QUESTIONS = ['dataset', 'limit', 'sample', 'sampleSeed'] as const;

/** A run of a tune with its input. */
export interface RunOfTune {
  run: string;
  /** Undefined for a kept run. */
  input?: RunInput | ForkInput;
}

/** Returns the run of the start that answers a half. */
export function startRun(tune: TuneOf, half: 'A' | 'B', claim?: string): RunOfTune {
  const { plan, start } = tune;
  const isOther = half === 'B' && plan.confirm !== undefined;
  if ('kept' in plan.start && !isOther) return { run: plan.start.kept };
  const asked = { ...without(start, NOT_OF_PIPELINE), ...limitsOf(plan) };
  const questions = isOther ? { ...without(asked, OF_QUESTIONS), ...plan.confirm } : asked;
  const of = halfOfRun(tune, half, claim);
  const run = runName(tune, half, 'start', [], of);
  const study = placeOf(tune, half, 'start');
  return { run, input: { ...questions, run, half: of, study } as RunInput };
}

/**
 * Returns the run of a candidate that answers a half: another method is asked whole, everything else is
 * a fork of what it changes last. A joint candidate is a fork of the one that it adds a change to.
 */
export function candidateRun(
  tune: TuneOf,
  { id, label, changes }: Candidate,
  half: 'A' | 'B',
  claim?: string,
): Required<RunOfTune> & { parent: string } {
  const of = halfOfRun(tune, half, claim);
  const run = runName(tune, half, id, changes, of);
  const study = placeOf(tune, half, label);
  const start = startRun(tune, half, claim);
  const last = changes.at(-1);
  if (last?.of === 'method') {
    const whole = start.input ?? without(tune.start, NOT_OF_PIPELINE);
    const { models = {} } = whole as RunSpec;
    const input = {
      ...without(whole as Record<string, unknown>, ['prompts', 'outputs']),
      ...limitsOf(tune.plan),
      method: last.at,
      options: last.to,
      // The steps of one method are not those of another.
      models: models.default === undefined ? {} : { default: models.default },
    };
    return { run, parent: start.run, input: { ...input, run, half: of, study } as RunInput };
  }
  const parent =
    changes.length < 2
      ? start.run
      : candidateRun(tune, candidateOf(changes.slice(0, -1)), half, claim).run;
  const change = last ? changed(last) : {};
  const isStep = last && last.of !== 'options';
  const fork = { run: parent, ...(isStep && { at: last.at }) };
  return {
    run,
    parent,
    input: { ...change, ...limitsOf(tune.plan), run, fork, half: of, study } as ForkInput,
  };
}

function changed({ of, at, to }: Change): Record<string, unknown> {
  return { [of]: { [at]: to } };
}

/** Returns the candidates that have to be there before a candidate is forked, the first one first. */
export function prefixesOf({ changes }: Candidate): Candidate[] {
  return changes.slice(1).map((_, i) => candidateOf(changes.slice(0, i + 1)));
}

function halfOfRun({ plan }: TuneOf, half: 'A' | 'B', claim?: string): HalfOfRun {
  const { cluster } = plan.definition;
  return {
    of: plan.confirm ? 'all' : half,
    ...(cluster !== undefined && { cluster }),
    ...(half === 'B' && claim !== undefined && { claim }),
  };
}

/** Returns the place of a run in its tune, in the form of a run's place in a study. */
function placeOf({ plan, start }: TuneOf, half: 'A' | 'B', label: string): RunSpec['study'] {
  const { name, metric, cluster } = plan.definition;
  return {
    name,
    method: label,
    dataset: `half ${half}`,
    model: modelFor('default', { models: start.models ?? {} }, 'default').model,
    place: half === 'A' ? 0 : 1,
    repeat: 1,
    ...(metric !== undefined && { metrics: [metric] }),
    ...(cluster !== undefined && { cluster }),
    tune: plan as unknown as Record<string, unknown>,
  };
}

function limitsOf({ definition }: TunePlan): Partial<RunInput> {
  const { concurrency, requestsPerMinute, tokensPerMinute } = definition;
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokensPerMinute }),
  };
}

/** Names a run by what it is asked: one of a changed start has another name. */
function runName(
  { plan }: TuneOf,
  half: 'A' | 'B',
  id: string,
  changes: readonly Change[],
  of: HalfOfRun,
): string {
  // The start as the tune says it: what a worker adds to it may not rename its runs.
  const from = 'kept' in plan.start ? plan.start.kept : plan.start.input;
  const asked = { from, changes, of, confirm: half === 'B' ? plan.confirm : undefined };
  const where = `${plan.definition.name}.${half}.${id}`;
  return `${where.slice(0, MOST_CHARACTERS)}-${sha256Of(canonicalJson(asked), HASH_DIGITS)}`;
}

const HASH_DIGITS = 8;
/** Characters before the hash: a run's name has at most 100. */
const MOST_CHARACTERS = 100 - 1 - HASH_DIGITS;
