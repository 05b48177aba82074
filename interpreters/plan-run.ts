/**
 * The most that the steps of a run would take: each question is planned by the method's algorithm.
 */
import { subsetOf } from '../activities/run/choose-questions.js';
import { toJudge } from '../activities/run/judge-task.js';
import type { FillPorts } from '../activities/runtime/render-prompt.js';
import type { DatasetRecord } from '../core/dataset-record.js';
import { type StepTokens, tokensOf } from '../core/estimate.js';
import { idleSearch, namedCorpus, searchesNothing } from '../core/options/idle-retrieval.js';
import { methodNamed } from '../core/registry.js';
import type { RunSpec } from '../core/run/input.js';
import { modelFor, outputFor } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { judgeWhole } from '../evaluation/citations/judge-answer.js';
import { hashOrderSample } from '../evaluation/dataset/hash-order-sample.js';
import type { ReadSubset } from '../evaluation/dataset/subset.js';
import { type Metrics, metricRegistry } from '../evaluation/metrics/registry.js';
import { passageText } from '../retrieval/passage-text.js';
import type { Corpora } from '../retrieval/retriever.js';
import type { ModelSteps } from '../steps/define.js';
import type { RetrieveInput } from '../steps/other/retrieve.js';
import { type Call, stepsOf } from '../workflows/algorithm.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';
import { embeddingPages } from '../workflows/embedding-pages.js';
import { CallCounter } from './call-tokens.js';
import { MOST_PASSAGES, type Plan, plan, planning, type World } from './planning.js';

/** The most questions that are planned; of more a sample is drawn. */
const PLANNED = 1000;

/** Questions whose searches show how long the passages of the corpus are. */
const SEARCHES = 20;

/** The most passages of other questions in a question. */
const MOST_ADDED = 100;

export interface PlanParts extends FillPorts, Pick<World, 'clusters'> {
  /** Reads the data set. */
  read: ReadSubset;
  corpora: Corpora;
  /** How many passages a corpus has, where that is known. */
  sizeOf?(corpus: string): Promise<number | undefined>;
  defaultModel: string;
  methods: OwnMethods;
  /** Metrics of your own. */
  metrics?: Metrics;
  /** Steps of your own, with those of rubrics. */
  steps?: ModelSteps;
}

/** What a run would take. */
export interface RunPlan {
  steps: StepTokens[];
  judging: StepTokens[];
  /** Questions of the run. */
  questions: number;
  /** The planned ones: all, or a sample for all. */
  planned: number;
  /** Questions whose own passages are read. */
  bringing: number;
  /** Questions that search the corpus. */
  searching: number;
  /** Searches made to see how long its passages are. */
  searched: number;
  /** Search settings without effect. */
  idle?: string | undefined;
}

/**
 * Plans a run: every question of the data set, or a sample of more than 1,000. Searches with up to
 * 20 questions that bring no passages, to see how long the passages of the corpus are. It pays for
 * nothing.
 *
 * @throws Failure UnknownCorpus where a question would search a corpus that is not there; BadInput
 *   where it would and none is named.
 */
export async function planRun(spec: RunSpec, parts: PlanParts): Promise<RunPlan> {
  const method = methodNamed(spec.method, parts.methods);
  const read = await readQuestions(spec, !searchesNothing(method, spec.options), parts);
  const { questions, planned, others } = read;
  const { depth, widens } = await searchingOf(method, spec, parts);
  const found =
    read.sample.length === 0 ? [] : await searchAll(read.sample, depth, read.corpus, parts);
  const longest = await longestFound(found, { depth, widens }, read.corpus, parts);
  const parametersOf = (step: string) => askedOf(step, spec, parts).parameters;
  const asking = new RunTokens(spec, parts);
  const judging = new RunTokens(spec, parts);
  for (const record of planned) {
    const own = ownPassages(spec, record);
    const passages = longestFirst([...(own.length > 0 ? own : longest), ...others]);
    const available = own.length > 0 ? own.length + others.length : Infinity;
    const world = { ...parts, passages, available, parametersOf };
    const asked = { question: record.question, options: spec.options };
    const one = await plan(method, asked, world);
    if (!one) break;
    await asking.add(
      one.calls.flatMap((call) => searchesOf(call, spec, world)),
      one.passage,
    );
    const judged = await planJudge(spec, record, one, world, parts);
    await judging.add(judged.calls, judged.passage);
  }
  const share = planned.length === 0 ? 1 : questions / planned.length;
  return {
    steps: asking.scaled(share),
    judging: judging.scaled(share),
    questions,
    planned: planned.length,
    bringing: read.searches ? questions - read.searching : 0,
    searching: read.searches ? read.searching : 0,
    searched: found.length,
    idle: read.isIdle ? idleSearch(spec) : undefined,
  };
}

