/**
 * Plans the calls of a run: the method's algorithm is run for each question with the answers that
 * are already stored, and costliest outputs for the others.
 */
import { chooseQuestions, subsetOf } from '../activities/run/choose-questions.js';
import { perfectOutputOf, questionsOfFork } from '../activities/run/fork.js';
import { passageSource } from '../activities/run/passage-source.js';
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import {
  requireCorpus,
  searchesNothing,
  unusedSearchText,
} from '../core/options/idle-retrieval.js';
import type { RunSpec } from '../core/run/input.js';
import { hashOrderSample } from '../evaluation/dataset/hash-order-sample.js';
import type { ReadSubset } from '../evaluation/dataset/subset.js';
import { halfOf } from '../evaluation/tune/halves.js';
import type { RunQuestion } from '../stores/runs/run-store.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { type ForkReuse, type JudgedResult, planAnswer, planJudge } from './plan-answer.js';
import { QuestionPlan } from './plan-question.js';
import { longestFirst, longestFound, searchAll, searchNeeds } from './plan-searches.js';
import { type PlanInputs, plan } from './planning.js';
import { modelOfStep, type StepPlan, StepPlans } from './step-plans.js';

/** Default for the most questions that are planned. */
const MOST_PLANNED = 1000;

/** Number of questions used as queries to estimate the length of the corpus's passages. */
const SEARCHES = 20;

/**
 * The questions of a run to be planned: the data set, the questions stored with the run if it
 * exists, and those of them that are not yet answered or judged.
 */
export interface QuestionsToPlan {
  /** Reads the data set. */
  read: ReadSubset;
  /** Reads the questions stored with the run; undefined unless the run exists with the same ones. */
  kept?: (() => AsyncIterable<RunQuestion>) | undefined;
  /** Questions of an existing run that are not yet answered or judged, by id. */
  open?: ReadonlyMap<string, { toJudge?: true }> | undefined;
  /** Maximum number of questions to plan; a sample is drawn if there are more. @default 1000 */
  most?: number | undefined;
  /** Keys of the calls that runs planned before pay for; those of this run are added. */
  paid?: Set<string> | undefined;
}

/** The plan of a run: its calls by step, and the counts of its questions. */
export interface RunPlan {
  /** Calls for answering. */
  steps: StepPlan[];
  /** Calls of the judge. */
  judging: StepPlan[];
  /** Number of questions of the run. */
  questions: number;
  /** Number of questions planned: all, or a sample. */
  planned: number;
  /** Number of questions that have an answer and are not asked again. */
  kept: number;
  /** Number of questions with supplied passages, which are read instead of a search. */
  bringing: number;
  /** Number of questions that search the corpus. */
  searching: number;
  /** Number of searches made to estimate the length of the corpus's passages. */
  searched: number;
  /** Search settings without effect, as text; undefined if there are none. */
  idle?: string | undefined;
  /** Reason why a fork would or might pause; undefined if it would not. */
  mismatch?: string | undefined;
}

/**
 * Returns the plan of a run: its calls and their tokens by step, and the counts of its questions.
 * It is made from all questions that the run still has to ask, or from a sample of them, whose
 * sums are extrapolated. If the run may reuse stored responses and there are any, each call is
 * looked up, and searches are made as the run would; otherwise up to 20 searches are made, to
 * estimate the length of the corpus's passages. Makes no paid call.
 *
 * @throws Failure UnknownCorpus if a question would search a corpus that does not exist; BadInput
 * if none is named, and for questions that the run would refuse.
 */
