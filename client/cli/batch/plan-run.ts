/** What the steps of a run would take at most, from its plan and the questions of its data set. */
import { refuseIdleSearch, subsetOf } from '../../../activities/batch/choose-questions.js';
import { citingForm, judgedOf } from '../../../activities/batch/judged.js';
import { longestOutput, tokensOfCall } from '../../../activities/runtime/plan-tokens.js';
import type { FillPorts } from '../../../activities/runtime/render-prompt.js';
import { planJudging } from '../../../evaluation/citations/plan-judging.js';
import { readDataset } from '../../../evaluation/dataset/read-dataset.js';
import type { DatasetRecord } from '../../../evaluation/dataset/record.js';
import { goldAnswers } from '../../../evaluation/gold-answers.js';
import { type OwnMetrics, ownMetrics } from '../../../evaluation/own/registry.js';
import type { Batch } from '../../../methods/batch/input.js';
import { embeddingPages } from '../../../methods/embedding-pages.js';
import { englishLength, type StepTokens } from '../../../methods/estimate.js';
import {
  filledUp,
  givenOf,
  longestOf,
  type PassageLength,
  type QuestionGroup,
  QuestionGroups,
} from '../../../methods/given.js';
import { needsCorpus } from '../../../methods/options/idle-retrieval.js';
import { MOST_SHOWN } from '../../../methods/own-metric.js';
import type { Given, PlannedCall } from '../../../methods/planned-call.js';
import { type MethodRegistry, methodNamed } from '../../../methods/registry.js';
import type { Passage } from '../../../methods/vocabulary.js';
import type { Corpora } from '../../../retrieval/retriever.js';
import type { OwnModelSteps } from '../../../steps/own-steps.js';
import { takenApart } from '../../../steps/reading/text.js';

/** Questions that are searched with, to see how long the passages of the corpus are. */
const SEARCHES = 20;

export interface PlanParts extends FillPorts {
  corpora: Corpora;
  /** How many passages a corpus has, where that is known. */
  sizeOf?(corpus: string): Promise<number | undefined>;
  defaultModel: string;
  signal: AbortSignal;
  /** The methods there are; ours when left out. */
  methods?: MethodRegistry | undefined;
  /** Metrics of somebody's own. */
  metrics?: OwnMetrics;
  /** Steps of somebody's own, those of rubrics among them. */
  steps?: OwnModelSteps;
}

/** What a run would take. */
export interface RunPlan {
  steps: StepTokens[];
  judging: StepTokens[];
  /** Questions whose own passages are read. */
  bringing: number;
  /** Questions that search the corpus. */
  searching: number;
  /** Searches made to see how long its passages are. */
  searched: number;
}

/**
 * The plan of a run: every question of the data set is looked at, up to 20 that bring no passages
 * are searched with.
 *
 * @throws Failure UnknownCorpus where a question would search a corpus that is not there; BadInput
 *   where one is named that no question searches, or a mode for none.
 */
export async function planRun(batch: Batch, parts: PlanParts): Promise<RunPlan> {
  const { metrics = ownMetrics() } = parts;
  const searches = needsCorpus(methodNamed(batch.method, parts.methods), batch);
  const groups = new QuestionGroups();
  const sample: string[] = [];
  let questions = 0;
  const chosen = { ...subsetOf(batch), signal: parts.signal };
  for await (const record of readDataset(batch.dataset, chosen)) {
    questions++;
    const own = batch.ownPassages ? (record.passages ?? []) : [];
    const judged = judgedOf(batch, record, metrics);
    groups.add(record.question, own.map(lengthOf), {
      claims: judged.claims ? record.claims : [],
      rubrics: judged.rubrics.map(({ name }) => name),
      gold: goldAnswers(record),
    });
    if (searches && own.length === 0 && sample.length < SEARCHES) sample.push(record.question);
  }
  // Random noise comes from questions outside of the subset as well, which may search.
  const isSubset = batch.limit !== undefined || batch.sample !== undefined;
  const mayDraw = isSubset && batch.noise?.kind === 'random' && batch.noise.ratio > 0;
  if (searches && groups.searching === 0 && !mayDraw) refuseIdleSearch(batch);
  const { depth: shown, widens } = searchingOf(batch, parts.methods);
  const depth = Math.max(shown, batch.noise?.depth ?? 0);
  const found = sample.length === 0 ? [] : await searchAll(sample, depth, batch, parts);
  const steps = new Map<string, StepTokens>();
  const judging = new Map<string, StepTokens>();
  const reach = found.length > 0 && widens ? await reachOf(depth, batch, parts) : 0;
  const longest = filledUp(longestOf(found), reach);
  for (const group of groups.all(longest, drawnOf(batch))) {
    const given = givenOf(group, (step, input) => longestOutput(step, input, parts.steps));
    const plan = planOf(batch, given, parts.methods);
    const asked = plan.flatMap((call) =>
      call.step === 'retrieve' ? planSearch(call, batch, given) : call,
    );
    await addAll(asked, group, batch, steps, parts);
    const read = readAtMost(plan, shown, given);
    await addAll(planJudge(batch, group, plan, { ...given, read }), group, batch, judging, parts);
  }
  return {
    steps: [...steps.values()],
    judging: [...judging.values()],
    bringing: searches ? questions - groups.searching : 0,
    searching: searches ? groups.searching : 0,
    searched: found.length,
  };
}

