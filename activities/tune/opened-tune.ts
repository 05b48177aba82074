/** Reads what a tune starts from: its pipeline, the halves of its questions, and its candidates. */
import { canonicalJson } from '../../core/canonical-json.js';
import type { DatasetRecord } from '../../core/dataset-record.js';
import { methodNamed } from '../../core/method-registry.js';
import { badInput } from '../../core/options/problems.js';
import type { RunSpec } from '../../core/run/input.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { promptsFor } from '../../core/step-models.js';
import {
  type Candidate,
  candidatesOf,
  type HasOtherPrompt,
  type TuneStart,
} from '../../core/tune/candidates.js';
import { runOfStart, type TunePlan, type TuneWithStart } from '../../core/tune/tune-runs.js';
import { drawnOrder, halfOf } from '../../evaluation/tune/halves.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import { promptsOf } from '../../steps/define.js';
import { stepNamed } from '../../steps/table.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { readingOf, snapshotOf } from '../run/dataset-of.js';
import type { Ports } from '../runtime/ports.js';

/** Ports for reading the state of a tune. */
export type TunePorts = Pick<
  Ports,
  'confirmations' | 'datasets' | 'methods' | 'prompts' | 'runs' | 'steps'
> &
  Partial<Pick<Ports, 'ownDatasets'>>;

/** A question of a tune: its id, and the fields that decide to which half it belongs. */
export type TuneQuestion = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * A tune with the run that it starts from. The candidates of the tune change the pipeline of that
 * run and are compared with it.
 */
export interface OpenedTune extends TuneWithStart {
  /** Checked input of the run that the tune starts from. */
  start: RunSpec;
  /**
   * Manifest of the stored run, or of the start's run on half A; undefined until that has begun.
   */
  manifest: RunManifest | undefined;
}

/**
 * Returns a tune, with the prompts that were already written for it (`plan`), and of the run that
 * it starts from the input (`start`) and the `manifest`, undefined if that run has not begun.
 *
 * @throws Failure UnknownRun for an existing run that is missing; Conflict for one with imported
 * answers; BadInput for a fork that is no whole pipeline, for other methods beside any fork, and
 * for an input that is wrong.
 */
export async function openedTune(
  given: TunePlan,
  { runs, methods }: Pick<TunePorts, 'methods' | 'runs'>,
): Promise<OpenedTune> {
  const proposed = given.proposed ?? (await keptProposals(given, { runs }));
  const plan = { ...given, ...(proposed && { proposed }) };
  if ('kept' in plan.start) {
    const manifest = await runs.manifest(plan.start.kept);
    if (!manifest) throw unknownRun(plan.start.kept, ' to begin with');
    refusePredictions(manifest);
    refusePartOfPipeline(plan, manifest.input);
    return { plan, start: manifest.input, manifest };
  }
  const { input } = plan.start;
  const { run } = runOfStart({ plan, start: input }, 'A');
  const manifest = await runs.manifest(run);
  return { plan, start: parseRunInput({ ...input, run }, methods), manifest };
}

/**
 * Checks that a stored run can be the start of a tune.
 *
 * @throws Failure BadInput for a fork that is no whole pipeline, and for other methods beside any
 * fork.
 */
function refusePartOfPipeline({ definition }: TunePlan, { run, fork }: RunSpec): void {
  if (!fork) return;
  const { where, question, output, perfect } = fork;
  const from = `the run "${run}" is a fork of "${fork.run}"`;
  if (where !== undefined || question !== undefined) {
    throw badInput('start', `${from} that asks only some of its questions; start from that run`);
  }
  if (output !== undefined || perfect) {
    const what = `${from} in which a step gives what it was told to, so no pipeline is like it`;
    throw badInput('start', `${what}; start from that run`);
  }
  if (definition.try.methods) {
    const what = `cannot be asked the questions of the start: ${from}`;
    throw badInput('try.methods', `${what}; leave them out, or start from a run that is none`);
  }
}

/**
 * Returns the rounds of prompts that were already written for a tune, from the manifests of its
 * runs; undefined if there are none for its start and its settings.
 */
async function keptProposals(
  { definition, start }: TunePlan,
  { runs }: Pick<TunePorts, 'runs'>,
): Promise<TunePlan['proposed']> {
  const { name, try: tried } = definition;
  if (!tried.propose) return undefined;
  const wanted = canonicalJson([start, tried.propose]);
  let kept: TunePlan['proposed'];
  for (const { input } of await runs.list()) {
    if (input.study?.name !== name || !input.study.tune) continue;
    const there = input.study.tune as unknown as TunePlan;
    const isSame = canonicalJson([there.start, there.definition.try.propose]) === wanted;
    if (isSame && (there.proposed?.length ?? 0) > (kept?.length ?? 0)) kept = there.proposed;
  }
  return kept;
}

