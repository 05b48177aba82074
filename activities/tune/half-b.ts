/**
 * Reads how far half B has confirmed the finalists of a tune, and which of its questions may still
 * be used.
 */
import { canonicalJson } from '../../core/canonical-json.js';
import { badInput } from '../../core/options/problems.js';
import { sha256Of } from '../../core/sha256.js';
import type { Candidate } from '../../core/tune/candidates.js';
import { goalOf } from '../../core/tune/tune.js';
import {
  prefixesOf,
  runOfCandidate,
  runOfStart,
  type TunePlan,
} from '../../core/tune/tune-runs.js';
import type { ShownMetric } from '../../evaluation/runs/metrics.js';
import { count, plural, wholePercent } from '../../evaluation/runs/number-text.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { MIN_QUESTIONS } from '../../evaluation/statistics/compare-scores.js';
import { confirmFinalists, type FinalistResult } from '../../evaluation/tune/confirm.js';
import { drawKey, questionHash } from '../../evaluation/tune/halves.js';
import {
  figuresOn,
  type PipelineAnswers,
  pipelineAnswers,
  scoresIn,
  wholesIn,
} from '../../evaluation/tune/pipeline-answers.js';
import { CHANGED_SHARE, confirmableGain, questionsToConfirm } from '../../evaluation/tune/power.js';
import type { MeanFigures } from '../../evaluation/tune/search.js';
import { type HalfAResults, hasAnsweredAll } from './half-a.js';
import {
  halfOfTune,
  type OpenedTune,
  type TunePorts,
  type TuneProgress,
  type TuneQuestion,
} from './opened-tune.js';

/**
 * The confirmation of a tune's finalists on half B of its questions: the questions, the runs still
 * to ask, and once all are answered the result of each finalist.
 */
export interface Confirmation {
  /**
   * Id of the claim, derived from the name of the tune, its start, goal, metric and finalists, and
   * the data set for the confirmation.
   */
  claim: string;
  /** Questions of half B that have confirmed no other claim. */
  questions: readonly TuneQuestion[];
  /** Number of questions of half B that have confirmed another claim. */
  used: number;
  /** Runs that are asked next; empty once all questions are answered. */
  ask: { run: string; input: object }[];
  /**
   * Result of each finalist whose run has not failed, in their order; empty until all questions are
   * answered.
   */
  shown: readonly FinalistResult[];
  /** Figures of the start on half B; undefined until all questions are answered. */
  start: MeanFigures | undefined;
  /** Figures on half B, by the finalist's id. */
  figures: ReadonlyMap<string, MeanFigures>;
}

/**
 * Reads the runs of a tune's finalists on half B, and returns the runs still to ask, or once all
 * are answered the result of each finalist.
 *
 * @param start Answers of the start to half A.
 */
export async function confirmationOf(
  opened: OpenedTune,
  { search: { finalists }, metric }: HalfAResults,
  start: PipelineAnswers,
  ports: TunePorts,
  progress: TuneProgress,
): Promise<Confirmation> {
  const claim = claimOf(opened, finalists, metric);
  const { questions, used } = await unused(
    await halfOfTune(opened, 'B', ports),
    (before) => before === claim,
    ports,
  );
  const ids = questions.map(({ id }) => id);
  const none = { claim, questions, used, shown: [], start: undefined, figures: new Map() };
  const { ask, answered } = await runsOnB(opened, finalists, claim, ids, ports, progress);
  if (ask.length > 0) return { ...none, ask };
  const { definition } = opened.plan;
  const read = async (run: string) => pipelineAnswers(await openRun(ports.runs, run));
  const begin = runOfStart(opened, 'B', claim);
  const against = begin.input ? await read(begin.run) : start;
  const answers = new Map<string, PipelineAnswers>();
  for (const one of finalists) {
    const { run } = runOfCandidate(opened, one, 'B', claim);
    if (answered.has(run)) answers.set(one.id, await read(run));
  }
  const only = new Set(ids);
  const scoresOf = (of: PipelineAnswers) =>
    new Map([...scoresIn(of, metric)].filter(([id]) => only.has(id)));
  const tested = [...answers].map(([id, of]) => ({ id, scores: scoresOf(of) }));
  const draws = new Map(questions.map((one) => [one.id, drawKey(one, definition.cluster)]));
  const isClustered = new Set(draws.values()).size < draws.size;
  return {
    ...none,
    ask: [],
    shown: confirmFinalists(tested, scoresOf(against), goalOf(definition), {
      ...(isClustered && { clusters: draws }),
      wholes: wholesIn(against, metric),
    }),
    start: figuresOn(against, ids, metric),
    figures: new Map(
      [...answers].map(([id, of]) => [id, figuresOn(of, ids, metric, against)] as const),
    ),
  };
}

/**
 * Returns the runs that are still to be asked half B, and the names of those that have answered it.
 * The start comes first, and a joint candidate after the one that it adds a change to.
 */
