/** The state of a tune, which follows from its plan and from what its runs have answered. */
import { canonicalJson } from '../../core/canonical-json.js';
import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { badInput } from '../../core/options/problems.js';
import { methodNamed } from '../../core/registry.js';
import type { RunSpec } from '../../core/run/input.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { sha256Of } from '../../core/sha256.js';
import { promptsFor } from '../../core/step-models.js';
import {
  type Candidate,
  candidatesOf,
  type Known,
  type Start,
} from '../../core/tune/candidates.js';
import {
  candidateRun,
  prefixesOf,
  startRun,
  type TuneOf,
  type TunePlan,
} from '../../core/tune/runs.js';
import { goalOf } from '../../core/tune/tune.js';
import type { ShownMetric } from '../../evaluation/runs/metrics.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { ENOUGH } from '../../evaluation/statistics/compare-scores.js';
import { type Confirmed, confirmed } from '../../evaluation/tune/confirm.js';
import { contentOf, drawnOrder, halfOf } from '../../evaluation/tune/halves.js';
import {
  figuresOn,
  type PipelineAnswers,
  pipelineAnswers,
  scoresIn,
  tunedMetric,
  wholesIn,
} from '../../evaluation/tune/pipeline-answers.js';
import { CHANGING, confirmable, questionsFor } from '../../evaluation/tune/power.js';
import {
  type Figures,
  type SearchSeen,
  type SearchState,
  searchState,
} from '../../evaluation/tune/search.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import { promptsOf } from '../../steps/define.js';
import { stepNamed } from '../../steps/table.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { readingOf, snapshotOf } from '../run/dataset-of.js';
import type { Ports } from '../runtime/ports.js';

export type TunePorts = Pick<
  Ports,
  'confirmations' | 'datasets' | 'methods' | 'prompts' | 'runs' | 'steps'
> &
  Partial<Pick<Ports, 'ownDatasets'>>;

/** A question, as far as its half depends on it. */
type Asked = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * A tune with the run that it starts from: the pipeline that its candidates change and are compared
 * with.
 */
export interface OpenedTune extends TuneOf {
  start: RunSpec;
  /** Manifest of the kept run, or of the start's run on half A; undefined until that has begun. */
  manifest: RunManifest | undefined;
}

