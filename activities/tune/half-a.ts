/** Reads the results of the candidates of a tune on half A, and the state of its search. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { badInput } from '../../core/options/problems.js';
import type { Candidate } from '../../core/tune/candidates.js';
import { goalOf } from '../../core/tune/tune.js';
import { runOfCandidate, runOfStart } from '../../core/tune/tune-runs.js';
import type { ShownMetric } from '../../evaluation/runs/metrics.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import {
  figuresOn,
  type PipelineAnswers,
  pipelineAnswers,
  tunedMetric,
} from '../../evaluation/tune/pipeline-answers.js';
import {
  type CandidateResults,
  type MeanFigures,
  type SearchState,
  searchState,
} from '../../evaluation/tune/search.js';
import {
  halfOfTune,
  type OpenedTune,
  singleCandidates,
  stepsOfStart,
  type TunePorts,
  type TuneProgress,
} from './opened-tune.js';

/** The answers of the start to half A. */
interface StartOnA {
  answers: PipelineAnswers;
  metric: ShownMetric;
  /** Ids of the questions of half A, in the order in which they are asked. */
  ids: readonly string[];
}

/**
 * Returns the answers of the run that a tune starts from; undefined if it has not begun.
 *
 * @throws Failure BadInput for an existing run that has not answered all of its questions:
 * candidates could not be compared on the others.
 */
export async function startAnswers(
  opened: OpenedTune,
  { runs }: Pick<TunePorts, 'runs'>,
): Promise<PipelineAnswers | undefined> {
  if (!opened.manifest) return undefined;
  const { run, input } = runOfStart(opened, 'A');
  const answers = await pipelineAnswers(await openRun(runs, run));
  const { answers: ended, planned } = answers.figures;
  if (input || ended === planned) return answers;
  const what = `the run "${run}" has answered ${ended} of its ${plural(planned, 'question')}`;
  throw badInput('start', `${what}; finish it first: ${command('status', run)} tells how`);
}

/**
 * Returns the `answers` of a tune's start, the `ids` of the questions of half A, on which
 * candidates are searched, and the `metric` of the tune; undefined if the start has to be asked
 * half A first.
 *
 * @throws Failure BadInput if the start has no score, or none of its questions is in half A; the
 * failures of `startAnswers`.
 */
export async function startOnHalfA(
  opened: OpenedTune,
  ports: TunePorts,
  { asked }: TuneProgress,
): Promise<StartOnA | undefined> {
  const answers = await startAnswers(opened, ports);
  if (!answers) return undefined;
  const { run, input } = runOfStart(opened, 'A');
  const { figures, failed } = answers;
  const isOpen = figures.answers < figures.planned || failed.size > 0;
  if (input && isOpen && asked && asked[run] === undefined) return undefined;
  const { metric: name } = opened.plan.definition;
  const metric = tunedMetric(answers, name);
  const ids = (await halfOfTune(opened, 'A', ports)).map(({ id }) => id);
  if (ids.length === 0) throw new Failure('BadInput', 'No question of the start is in half A.');
  return { answers, metric, ids };
}

/**
 * The results of a tune on half A of its questions, on which candidates are searched: the mean
 * scores (0 to 1) and mean costs of a question in US dollars of the start and of each candidate,
 * and the candidates to ask next.
 */
export interface HalfAResults {
  /** Ids of the questions of half A, in the order in which they are asked. */
  questions: readonly string[];
  metric: ShownMetric;
  /** Candidates with a single change; `search` has the joint ones. */
  candidates: readonly Candidate[];
  search: SearchState;
  /** Figures of the start on all of half A. */
  start: MeanFigures;
  /** Returns the figures of the start on the first so many questions. */
  startOn(questions: number): MeanFigures;
  /** The steps that the start has asked, in the order of its method. */
  steps: readonly string[];
  /** Figures of each candidate on the questions that it was asked, and their number, by its id. */
  figures: ReadonlyMap<string, MeanFigures & { questions: number }>;
}

/**
 * Reads the runs of a tune's candidates on half A, and returns the mean score (0 to 1) and the
 * mean cost of a question in US dollars: of the start on all of half A, and of each candidate on
 * the questions that it was asked so far. Also returns the candidates to ask next or, once the
 * search has ended, the finalists.
 */
export async function halfAResults(
  opened: OpenedTune,
  start: StartOnA,
  ports: TunePorts,
  progress: TuneProgress,
): Promise<HalfAResults> {
  const { ids, metric } = start;
  const candidates = await singleCandidates(opened, start.answers.steps, ports);
  const goal = goalOf(opened.plan.definition);
  const given = { goal, questions: ids.length, candidates, stopped: progress.stopped };
  const single = await answersOnA(opened, candidates, ports);
  const { joined } = searchState(given, seenOf(single, start, progress));
  const all = [...single, ...(await answersOnA(opened, joined, ports))];
  const seen = seenOf(all, start, progress);
  const search = searchState(given, seen);
  const figures = [...search.asked].flatMap(([id, questions]) => {
    const on = seen.candidate(id, questions);
    return on ? [[id, { ...on, questions }] as const] : [];
  });
  return {
    questions: ids,
    metric,
    candidates,
    search,
    start: seen.start(ids.length),
    startOn: seen.start,
    steps: stepsOfStart(opened, start.answers.steps, ports),
    figures: new Map(figures),
  };
}

/** The answers of a candidate to half A. */
interface CandidateOnA {
  id: string;
  run: string;
  /** Undefined until its run has begun. */
  answers: PipelineAnswers | undefined;
}

async function answersOnA(
  opened: OpenedTune,
  candidates: readonly Candidate[],
  { runs }: TunePorts,
): Promise<CandidateOnA[]> {
  const read: CandidateOnA[] = [];
  for (const one of candidates) {
    const { run } = runOfCandidate(opened, one, 'A');
    const isBegun = (await runs.manifest(run)) !== undefined;
    const answers = isBegun ? await pipelineAnswers(await openRun(runs, run)) : undefined;
    read.push({ id: one.id, run, answers });
  }
  return read;
}

/**
 * Returns whether a run needs no more answers to these questions. What failed in an earlier start of
 * the tune is asked again in this one.
 *
 * @param asked Numbers of questions that this start has asked, by run; undefined outside of one.
 */
export function hasAnsweredAll(
  { usd, failed }: PipelineAnswers,
  ids: readonly string[],
  asked: TuneProgress['asked'],
): boolean {
  return ids.every((id) => usd.has(id) && !(asked && failed.has(id)));
}

/** Returns the results on half A as the search reads them. */
function seenOf(
  candidates: readonly CandidateOnA[],
  { answers: start, metric, ids }: StartOnA,
  { asked, failed }: TuneProgress,
): CandidateResults {
  const find = (id: string) => candidates.find((one) => one.id === id);
  const figures = (answers: PipelineAnswers, questions: number) =>
    figuresOn(answers, ids.slice(0, questions), metric, start);
  return {
    start: (questions) => figures(start, questions),
    candidate(id, questions) {
      const { run = '', answers } = find(id) ?? {};
      if (!answers) return undefined;
      const isTold = (asked?.[run] ?? 0) >= questions;
      const hasAnswered = () => hasAnsweredAll(answers, ids.slice(0, questions), asked);
      return isTold || hasAnswered() ? figures(answers, questions) : undefined;
    },
    hasFailed: (id) => failed?.includes(find(id)?.run ?? '') === true,
  };
}
