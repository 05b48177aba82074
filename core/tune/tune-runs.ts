/** Names and inputs of the runs of a tune. Not for workflows, since it uses node:crypto. */
import { canonicalJson } from '../canonical-json.js';
import { type ForkInput, NOT_INHERITED, omitFields } from '../run/fork-input.js';
import type { RunHalf, RunInput, RunSpec } from '../run/input.js';
import { sha256Of } from '../sha256.js';
import { modelFor } from '../step-models.js';
import { cellsOf, parseStudy, type StudyInput } from '../study/study.js';
import { type Candidate, type Change, candidateOf } from './candidates.js';
import type { ProposalRound } from './proposals.js';
import { parseTune, type Tune } from './tune.js';

/**
 * The input of a tune's workflow: the checked tune, and the start as a stored run or as the input
 * of a new run. JSON-safe.
 */
export interface TunePlan {
  definition: Tune;
  /** The start: the name of a stored run, or the input of a new one. */
  start: { kept: string } | { input: StartInput };
  /** The data set that confirms instead of half B; absent if half B does. */
  confirm?: ConfirmingDataset;
  /** The prompts that were written for it, by round; absent until they are known. */
  proposed?: readonly ProposalRound[];
  /**
   * Names of the runs that failed for good, as known when the newest run began; absent if there are
   * none.
   */
  failed?: readonly string[];
}

/** The input of the run that a tune starts from if it is not a stored run, without its name. */
export type StartInput = Omit<RunInput, 'half' | 'run' | 'study'>;

/** The separate data set on which a tune confirms its result: a run's fields about data sets. */
export type ConfirmingDataset = Partial<RunInput> & { dataset: string };

/**
 * Returns a tune's start and its data sets as a study, so that they are checked and stored like a
 * study's; undefined if the tune names no data set.
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
 * Checks the content of a tune file, and returns the input of its workflow.
 *
 * @param datasets Names under which the questions of the start ("start") and of the confirmation
 * ("confirm") are stored.
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
    omitFields(cells.find(({ dataset }) => dataset === label)?.inputs[0] ?? {}, NOT_OF_PIPELINE);
  const { method, options, models, seed, ...confirming } = inputOf('confirm');
  return {
    definition,
    start: typeof start === 'string' ? { kept: start } : { input: inputOf('start') as StartInput },
    ...(confirm !== 'half' && { confirm: confirming as ConfirmingDataset }),
  };
}

/** A tune's plan, with the complete input of its start. */
export interface TuneWithStart {
  plan: TunePlan;
  /** The input of the start: the stored run's, or the new run's. */
  start: StartInput | RunSpec;
}

/**
 * Fields of a run that are not part of its pipeline. The questions of a half have their own order.
 */
const NOT_OF_PIPELINE = [...NOT_INHERITED, 'run', 'shuffle'];

/** Fields of a run that select its questions. */
const OF_QUESTIONS = ['dataset', 'limit', 'sample', 'sampleSeed'] as const;

/** The name of a run of a tune, with its input. */
interface RunOfTune {
  run: string;
  /** Input of the run; undefined for a stored run that is used as it is. */
  input?: RunInput | ForkInput;
}

/**
 * Returns the name (`run`) and `input` of the run that asks the unchanged start; without input if
 * that is a stored run.
 *
 * @param half A for the run that the tune searches on, B for the one that confirms. They ask a
 * half of the questions each; if another data set confirms, A asks all questions, and B those of
 * that data set.
 * @param claim Name of the claim that half B is to confirm.
 */
export function runOfStart(tune: TuneWithStart, half: 'A' | 'B', claim?: string): RunOfTune {
  const { plan, start } = tune;
  const isOther = half === 'B' && plan.confirm !== undefined;
  if ('kept' in plan.start && !isOther) return { run: plan.start.kept };
  const asked = { ...omitFields(start, NOT_OF_PIPELINE), ...limitsOf(plan) };
  const questions = isOther ? { ...omitFields(asked, OF_QUESTIONS), ...plan.confirm } : asked;
  const of = halfOfRun(tune, half, claim);
  const run = runName(tune, half, 'start', [], of);
  const study = placeOf(tune, half, 'start');
  return { run, input: { ...questions, run, half: of, study } as RunInput };
}

/**
 * Returns the name (`run`) and `input` of a candidate's run on half A or B, as in `runOfStart`,
 * and the name of its `parent` run. A candidate that changes the method is a run of its own. Any
 * other is a fork that adds the last change: its parent is the run with the changes before, or the
 * start's run if there are none.
 *
 * @param claim Name of the claim that half B is to confirm.
 */
export function runOfCandidate(
  tune: TuneWithStart,
  { id, label, changes }: Candidate,
  half: 'A' | 'B',
  claim?: string,
): Required<RunOfTune> & { parent: string } {
  const of = halfOfRun(tune, half, claim);
  const run = runName(tune, half, id, changes, of);
  const study = placeOf(tune, half, label);
  const start = runOfStart(tune, half, claim);
  const last = changes.at(-1);
  if (last?.of === 'method') {
    const whole = start.input ?? omitFields(tune.start, NOT_OF_PIPELINE);
    const { models = {} } = whole as RunSpec;
    const input = {
      ...omitFields(whole as Record<string, unknown>, ['prompts', 'outputs']),
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
      : runOfCandidate(tune, candidateOf(changes.slice(0, -1)), half, claim).run;
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

/**
 * Returns the candidates with the first change, the first two, and so on, without the candidate
 * itself, in this order. Their runs must exist before the candidate's run can fork them. Empty for
 * one change.
 */
export function prefixesOf({ changes }: Candidate): Candidate[] {
  return changes.slice(1).map((_, i) => candidateOf(changes.slice(0, i + 1)));
}

function halfOfRun({ plan }: TuneWithStart, half: 'A' | 'B', claim?: string): RunHalf {
  const { cluster } = plan.definition;
  return {
    of: plan.confirm ? 'all' : half,
    ...(cluster !== undefined && { cluster }),
    ...(half === 'B' && claim !== undefined && { claim }),
  };
}

/** Returns the field `study` of a run of a tune. */
function placeOf({ plan, start }: TuneWithStart, half: 'A' | 'B', label: string): RunSpec['study'] {
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

/** Returns the name of a run, with a hash of its input: if the start changes, the name does too. */
function runName(
  { plan }: TuneWithStart,
  half: 'A' | 'B',
  id: string,
  changes: readonly Change[],
  of: RunHalf,
): string {
  // The start as written in the tune: defaults that a worker adds must not rename its runs.
  const from = 'kept' in plan.start ? plan.start.kept : plan.start.input;
  const asked = { from, changes, of, confirm: half === 'B' ? plan.confirm : undefined };
  const where = `${plan.definition.name}.${half}.${id}`;
  return `${where.slice(0, MOST_CHARACTERS)}-${sha256Of(canonicalJson(asked), HASH_DIGITS)}`;
}

const HASH_DIGITS = 8;
/** Maximum number of characters before the hash, since a run's name has at most 100. */
const MOST_CHARACTERS = 100 - 1 - HASH_DIGITS;