/**
 * Finds the start of a tune.
 *
 * @throws Failure UnknownRun for a kept run that is not there; BadInput for one that was made elsewhere,
 *   and for an input that is wrong.
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
    return { plan, start: manifest.input, manifest };
  }
  const { input } = plan.start;
  const { run } = startRun({ plan, start: input }, 'A');
  const manifest = await runs.manifest(run);
  return { plan, start: parseRunInput({ ...input, run }, methods), manifest };
}

/**
 * Returns the prompts that were written for a tune before, as the manifests of its runs have them;
 * undefined if there are none for its start and what it asks for.
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

/** Returns the questions of a half in the order in which they are asked, whether used before or not. */
export async function halfOfTune(
  { plan, start, manifest }: OpenedTune,
  half: 'A' | 'B',
  ports: TunePorts,
): Promise<Asked[]> {
  const { confirm, definition } = plan;
  const isKept = 'kept' in plan.start && (half === 'A' || !confirm);
  const asked = isKept ? fromRun(plan.start as { kept: string }) : fromDataset();
  const found: Asked[] = [];
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
 * Returns what is tried.
 *
 * @param asked The steps that the start has asked; those of its method if nobody knows.
 * @throws Failure BadInput for names that the start does not have.
 */
export async function triedBy(
  { plan, start }: TuneOf & { start: RunSpec },
  asked: ReadonlySet<string> | undefined,
  ports: Pick<TunePorts, 'methods' | 'prompts' | 'steps'>,
): Promise<Candidate[]> {
  const { steps = [] } = methodNamed(start.method, ports.methods);
  const from: Start = { ...start, steps: stepsOf({ start }, asked, ports) };
  const { prompts: sets } = plan.definition.try;
  const named = Array.isArray(sets) ? sets : [];
  const hashes = new Map<string, Record<string, string>>();
  const usual = steps.map((step) => promptsFor(step, start.prompts));
  for (const set of new Set([...named, ...usual])) hashes.set(set, await ports.prompts.hashes(set));
  const known: Known = {
    hasPrompt(set, step) {
      const before = hashes.get(promptsFor(step, start.prompts));
      const declared = stepNamed(step, ports.steps);
      const files = declared ? promptsOf(declared).map((name) => `${name}.txt`) : [];
      return files.some((file) => hashes.get(set)?.[file] !== before?.[file]);
    },
  };
  const proposed = (plan.proposed ?? []).flatMap(({ written }) => written);
  return candidatesOf(plan.definition.try, from, known, proposed);
}

/** Returns the steps of a start, in the order of its method: those that it has asked, if that is known. */
export function stepsOf(
  { start }: Pick<OpenedTune, 'start'>,
  asked: ReadonlySet<string> | undefined,
  { methods }: Pick<TunePorts, 'methods'>,
): readonly string[] {
  const { steps = [] } = methodNamed(start.method, methods);
  return asked ? steps.filter((step) => asked.has(step)) : steps;
}

/** How far half B has confirmed the finalists. */
export interface Confirmation {
  /** Names what is claimed: the tune, its start, its goal and its finalists. */
  claim: string;
  /** Questions of half B that have confirmed nothing else. */
  questions: readonly Asked[];
  /** Number of questions of half B that have confirmed another claim. */
  used: number;
  /** What is asked next; nothing once all is answered. */
  ask: { run: string; input: object }[];
  /** Result of each finalist, in their order; empty until all is answered. */
  shown: readonly Confirmed[];
  start: Figures | undefined;
  /** Figures on half B, by the finalist's id. */
  figures: ReadonlyMap<string, Figures>;
}

/** The state of a tune. */
export interface TuneState extends OpenedTune {
  /** Undefined until the start has answered half A. */
  searched?: Searched;
  /** Undefined until the search has ended with finalists. */
  confirmation?: Confirmation | undefined;
}

/** What half A has shown. */
export interface Searched {
  questions: readonly string[];
  metric: ShownMetric;
  candidates: readonly Candidate[];
  search: SearchState;
  start: Figures;
  /** Returns the figures of the start on the first so many questions. */
  startOn(questions: number): Figures;
  /** The steps that the start has asked, in the order of its method. */
  steps: readonly string[];
  /** Figures on the questions that each candidate was asked, by its id. */
  figures: ReadonlyMap<string, Figures & { questions: number }>;
}

/** What a workflow knows of a tune beside what is kept. */
export interface UnderWay {
  failed?: readonly string[];
  asked?: Readonly<Record<string, number>>;
  stopped?: boolean;
}

/**
 * Reads the state of a tune.
 *
 * @throws Failure BadInput for a metric that no question has a score in.
 */
export async function tuneState(
  plan: TunePlan,
  ports: TunePorts,
  under: UnderWay = {},
): Promise<TuneState> {
  const opened = await openedTune(plan, ports);
  const begin = startRun(opened, 'A');
  const isToAsk = begin.input !== undefined && under.asked?.[begin.run] === undefined;
  if (!opened.manifest || (isToAsk && under.asked)) return opened;
  const start = await startOnHalfA(opened, ports);
  const searched = await searchedOn(opened, start, ports, under);
  const { next, finalists } = searched.search;
  if (next !== null || finalists.length === 0) return { ...opened, searched };
  const known = { searched, start: start.answers };
  return { ...opened, searched, confirmation: await confirmationOf(opened, known, ports, under) };
}

/** What the start has answered of half A. */
interface StartOnA {
  answers: PipelineAnswers;
  metric: ShownMetric;
  /** Ids of the questions of half A, in the order in which they are asked. */
  ids: readonly string[];
}

async function startOnHalfA(opened: OpenedTune, ports: TunePorts): Promise<StartOnA> {
  const { cluster, metric: name } = opened.plan.definition;
  const { run } = startRun(opened, 'A');
  const answers = await pipelineAnswers(await openRun(ports.runs, run), cluster);
  const metric = tunedMetric(answers, name);
  if (!metric) {
    const named = name ? `"${name}"` : 'any metric';
    throw badInput('metric', `the start has no score in ${named} on its questions`);
  }
  const ids = (await halfOfTune(opened, 'A', ports)).map(({ id }) => id);
  if (ids.length === 0) throw new Failure('BadInput', 'No question of the start is in half A.');
  return { answers, metric, ids };
}

/** Returns where the search stands, by what the candidates and the joint ones have answered. */
async function searchedOn(
  opened: OpenedTune,
  start: StartOnA,
  ports: TunePorts,
  under: UnderWay,
): Promise<Searched> {
  const { ids, metric } = start;
  const candidates = await triedBy(opened, start.answers.steps, ports);
  const goal = goalOf(opened.plan.definition);
  const given = { goal, questions: ids.length, candidates, stopped: under.stopped };
  const single = await answersOnA(opened, candidates, ports);
  const { joined } = searchState(given, seenOf(single, start, under));
  const all = [...single, ...(await answersOnA(opened, joined, ports))];
  const seen = seenOf(all, start, under);
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
    steps: stepsOf(opened, start.answers.steps, ports),
    figures: new Map(figures),
  };
}