export async function planRun(
  spec: RunSpec,
  toPlan: QuestionsToPlan,
  ports: OfflinePorts,
): Promise<RunPlan> {
  const { read: readSubset, open, most = MOST_PLANNED, paid } = toPlan;
  const method = methodNamed(spec.method, ports.methods);
  const read = await readQuestions(spec, method, toPlan, ports);
  const searching = await searchNeeds(method, spec, ports);
  const found =
    read.sample.length === 0
      ? []
      : await searchAll(read.sample, searching.depth, read.corpus, ports);
  const longest = await longestFound(found, searching, read.corpus, ports);
  // Equal calls of two runs are recognised by the keys of their responses.
  const looks = {
    paid: paid ?? new Set<string>(),
    looksUp: spec.cache && (paid !== undefined || !(await ports.responses.isEmpty())),
  };
  const parametersOf = (step: string) => modelOfStep(step, spec, ports).parameters;
  const asking = new StepPlans(spec, ports);
  const judging = new StepPlans(spec, ports);
  const isDrawn = (open?.size ?? read.questions) > most;
  const planned = isDrawn ? most : read.questions;
  const share = planned === 0 ? 1 : read.questions / planned;
  // The questions of a half come in a drawn order, so the first so many are a sample.
  const drawn = isDrawn && !spec.half ? { ...spec, sample: most } : spec;
  const { changed, questions: forked } = spec.fork
    ? await questionsOfFork(spec.fork, drawn, ports)
    : { changed: [], questions: undefined };
  const questions = toPlan.kept
    ? await sampleOf(toPlan.kept, isDrawn ? most : undefined, spec)
    : (forked ?? questionsOf(drawn, method, readSubset, ports));
  let kept = 0;
  let mismatch: string | undefined;

  const perfectOf: ForkReuse['perfectOf'] = (question, call) =>
    perfectOutputOf(call, question, spec.corpus ?? null, ports).catch(undefinedIfGone);

  /** Plans one question; the stored answer is used if the question is only to be judged. */
  async function planOne(question: RunQuestion, isAnswered: boolean): Promise<void> {
    const { stored } = question;
    const own = stored && (await ports.passages.get(stored.map(({ id }) => id)));
    const inputs: PlanInputs = {
      passages: own ? longestFirst(own) : longest,
      available: own?.length ?? Infinity,
      steps: ports.steps,
      parametersOf,
    };
    const { options } = spec;
    const branches = searching.branches
      ? (await plan(method, { question: question.question, options }, inputs))?.branches
      : undefined;
    const begin = (isUnknown: boolean) =>
      new QuestionPlan(ports, { ...inputs, branches }, { ...looks, isUnknown });
    const ahead = begin(false);
    let result: JudgedResult | null | undefined = isAnswered
      ? (await ports.runs.get(spec.run, question.id))?.result
      : undefined;
    if (!result) {
      const taking = { fork: spec.fork, changed, perfectOf };
      const unknown = () => begin(true);
      const answer = await planAnswer(spec, method, question, { ...ports, taking }, ahead, unknown);
      for (const calls of answer.counted) await asking.add(calls);
      result = answer.conclusion;
      mismatch ??= answer.mismatch;
    }
    if (result) await judging.add(await planJudge(spec, question, result, ports, ahead));
  }

  let seen = 0;
  for await (const question of questions) {
    if (seen++ === planned) break;
    const standing = open ? open.get(question.id) : {};
    if (!standing || standing.toJudge) kept++;
    if (standing) await planOne(question, standing.toJudge === true);
  }
  return {
    steps: asking.scaled(share),
    judging: judging.scaled(share),
    questions: read.questions,
    planned,
    kept: Math.round(kept * share),
    bringing: read.searches ? read.questions - read.searching : 0,
    searching: read.searches ? read.searching : 0,
    searched: found.length,
    idle: read.isIdle ? unusedSearchText(spec) : undefined,
    mismatch,
  };
}

/** Returns the stored questions of a run, or a sample of `most` of them. */
async function sampleOf(
  questions: () => AsyncIterable<RunQuestion>,
  most: number | undefined,
  { sampleSeed }: RunSpec,
): Promise<AsyncIterable<RunQuestion>> {
  if (most === undefined) return questions();
  async function* ids() {
    for await (const { id } of questions()) yield id;
  }
  const drawn = await hashOrderSample(ids(), most, sampleSeed);
  async function* sample() {
    for await (const question of questions()) if (drawn.has(question.id)) yield question;
  }
  return sample();
}

/** Returns the questions that a new run would ask. */
function questionsOf(
  spec: RunSpec,
  method: OwnMethod<unknown>,
  read: ReadSubset,
  ports: OfflinePorts,
): AsyncIterable<RunQuestion> {
  // Noise is chosen by word search, since vectors would cost money.
  const searched = spec.noise ? { ...spec, mode: undefined } : spec;
  return chooseQuestions(spec, {
    read,
    source: passageSource(searched, ports, new AbortController().signal),
    store: ports.passages,
    counts: { withoutAnswer: 0, incomplete: 0 },
    searches: !searchesNothing(method, spec.options),
    confirmations: ports.confirmations,
  });
}

/** Maps a Failure to undefined: a planned call may show passages that were never found. */
function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof Failure) || error.retryable) throw error;
}

interface ReadQuestions {
  questions: number;
  /** Questions to use as queries. */
  sample: string[];
  /** Number of questions without supplied passages. */
  searching: number;
  /** Name of the corpus that they search. */
  corpus: string;
  /** Whether the method searches. */
  searches: boolean;
  /** Whether no question may search a corpus. */
  isIdle: boolean;
}

/** Counts the questions that a run would ask, and returns some of those that search. */
async function readQuestions(
  spec: RunSpec,
  method: OwnMethod<unknown>,
  { read: readSubset, kept, open }: QuestionsToPlan,
  ports: OfflinePorts,
): Promise<ReadQuestions> {
  const searches = !searchesNothing(method, spec.options);
  const read = { questions: 0, searching: 0, corpus: '', searches };
  const sample: string[] = [];
  const forked = spec.fork && !kept && (await questionsOfFork(spec.fork, spec, ports)).questions;
  const asked = kept?.() ?? (forked || fromDataset());
  for await (const question of asked) {
    read.questions++;
    if (question.stored) continue;
    read.searching++;
    const standing = open ? open.get(question.id) : {};
    if (!searches || !standing || standing.toJudge) continue;
    read.corpus = requireCorpus(spec.corpus, question);
    if (sample.length < SEARCHES) sample.push(question.question);
  }
  // Random noise also comes from questions outside the subset, which may search.
  const isSubset = !spec.fork && (spec.limit !== undefined || spec.sample !== undefined);
  const mayDraw = isSubset && spec.noise?.kind === 'random' && spec.noise.ratio > 0;
  return { ...read, isIdle: !searches || (read.searching === 0 && !mayDraw), sample };

  async function* fromDataset() {
    const { half } = spec;
    for await (const record of readSubset(subsetOf(spec))) {
      if (half && half.of !== 'all' && halfOf(record, half.cluster) !== half.of) continue;
      const { id, question, passages } = record;
      yield { id, question, stored: spec.ownPassages && passages?.length ? [] : undefined };
    }
  }
}