/**
 * Returns the questions of half A of a tune, on which it searches, or of half B, on which it
 * confirms the result, in the order in which they are asked, including those that were used to
 * confirm a claim. If the tune names a data set for the confirmation, that is half B, and all
 * other questions are half A. Questions that came with the tune's input are stored.
 */
export async function halfOfTune(
  { plan, start, manifest }: OpenedTune,
  half: 'A' | 'B',
  ports: TunePorts,
): Promise<TuneQuestion[]> {
  const { confirm, definition } = plan;
  const isKept = 'kept' in plan.start && (half === 'A' || !confirm);
  const asked = isKept ? fromRun(plan.start as { kept: string }) : fromDataset();
  const found: TuneQuestion[] = [];
  for await (const question of asked) {
    if (confirm || halfOf(question, definition.cluster) === half) found.push(question);
  }
  return drawnOrder(found);

  async function* fromRun({ kept }: { kept: string }) {
    for await (const { question } of ports.runs.questions(kept)) yield question;
  }
  async function* fromDataset() {
    const spec =
      half === 'B' && confirm
        ? { ...start, limit: undefined, sample: undefined, ...confirm }
        : start;
    const isBegun = manifest !== undefined && !(half === 'B' && confirm);
    const snapshot = isBegun ? manifest.dataset : await snapshotOf(spec, ports);
    const read = readingOf(snapshot.sha256, ports.datasets, new AbortController().signal);
    const { limit, sample, sampleSeed: seed } = spec;
    yield* read({ limit, sample, seed });
  }
}

/**
 * Returns the candidates of a tune that differ from its start in a single change, including the
 * prompts that were written for it.
 *
 * @param asked Names of the steps that the start has asked; undefined if they are not known, which
 * stands for all steps of its method.
 * @throws Failure BadInput if a prompt set does not exist, and as `candidatesOf`.
 */
export async function singleCandidates(
  { plan, start }: TuneWithStart & { start: RunSpec },
  asked: ReadonlySet<string> | undefined,
  ports: Pick<TunePorts, 'methods' | 'prompts' | 'steps'>,
): Promise<Candidate[]> {
  const { steps = [], options } = methodNamed(start.method, ports.methods);
  const from: TuneStart = {
    ...start,
    defaults: Object(options.safeParse({}).data),
    steps: stepsOfStart({ start }, asked, ports),
  };
  const { prompts: sets } = plan.definition.try;
  const named = Array.isArray(sets) ? sets : [];
  const hashes = new Map<string, Record<string, string>>();
  const usual = steps.map((step) => promptsFor(step, start.prompts));
  for (const set of new Set([...named, ...usual])) hashes.set(set, await ports.prompts.hashes(set));
  const hasOtherPrompt: HasOtherPrompt = (set, step) => {
    const before = hashes.get(promptsFor(step, start.prompts));
    const declared = stepNamed(step, ports.steps);
    const files = declared ? promptsOf(declared).map((name) => `${name}.txt`) : [];
    return files.some((file) => hashes.get(set)?.[file] !== before?.[file]);
  };
  const proposed = (plan.proposed ?? []).flatMap(({ written }) => written);
  return candidatesOf(plan.definition.try, from, hasOtherPrompt, proposed);
}

/**
 * Returns the names of the steps that a start has asked, in the order of its method; if `asked` is
 * undefined, of all steps of the method.
 */
export function stepsOfStart(
  { start }: Pick<OpenedTune, 'start'>,
  asked: ReadonlySet<string> | undefined,
  { methods }: Pick<TunePorts, 'methods'>,
): readonly string[] {
  const { steps = [] } = methodNamed(start.method, methods);
  return asked ? steps.filter((step) => asked.has(step)) : steps;
}

/**
 * The progress of a tune that its workflow knows beyond the stored answers: the runs that failed,
 * the number of questions that each run was asked, and whether the search has been stopped.
 */
export interface TuneProgress {
  /** Names of the runs that failed. */
  failed?: readonly string[];
  /** Number of questions that each run was asked, by its name. */
  asked?: Readonly<Record<string, number>>;
  /** Whether the search ends with what it has asked. */
  stopped?: boolean;
}