/** What a candidate has answered of half A. */
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
  const { cluster } = opened.plan.definition;
  const read: CandidateOnA[] = [];
  for (const one of candidates) {
    const { run } = candidateRun(opened, one, 'A');
    const isBegun = (await runs.manifest(run)) !== undefined;
    const answers = isBegun ? await pipelineAnswers(await openRun(runs, run), cluster) : undefined;
    read.push({ id: one.id, run, answers });
  }
  return read;
}

/** Returns what a search sees of the answers to half A. */
function seenOf(
  candidates: readonly CandidateOnA[],
  { answers: start, metric, ids }: StartOnA,
  { asked, failed }: UnderWay,
): SearchSeen {
  const find = (id: string) => candidates.find((one) => one.id === id);
  const figures = (answers: PipelineAnswers, questions: number) =>
    figuresOn(answers, ids.slice(0, questions), metric, start);
  return {
    start: (questions) => figures(start, questions),
    candidate(id, questions) {
      const { run = '', answers } = find(id) ?? {};
      if (!answers) return undefined;
      const isTold = (asked?.[run] ?? 0) >= questions;
      const hasAnswered = () => ids.slice(0, questions).every((one) => answers.usd.has(one));
      return isTold || hasAnswered() ? figures(answers, questions) : undefined;
    },
    hasFailed: (id) => failed?.includes(find(id)?.run ?? '') === true,
  };
}

async function confirmationOf(
  opened: OpenedTune,
  { searched: { search, metric }, start }: { searched: Searched; start: PipelineAnswers },
  ports: TunePorts,
  under: UnderWay,
): Promise<Confirmation> {
  const { definition } = opened.plan;
  const { finalists } = search;
  const claim = claimOf(opened, finalists, metric);
  const { questions, used } = await unused(
    await halfOfTune(opened, 'B', ports),
    (before) => before === claim,
    ports,
  );
  const ids = questions.map(({ id }) => id);
  const isAsked = async (run: string) => {
    if (under.asked?.[run] !== undefined) return true;
    if (!(await ports.runs.manifest(run))) return false;
    for (const id of ids) if (!(await ports.runs.get(run, id))) return false;
    return true;
  };
  const begin = startRun(opened, 'B', claim);
  const none = { claim, questions, used, shown: [], start: undefined, figures: new Map() };
  if (begin.input && !(await isAsked(begin.run))) {
    return { ...none, ask: [{ run: begin.run, input: begin.input }] };
  }
  const ask: Confirmation['ask'] = [];
  const there = new Set([begin.run]);
  const all = finalists.flatMap((one) => [...prefixesOf(one), one]);
  const failed = (run: string) => under.failed?.includes(run) === true;
  for (const one of all) {
    const { run, input, parent } = candidateRun(opened, one, 'B', claim);
    if (failed(run) || there.has(run) || ask.some((other) => other.run === run)) continue;
    if (await isAsked(run)) there.add(run);
    else if (there.has(parent) || one.changes.length < 2) ask.push({ run, input });
  }
  if (ask.length > 0) return { ...none, ask };
  const { cluster } = definition;
  const read = async (run: string) => pipelineAnswers(await openRun(ports.runs, run), cluster);
  const against = begin.input ? await read(begin.run) : start;
  const only = new Set(ids);
  const scoresOf = (answers: PipelineAnswers) =>
    new Map([...scoresIn(answers, metric)].filter(([id]) => only.has(id)));
  const answers = new Map<string, PipelineAnswers>();
  for (const one of finalists) {
    const { run } = candidateRun(opened, one, 'B', claim);
    if (there.has(run)) answers.set(one.id, await read(run));
  }
  const clusters = against.figures.clusters?.of;
  const tested = [...answers].map(([id, one]) => ({ id, scores: scoresOf(one) }));
  return {
    ...none,
    ask: [],
    shown: confirmed(tested, scoresOf(against), goalOf(definition), {
      ...(cluster !== undefined && clusters && { clusters }),
      wholes: wholesIn(against, metric),
    }),
    start: figuresOn(against, ids, metric),
    figures: new Map(
      [...answers].map(([id, one]) => [id, figuresOn(one, ids, metric, against)] as const),
    ),
  };
}