interface ReadQuestions {
  questions: number;
  planned: DatasetRecord[];
  /** Questions to search with. */
  sample: string[];
  searching: number;
  /** The corpus that they have to search. */
  corpus: string;
  /** Whether the method searches. */
  searches: boolean;
  /** Whether no question may search a corpus. */
  isIdle: boolean;
  /** The longest passages of other questions that a question may get (noise). */
  others: Passage[];
}

async function readQuestions(
  spec: RunSpec,
  searches: boolean,
  { read: readSubset }: PlanParts,
): Promise<ReadQuestions> {
  const drawn = await drawnIds(spec, readSubset);
  const read = { questions: 0, searching: 0, corpus: '', searches };
  const planned: DatasetRecord[] = [];
  const sample: string[] = [];
  let others: Passage[] = [];
  for await (const record of readSubset(subsetOf(spec))) {
    const own = ownPassages(spec, record);
    read.questions++;
    if (own.length === 0) read.searching++;
    if (drawn === undefined || drawn.has(record.id)) planned.push(record);
    if (searches && own.length === 0) {
      read.corpus = namedCorpus(spec.corpus, record);
      if (sample.length < SEARCHES) sample.push(record.question);
    }
    others = longestFirst([...others, ...own]).slice(0, Math.min(drawnOf(spec), MOST_ADDED));
  }
  // Random noise comes from questions outside of the subset as well, which may search.
  const isSubset = spec.limit !== undefined || spec.sample !== undefined;
  const mayDraw = isSubset && drawnOf(spec) > 0;
  const isIdle = !searches || (read.searching === 0 && !mayDraw);
  return { ...read, isIdle, planned, sample, others };
}

/** Returns the questions that are planned; undefined where all are. */
async function drawnIds(spec: RunSpec, read: ReadSubset): Promise<ReadonlySet<string> | undefined> {
  const ids: string[] = [];
  for await (const { id } of read(subsetOf(spec))) ids.push(id);
  return ids.length <= PLANNED ? undefined : hashOrderSample(ids, PLANNED, spec.sampleSeed);
}

function ownPassages({ ownPassages: used }: RunSpec, { id, passages = [] }: DatasetRecord) {
  return used ? passages.map((passage, i) => ({ ...passage, id: `${id}-${i}` })) : [];
}

/** Passages of other questions that a question may get (noise). */
function drawnOf({ noise }: RunSpec): number {
  return noise?.kind === 'random' ? Math.round(noise.ratio * noise.count) : 0;
}

/** Returns the paid calls of a search: vectors of the query and own passages. */
function searchesOf(call: Call, { mode, noise }: RunSpec, { passages, available }: World): Call[] {
  if (call.step !== 'retrieve') return [call];
  if (mode === undefined || mode === 'bm25' || noise !== undefined) return [];
  const { query } = call.input as RetrieveInput;
  if (available === Infinity) return [{ ...call, step: 'embedTexts', input: { texts: [query] } }];
  return embeddingPages(passages).map((page) => ({
    ...call,
    step: 'embedTexts',
    input: { texts: [query, ...page.map(passageText)] },
  }));
}

/** Returns what the judge is asked of the answer of a planned question. */
async function planJudge(
  spec: RunSpec,
  record: DatasetRecord,
  { conclusion, passage }: Plan,
  world: World,
  { metrics = metricRegistry(), methods }: PlanParts,
): Promise<{ calls: Call[]; passage: Plan['passage'] }> {
  const asked: Call[] = [];
  const judge = planning(world);
  const { step, ask } = stepsOf((call) => {
    asked.push(call);
    return judge.perform(call);
  });
  if (conclusion.answer === null || spec.judge === undefined) return { calls: asked, passage };
  const task = toJudge(spec, record, { method: spec.method, ...conclusion }, { metrics, methods });
  await judgeWhole(
    task,
    async (claim, premise) => (await step.judgeClaim({ claim, premise })) === true,
  );
  for (const { metric, title, input } of task.rubrics ?? []) {
    await ask({ name: metric, label: () => title }, input);
  }
  return { calls: asked, passage };
}

/** Adds up what the calls of the questions take, by step. */
class RunTokens {
  readonly #steps = new Map<string, StepTokens>();
  readonly #counter: CallCounter;