/** The most passages that a search so deep can find in a corpus. */
async function reachOf(depth: number, { corpus }: Batch, { sizeOf }: PlanParts): Promise<number> {
  return Math.min(depth, (await sizeOf?.(corpus)) ?? depth);
}

/** Passages that a question is asked with though they were found for others. */
function drawnOf({ noise }: Batch): number {
  return noise?.kind === 'random' ? Math.round(noise.ratio * noise.count) : 0;
}

/** The steps of a question by the method's plan; none where it has no plan. */
function planOf(
  { method, options }: Pick<Batch, 'method' | 'options'>,
  given: Given,
  methods?: MethodRegistry,
): PlannedCall[] {
  return methodNamed(method, methods).plan?.(options, given) ?? [];
}

/** What a search is paid for: its query, and the passages of the question's own, by their vectors. */
function planSearch(call: PlannedCall, { mode, noise }: Batch, given: Given): PlannedCall[] {
  if (mode === undefined || mode === 'bm25' || noise !== undefined) return [];
  if (given.available === Infinity) return [call];
  const own = given.passages(given.available);
  const { query: text } = call.input as { query: string };
  return embeddingPages(own).map((passages) => ({
    step: 'rankBySimilarity',
    input: { text, passages },
  }));
}

function planJudge(
  batch: Batch,
  { claims, claimed, rubrics, gold }: QuestionGroup,
  plan: readonly PlannedCall[],
  given: Given & { read: readonly Passage[] },
): PlannedCall[] {
  const claim = 'x'.repeat(Math.ceil(claimed / Math.max(1, claims)));
  const toJudge = {
    form: batch.judge === undefined ? undefined : citingForm(batch),
    claims: Array.from({ length: claims }, () => claim),
    rubrics,
    gold: 'x'.repeat(Math.ceil(gold)),
    read: given.read,
  };
  return planJudging(toJudge, plan, given);
}

/** What a method has read, as far as a rubric shows it: found by all searches, and generated. */
function readAtMost(plan: readonly PlannedCall[], depth: number, given: Given): Passage[] {
  const searches = plan.filter(({ step }) => step === 'retrieve').length;
  const documents = plan.filter(({ step }) => step === 'generateDocument');
  return [
    ...given.passages(Math.min(MOST_SHOWN, searches * depth)),
    ...documents.map(({ input }) => ({
      ...{ id: '', title: '' },
      text: given.output('generateDocument', input),
    })),
  ].slice(0, MOST_SHOWN);
}

/** Adds to each step what its calls take for all questions of a group. */
async function addAll(
  plan: readonly PlannedCall[],
  { questions }: QuestionGroup,
  batch: Batch,
  steps: Map<string, StepTokens>,
  parts: PlanParts,
): Promise<void> {
  for (const call of plan) {
    const { step } = call;
    const tokens = await tokensOfCall(call, batch.prompts, parts);
    const so = steps.get(step) ?? {
      step,
      model: modelOf(step, batch, parts),
      ...{ calls: 0, prompt: 0, completion: 0, embedded: 0 },
    };
    steps.set(step, {
      ...so,
      calls: so.calls + questions,
      // One more, since the mean of rounded tokens may be above the rounded mean.
      prompt: so.prompt + questions * (tokens.prompt === 0 ? 0 : tokens.prompt + 1),
      completion: so.completion + questions * tokens.completion,
      embedded: so.embedded + questions * (tokens.embedded === 0 ? 0 : tokens.embedded + 1),
    });
  }
}

function modelOf(
  step: string,
  { models, judge }: Batch,
  { defaultModel, metrics }: PlanParts,
): string {
  const isJudged = step === 'judgeClaim' || metrics?.has(step);
  if (isJudged && judge !== undefined) return judge;
  return models[step] ?? models.default ?? defaultModel;
}

/** How long the passages are that questions find, as many as the method reads at most. */
async function searchAll(
  questions: readonly string[],
  depth: number,
  batch: Batch,
  { corpora }: PlanParts,
): Promise<PassageLength[][]> {
  const corpus = await corpora.open(batch.corpus);
  if (depth === 0) return [];
  return Promise.all(
    questions.map(async (question) => {
      const found = await corpus.search(question, depth);
      return (await corpus.get(found.map(({ id }) => id))).map(lengthOf);
    }),
  );
}

/**
 * The most passages that a step of the method is shown, and whether searches may find more than the
 * questions do by their words: with a query that the model writes, or by vectors.
 */
function searchingOf(
  batch: Batch,
  methods: MethodRegistry | undefined,
): { depth: number; widens: boolean } {
  let depth = 0;
  const given: Given = {
    question: 'question',
    available: Infinity,
    output: () => 'written',
    passages(count) {
      depth = Math.max(depth, count);
      return Array.from({ length: count }, () => ({ id: '', title: '', text: '' }));
    },
  };
  const queries = planOf(batch, given, methods)
    .filter(({ step }) => step === 'retrieve')
    .map(({ input }) => (input as { query: string }).query);
  const writes = queries.some((query) => query !== given.question);
  return { depth, widens: writes || (batch.mode ?? 'bm25') !== 'bm25' };
}

/** As prompts show it. */
function lengthOf({ title, text }: NonNullable<DatasetRecord['passages']>[number]): PassageLength {
  return {
    title: englishLength(takenApart(title, 'passage')),
    text: englishLength(takenApart(text, 'passage')),
  };
}