/** Names a claim: the same finalists of the same start, by the same rule, under the same name. */
function claimOf(
  { plan, start }: OpenedTune,
  finalists: readonly Candidate[],
  { metric }: ShownMetric,
): string {
  const { name, goal, margin } = plan.definition;
  const { run: from } = startRun({ plan, start }, 'A');
  const ids = finalists.map(({ id }) => id).sort();
  const claimed = { from, goal, margin, metric, ids, confirm: plan.confirm };
  return `${name}:${sha256Of(canonicalJson(claimed), 16)}`;
}

/** Parts questions into those that may confirm a claim, and those that have confirmed another one. */
async function unused(
  questions: readonly Asked[],
  isOwn: (claim: string) => boolean,
  { confirmations }: Pick<TunePorts, 'confirmations'>,
): Promise<{ questions: Asked[]; used: number }> {
  const free: Asked[] = [];
  for (const question of questions) {
    const before = await confirmations.claimOf(contentOf(question));
    if (before === undefined || isOwn(before)) free.push(question);
  }
  return { questions: free, used: questions.length - free.length };
}

/**
 * Returns the questions of half B that may still confirm something.
 *
 * @throws Failure BadInput if a data set that confirms has questions of half A.
 */
export async function confirmingQuestions(
  opened: OpenedTune,
  ports: TunePorts,
): Promise<{ questions: Asked[]; used: number }> {
  const asked = await halfOfTune(opened, 'B', ports);
  if (opened.plan.confirm) {
    const searched = new Set((await halfOfTune(opened, 'A', ports)).map(contentOf));
    const shared = asked.filter((one) => searched.has(contentOf(one)));
    if (shared.length > 0) {
      const what = `has ${shared.length} of the questions that are searched on, such as "${shared[0]?.question}"`;
      throw badInput('confirm', `${what}; take a data set that shares none with them`);
    }
  }
  // Whether what it claims is the same is known once it has finalists.
  const own = `${opened.plan.definition.name}:`;
  return unused(asked, (before) => before.startsWith(own), ports);
}

/**
 * Checks that so many questions of half B can decide the goal.
 *
 * @param used Questions beside, that have confirmed something else.
 * @throws Failure BadInput with the number of questions that would do.
 */
export function checkDecidable(
  { definition, confirm }: TunePlan,
  questions: number,
  used: number,
): void {
  const { goal, margin } = goalOf(definition);
  const changing = CHANGING[goal];
  const needed = goal === 'better' ? ENOUGH : questionsFor(margin, changing);
  if (questions >= needed && questions > 0) return;
  const half = confirm ? 'the data set that confirms' : 'half B';
  const there = `${half} has ${plural(questions, 'question')}${questions === 0 ? ' left' : ''}`;
  const gone = used === 0 ? '' : `, beside ${used} that have confirmed another claim`;
  const all = confirm ? `${needed} of them` : `${2 * needed} questions in all`;
  const best = 100 * confirmable(Math.max(questions, 1), changing);
  const what =
    goal === 'better'
      ? `from fewer than ${needed} nothing can be concluded; about ${all} would do`
      : `about ${all} show a loss of less than ${definition.margin} points, if a tenth of the answers change${best < 100 && questions > 0 ? `; so many show one of ${best.toFixed(1)}` : ''}`;
  throw badInput(
    goal === 'better' ? 'start' : 'margin',
    `cannot be decided: ${there}${gone}; ${what}`,
  );
}