  constructor(
    private readonly spec: RunSpec,
    private readonly parts: PlanParts,
  ) {
    const parametersOf = (step: string) => askedOf(step, spec, parts).parameters;
    const formOf = (step: string) => outputFor(step, spec.outputs);
    this.#counter = new CallCounter({ ...parts, sets: spec.prompts, parametersOf, formOf });
  }

  async add(calls: readonly Call[], passage: Plan['passage']): Promise<void> {
    for (const call of calls) {
      const tokens = await this.#counter.tokensOf(call, passage);
      if (tokens === null) continue;
      const { step } = call;
      const { model } = askedOf(step, this.spec, this.parts);
      const so = this.#steps.get(step) ?? { step, model, ...NOTHING };
      this.#steps.set(step, {
        ...so,
        calls: so.calls + 1,
        prompt: so.prompt + tokens.prompt,
        completion: so.completion + tokens.completion,
        embedded: so.embedded + tokens.embedded,
      });
    }
  }

  /** Scales the counts to the number of questions. */
  scaled(share: number): StepTokens[] {
    const times = (count: number) => Math.ceil(count * share);
    return [...this.#steps.values()].map(({ calls, prompt, completion, embedded, ...step }) => ({
      ...step,
      calls: times(calls),
      prompt: times(prompt),
      completion: times(completion),
      embedded: times(embedded),
    }));
  }
}

const NOTHING = { calls: 0, prompt: 0, completion: 0, embedded: 0 };

/** Returns the model and parameters of a step; a judge has its own. */
function askedOf(
  step: string,
  { models, judge }: RunSpec,
  { defaultModel, metrics }: PlanParts,
): ReturnType<typeof modelFor> {
  const isJudged = step === 'judgeClaim' || metrics?.get(step)?.from === 'rubric';
  if (isJudged && judge !== undefined) return { model: judge };
  return modelFor(step, models, defaultModel);
}

/** Returns the passages that questions find, as many as the method reads at most. */
async function searchAll(
  questions: readonly string[],
  depth: number,
  name: string,
  { corpora }: PlanParts,
): Promise<Passage[][]> {
  const corpus = await corpora.open(name);
  if (depth === 0) return [];
  return Promise.all(
    questions.map(async (question) => {
      const found = await corpus.search(question, depth);
      return corpus.get(found.map(({ id }) => id));
    }),
  );
}

/**
 * Returns the longest passages of all searches, the second longest, ... If a search may find more
 * than the questions do by their words, the others count as the longest.
 */
async function longestFound(
  searches: readonly (readonly Passage[])[],
  { depth, widens }: Searching,
  corpus: string,
  { sizeOf }: PlanParts,
): Promise<Passage[]> {
  const sorted = searches.map(longestFirst);
  const most = Math.max(0, ...sorted.map(({ length }) => length));
  const found = Array.from(
    { length: most },
    (_, i) => longestFirst(sorted.flatMap((one) => one[i] ?? []))[0],
  );
  const passages = found.filter((passage) => passage !== undefined);
  const [longest] = passages;
  if (!widens || longest === undefined) return passages;
  const reach = Math.min(depth, (await sizeOf?.(corpus)) ?? depth);
  const more = Array.from({ length: Math.max(0, reach - passages.length) }, () => longest);
  return [...passages, ...more];
}

interface Searching {
  /** The most passages that one search asks for. */
  depth: number;
  /**
   * Whether searches may find other passages than the question's words do: by queries of the model,
   * or by vectors.
   */
  widens: boolean;
}

async function searchingOf(
  method: OwnMethod<unknown>,
  { options, mode = 'bm25', noise }: RunSpec,
  { steps, clusters }: PlanParts,
): Promise<Searching> {
  const passages = Array.from({ length: MOST_PASSAGES }, () => ({ id: '', title: '', text: '' }));
  const world = {
    passages,
    available: Infinity,
    steps,
    ...(clusters !== undefined && { clusters }),
  };
  const { calls = [] } = (await plan(method, { question: 'question', options }, world)) ?? {};
  const searches = calls.filter(({ step }) => step === 'retrieve');
  const inputs = searches.map(({ input }) => input as RetrieveInput);
  return {
    depth: Math.max(0, noise?.depth ?? 0, ...inputs.map(({ count }) => count)),
    widens: mode !== 'bm25' || inputs.some(({ query }) => query !== 'question'),
  };
}

/** Passages by how many tokens they take in a prompt. */
function longestFirst<P extends Omit<Passage, 'id'>>(passages: readonly P[]): P[] {
  const sized = passages.map((passage) => ({ passage, tokens: tokensOf(passageText(passage)) }));
  return sized.sort((a, b) => b.tokens - a.tokens).map(({ passage }) => passage);
}
