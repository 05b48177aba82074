/** Determines the status of a run: what Temporal reports, combined with the stored results. */
import type { RunSummary } from '../../client/list-runs.js';
import type { StuckWorkflow } from '../../client/stuck-workflows.js';
import { unusedSearchText } from '../../core/options/idle-retrieval.js';
import type { RunProgress, ScoreSum } from '../../core/run/run.js';
import { settingsOf } from '../../core/run/run-settings.js';
import { NO_SUMS } from '../../core/run/sums.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { hasUsage, NO_USAGE } from '../../core/usage.js';
import { figuresOf } from '../../evaluation/runs/run-figures.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import type { RunChange, RunManifest, RunStore } from '../../stores/runs/run-store.js';

/**
 * State of a run. Under way: the state of its progress, or `unattended` without a worker. Ended:
 * how it ended; `kept` in a list, which does not count the answers. `unreachable`: it has not
 * finished, and no server answers that could tell whether it is under way.
 */
type RunState =
  | RunProgress['state']
  | 'unattended'
  | 'incomplete'
  | 'unreachable'
  | 'kept'
  | 'failed'
  | 'cancelled'
  | 'terminated'
  | 'timedOut'
  | 'gone';

/**
 * The status of a run: its state and the reason for it, its progress, whether its results are kept
 * here, and the workflows that cannot continue.
 */
export interface RunStatus {
  state: RunState;
  /** Type and message of the failure or pause; null if there is none. */
  reason: { type: string; message: string } | null;
  progress: RunProgress;
  /** Whether its results are in the store of this process. */
  isKept: boolean;
  /** Whether the progress has counts of answers; otherwise it only describes the run. */
  isCounted: boolean;
  /** Workflows of the run that cannot continue. */
  stuck: StuckWorkflow[];
  /** Changes that were accepted during the run; with any, its results mix several setups. */
  changes?: readonly RunChange[];
  /** Search settings of the run that have no effect; undefined if there are none. */
  idleSearch?: string | undefined;
}

/** The places that know about a run: the store of results, and, if a server answers, Temporal. */
export interface RunPlaces {
  runs: RunStore;
  /** Place of the results, in words. */
  place: string;
  /** Describes a run that Temporal knows; undefined if no server answers. */
  describe: ((run: string) => Promise<RunSummary | undefined>) | undefined;
}

/**
 * Returns the status of a run, from Temporal and from the stored results.
 *
 * @throws Failure UnknownRun if neither knows it.
 */
export async function runStatus(run: string, places: RunPlaces): Promise<RunStatus> {
  const summary = await places.describe?.(run);
  const manifest = await places.runs.manifest(run);
  if (summary) return statusOf(summary, manifest, places);
  if (manifest) {
    const kept = await keptStatus(manifest, places.runs);
    const isToldElsewhere = !places.describe && kept.state === 'incomplete';
    return isToldElsewhere ? { ...kept, state: 'unreachable' } : kept;
  }
  const away = places.describe ? '' : ', and no Temporal server answers that could know of it';
  throw unknownRun(run, ` in ${places.place}${away}`);
}

/**
 * Returns the status of a run that Temporal knows. Its scores are the kept ones if it was scored
 * again since.
 */
async function statusOf(
  summary: RunSummary,
  manifest: RunManifest | undefined,
  { runs, place }: Pick<RunPlaces, 'runs' | 'place'>,
): Promise<RunStatus> {
  const listed = listedStatus(summary, manifest, place);
  if (!manifest) return listed;
  const { progress } = listed;
  const scoredAt = Date.parse(manifest.rescored?.at(-1)?.at ?? '');
  const isScoredSince = scoredAt > progress.startedAt;
  if (listed.isCounted && !isScoredSince) return listed;
  const kept = (await keptStatus(manifest, runs)).progress;
  if (!listed.isCounted) return { ...listed, progress: kept, isCounted: true };
  const { metrics: _, unscored: __, ...asked } = progress;
  const { scores, metrics, unscored } = kept;
  const scored = { scores, ...(metrics && { metrics }), ...(unscored && { unscored }) };
  return { ...listed, progress: { ...asked, ...scored } };
}

/**
 * Returns the status of a run that Temporal knows, for a list: its answers are not read.
 *
 * @param manifest The stored manifest; undefined if its results are not stored.
 * @param place Place of the results, in words.
 */