async function runsOnB(
  opened: OpenedTune,
  finalists: readonly Candidate[],
  claim: string,
  ids: readonly string[],
  { runs }: TunePorts,
  progress: TuneProgress,
): Promise<{ ask: Confirmation['ask']; answered: ReadonlySet<string> }> {
  const hasAnswered = async (run: string) => {
    if (progress.asked?.[run] !== undefined) return true;
    if (!(await runs.manifest(run))) return false;
    return hasAnsweredAll(await pipelineAnswers(await openRun(runs, run)), ids, progress.asked);
  };
  const begin = runOfStart(opened, 'B', claim);
  if (begin.input && !(await hasAnswered(begin.run))) {
    return { ask: [{ run: begin.run, input: begin.input }], answered: new Set() };
  }
  const ask: Confirmation['ask'] = [];
  const answered = new Set([begin.run]);
  for (const one of finalists.flatMap((finalist) => [...prefixesOf(finalist), finalist])) {
    const { run, input, parent } = runOfCandidate(opened, one, 'B', claim);
    const isKnown = answered.has(run) || ask.some((other) => other.run === run);
    if (isKnown || progress.failed?.includes(run)) continue;
    if (await hasAnswered(run)) answered.add(run);
    else if (answered.has(parent) || one.changes.length < 2) ask.push({ run, input });
  }
  return { ask, answered };
}

/**
 * Returns the id of a claim: equal for the same finalists of the same start, by the same rule,
 * under the same name.
 */
function claimOf(
  { plan, start }: OpenedTune,
  finalists: readonly Candidate[],
  { metric }: ShownMetric,
): string {
  const { name, goal, margin } = plan.definition;
  const { run: from } = runOfStart({ plan, start }, 'A');
  const ids = finalists.map(({ id }) => id).sort();
  const claimed = { from, goal, margin, metric, ids, confirm: plan.confirm };
  return `${name}:${sha256Of(canonicalJson(claimed), 16)}`;
}

/**
 * Splits questions into those that may confirm a claim, and the number of those that have confirmed
 * another one.
 */
async function unused(
  questions: readonly TuneQuestion[],
  isOwn: (claim: string) => boolean,
  { confirmations }: Pick<TunePorts, 'confirmations'>,
): Promise<{ questions: TuneQuestion[]; used: number }> {
  const free: TuneQuestion[] = [];
  for (const question of questions) {
    const before = await confirmations.claimOf(questionHash(question));
    if (before === undefined || isOwn(before)) free.push(question);
  }
  return { questions: free, used: questions.length - free.length };
}

/**
 * Returns as `questions` those of half B that a tune may still use to confirm its result, and as
 * `used` the number of those that were used to confirm a claim of another tune.
 *
 * @throws Failure BadInput if the data set for the confirmation has questions of half A.
 */
export async function confirmingQuestions(
  opened: OpenedTune,
  ports: TunePorts,
): Promise<{ questions: TuneQuestion[]; used: number }> {
  const asked = await halfOfTune(opened, 'B', ports);
  if (opened.plan.confirm) {
    const searched = new Set((await halfOfTune(opened, 'A', ports)).map(questionHash));
    const shared = asked.filter((one) => searched.has(questionHash(one)));
    if (shared.length > 0) {
      const what = `has ${shared.length} of the questions that are searched on, such as "${shared[0]?.question}"`;
      throw badInput('confirm', `${what}; use a data set without these questions`);
    }
  }
  // The claim is not known before the tune has finalists, so any claim of this tune counts as its own.
  const own = `${opened.plan.definition.name}:`;
  return unused(asked, (before) => before.startsWith(own), ports);
}

/**
 * Returns the number of independent samples among questions: those of one cluster, or with equal
 * texts, count as one.
 */
export function independentQuestions(
  questions: readonly TuneQuestion[],
  { definition }: TunePlan,
): number {
  return new Set(questions.map((one) => drawKey(one, definition.cluster))).size;
}

/**
 * Checks that a tune has enough questions to decide its goal: of half B, or of the data set that
 * `confirm` names. Questions of one cluster, or with equal texts, count as one.
 *
 * @param asked The questions that may confirm the result.
 * @param used Number of questions that are not in `asked` because they confirmed another claim;
 * shown in the error.
 * @throws Failure BadInput with the number of questions that would be enough.
 */
export function checkDecidable(plan: TunePlan, asked: readonly TuneQuestion[], used: number): void {
  const { definition, confirm } = plan;
  const { goal, margin } = goalOf(definition);
  const questions = independentQuestions(asked, plan);
  const needed = goal === 'better' ? MIN_QUESTIONS : questionsToConfirm(margin, goal);
  if (questions >= needed) return;
  const half = confirm ? 'the data set that confirms' : 'half B';
  const has = `${half} has ${plural(asked.length, 'question')}`;
  const left = used === 0 ? has : `${has} left, ${count(used)} have confirmed another claim`;
  const alike = `, and only ${count(questions)} count: a cluster, or equal questions, are one`;
  const there = questions === asked.length ? left : left + alike;
  const all = confirm ? `${count(needed)} of them` : `${count(2 * needed)} questions in all`;
  const others = used === 0 ? '' : '. Ask the start new questions, or name a data set by "confirm"';
  if (goal === 'better') {
    const what = `from fewer than ${needed} nothing can be concluded, about ${all} would do`;
    throw badInput('start', `cannot be decided: ${there}; ${what}${others}`);
  }
  // Rounded up: the figure is one that is not refused.
  const smallest = Math.ceil(1000 * confirmableGain(questions, goal)) / 10;
  const instead = smallest < 100 ? `. The present ones decide a margin of ${smallest} points` : '';
  throw badInput(
    'margin',
    `${definition.margin} points cannot be decided: ${there}. About ${all} would do, if ${wholePercent(CHANGED_SHARE[goal])} of the answers change${instead}${others}`,
  );
}