export function listedStatus(
  { status, progress, failure, run, input, startedAt, stuck }: RunSummary,
  manifest: RunManifest | undefined,
  place: string,
): RunStatus {
  if (progress) {
    const stands = statusOfProgress(progress, manifest !== undefined, place, stuck);
    return { ...stands, ...statusFromManifest(manifest) };
  }
  const about = common(run, manifest?.input ?? { ...input }, startedAt.getTime());
  const stands = { state: STATES[status] ?? 'unattended', reason: failure ?? null, stuck };
  return standing(manifest, { ...about, questions: manifest?.questions ?? 0 }, stands, false);
}

/** Returns the parts of a status that depend on whether the run is stored. */
function standing(
  manifest: RunManifest | undefined,
  progress: RunProgress,
  { state, reason = null, stuck = [] }: Pick<RunStatus, 'state'> & Partial<RunStatus>,
  isCounted = true,
): RunStatus {
  const isKept = manifest !== undefined;
  return { state, reason, progress, isKept, isCounted, stuck, ...statusFromManifest(manifest) };
}

/**
 * Returns what a manifest records about changes and search: `changes`, the changes that were
 * accepted during the run, and `idleSearch`, a text about search settings that have no effect.
 * Each is absent if there is none.
 */
export function statusFromManifest(
  manifest: RunManifest | undefined,
): Pick<RunStatus, 'changes' | 'idleSearch'> {
  const { changes, corpus, input } = manifest ?? {};
  return {
    ...(changes && { changes }),
    ...(corpus === null && input && { idleSearch: unusedSearchText(input) }),
  };
}

/**
 * Returns the status of a stored run that Temporal does not know, for a list: its answers are not
 * read.
 */
export function listedStoredStatus(manifest: RunManifest): RunStatus {
  const { run, input, questions, createdAt } = manifest;
  const about = common(run, input, Date.parse(createdAt));
  return standing(manifest, { ...about, questions }, { state: 'kept' }, false);
}

const STATES: Partial<Record<RunSummary['status'], RunState>> = {
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timedOut',
};

/**
 * Returns the status of a run with this progress. Its state is `gone` if it has finished and its
 * results are not kept.
 *
 * @param place Place of the results, in words.
 */
export function statusOfProgress(
  progress: RunProgress,
  isKept: boolean,
  place: string,
  stuck: StuckWorkflow[] = [],
): RunStatus {
  const { pause } = progress;
  const all = { progress, isKept, isCounted: true, stuck };
  if (progress.state !== 'finished' || isKept) {
    const reason = pause && { type: pause.reason, message: pause.message };
    return { ...all, state: progress.state, reason };
  }
  const message = `It finished, but its results are not in ${place}: they were deleted, or are kept elsewhere.`;
  return { ...all, state: 'gone', reason: { type: 'ResultsGone', message } };
}

/** Returns the status of a stored run, computed from its answers. */
async function keptStatus(manifest: RunManifest, runs: RunStore): Promise<RunStatus> {
  const figures = await figuresOf(await openRun(runs, manifest.run));
  const { ended, outcomes, usage, earlier, failures, judging, metrics, unscored, builds } = figures;
  const scores = metrics
    .filter(({ group }) => group !== 'retrieval')
    .map(({ metric, scores }) => [metric, sumOf([...scores.values()])] as const);
  const isWhole = ended >= manifest.questions;
  const progress: RunProgress = {
    ...common(manifest.run, manifest.input, Date.parse(manifest.createdAt)),
    state: isWhole ? 'finished' : 'running',
    questions: manifest.questions,
    done: ended,
    outcomes,
    usage,
    ...(hasUsage(earlier) && { earlier }),
    ...(failures.length > 0 && { failures }),
    ...(judging && { judge: { usage: judging, failed: 0 } }),
    scores: Object.fromEntries(scores),
    ...(Object.keys(builds).length > 0 && { builds }),
    ...(manifest.metrics && { metrics: manifest.metrics, unscored }),
  };
  return standing(manifest, progress, { state: isWhole ? 'finished' : 'incomplete' });
}

function sumOf(scores: readonly number[]): ScoreSum {
  return {
    questions: scores.length,
    sum: scores.reduce((sum, score) => sum + score, 0),
    sumOfSquares: scores.reduce((sum, score) => sum + score * score, 0),
  };
}

type Described = Partial<Pick<RunManifest['input'], 'method'>> & Parameters<typeof settingsOf>[0];

function common(run: string, input: Described, startedAt: number) {
  return {
    run,
    method: input.method ?? '',
    pause: null,
    settings: settingsOf(input),
    state: 'opening' as const,
    running: 0,
    usage: NO_USAGE,
    startedAt,
    questions: 0,
    ...NO_SUMS,
  };
}
