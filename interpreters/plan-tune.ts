/** Plans a tune: its cost and its chance of success, before anything is asked. */
import { readingOf, snapshotOf } from '../activities/run/dataset-of.js';
import { startRefusal } from '../activities/run/open-run.js';
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { startAnswers } from '../activities/tune/half-a.js';
import {
  checkDecidable,
  confirmingQuestions,
  independentQuestions,
} from '../activities/tune/half-b.js';
import {
  halfOfTune,
  type OpenedTune,
  openedTune,
  singleCandidates,
  stepsOfStart,
  type TuneQuestion,
} from '../activities/tune/opened-tune.js';
import { mostAddedTokens, proposerOf, roundUpperBound } from '../activities/tune/propose.js';
import { dollars } from '../core/dollars.js';
import { estimateRun, type PriceOf, type StepTokens } from '../core/estimate.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import { BadInput, badInput } from '../core/options/problems.js';
import { completedFork, type ForkInput } from '../core/run/fork-input.js';
import type { RunSpec } from '../core/run/input.js';
import { isFork } from '../core/run/is-fork.js';
import { promptsFor } from '../core/step-models.js';
import {
  type Candidate,
  type Change,
  candidateOf,
  stepsToPropose,
} from '../core/tune/candidates.js';
import { goalOf } from '../core/tune/tune.js';
import { runOfCandidate, runOfStart, type TunePlan } from '../core/tune/tune-runs.js';
import { checkGroups } from '../evaluation/comparisons/question-groups.js';
import {
  addEffort,
  confirmationMost,
  type Effort,
  type EffortBounds,
  NO_EFFORT,
  type PlannedChange,
  searchBounds,
  timesEffort,
} from '../evaluation/tune/bounds.js';
import { figuresOn, tunedMetric } from '../evaluation/tune/pipeline-answers.js';
import { CHANGED_SHARE, chanceToConfirm, confirmableGain } from '../evaluation/tune/power.js';
import type { MeanFigures } from '../evaluation/tune/search.js';
import { chanceToFind } from '../evaluation/tune/simulate.js';
import { isLocalProvider } from '../llm/openai/endpoint.js';
import { highestPrices } from '../llm/prices.js';
import { parseRunInput } from './methods.js';
import { planRun, type RunPlan } from './plan-run.js';

/** Maximum number of questions by which a candidate is planned. */
const PLANNED = 100;

/** A planned candidate: calls and cost of one question, by step and in total. */
interface PlannedCandidate extends PlannedChange {
  steps: ({ step: string } & EffortBounds)[];
  /** Number of prompts that are written for the step, each tried once; 1 for any other change. */
  times: number;
}

/**
 * The plan of a tune, made before anything is asked: its questions and candidates, the model calls
 * and US dollars of each stage, and how small a gain it can show.
 */
export interface PlannedTune {
  /** Questions of half A, of half B, and of half B that have already confirmed another result. */
  questions: { A: number; B: number; used: number };
  candidates: readonly PlannedCandidate[];
  /** Calls and cost of writing prompts; at least 0, if the start answers every question rightly. */
  proposals: EffortBounds;
  /** Calls and cost of asking the start on each half; 0 for a stored run. */
  start: { A: Effort; B: Effort };
  /** Calls and cost of the search on half A. */
  search: EffortBounds;
  /** Calls and cost that are reserved for the confirmation on half B. */
  confirmation: Effort;
  /** Mean cost and score of the start on half A; undefined until it has answered. */
  startFigures: MeanFigures | undefined;
  /** Number of the start's questions that failed, among those already asked. */
  startFailed: number;
  /**
   * The smallest gain, or margin, that half B confirms with a chance of 80 %, as a difference of
   * scores from 0 to 1.
   */
  confirmable: number;
  /** Share of the answers that is expected to change, from 0 to 1. */
  changing: number;
  /**
   * Chance, from 0 to 1, to find a candidate with a gain of that size, or to confirm that one loses
   * nothing.
   */
  chance: number;
}

/**
 * Returns the plan of a tune before anything is asked (`PlannedTune`): the numbers of its
 * questions, its candidates, the model calls and US dollars of each stage, and how small a gain it
 * can show. A tune searches on half A of the questions and confirms on half B. The calls of a
 * candidate are planned for up to 100 questions. Asks no model and stores nothing.
 *
 * @param plan The checked tune with its start.
 * @throws Failure BadInput for names that the start does not have, a field by which its questions
 * cannot be clustered, no question in half A, a goal that so few questions cannot decide, a budget
 * that the confirmation alone may use up, and a budget with a model without a price; UnknownRun.
 */
export async function planTune(plan: TunePlan, ports: OfflinePorts): Promise<PlannedTune> {
  const { definition } = plan;
  const opened = await openedTune(plan, ports);
  const searching = await halfOfTune(opened, 'A', ports);
  const confirming = await confirmingQuestions(opened, ports);
  const [A, B] = [searching.length, confirming.questions.length];
  if (A === 0) throw badInput('start', 'no question of it is in half A');
  checkCluster(definition.cluster, [...searching, ...confirming.questions]);
  checkDecidable(plan, confirming.questions, confirming.used);
  const kept = await startFiguresOf(opened, ports);
  const candidates: PlannedCandidate[] = [];
  for (const candidate of await singleCandidates(opened, kept?.steps, ports)) {
    candidates.push({ ...(await plannedCandidate(candidate, opened, ports)), times: 1 });
  }
  const proposing = await plannedProposals(opened, kept?.steps, ports);
  candidates.push(...proposing.candidates);
  const each = candidates.flatMap((one) => Array<PlannedCandidate>(one.times).fill(one));
  const start = {
    A: timesEffort(await startEffort(opened, 'A', ports), A),
    B: timesEffort(await startEffort(opened, 'B', ports), B),
  };
  const { goal, margin } = goalOf(definition);
  const changing = CHANGED_SHARE[goal];
  const draws = independentQuestions(confirming.questions, plan);
  const shown = confirmableGain(draws, goal);
  const among = { candidates: each.length, questions: Math.min(A, draws), changing };
  const confirmation = addEffort(start.B, confirmationMost(each, B));
  checkBudget(plan, confirmation);
  return {
    questions: { A, B, used: confirming.used },
    candidates,
    start,
    proposals: proposing.bounds,
    search: searchBounds(each, A),
    confirmation,
    startFigures: kept?.figures,
    startFailed: kept?.failed ?? 0,
    confirmable: shown,
    changing,
    chance:
      goal === 'better'
        ? chanceToFind(Math.min(shown, changing), among)
        : chanceToConfirm(margin, draws, goal),
  };
}

/** Plans the prompts that are still to be written, and the most that trying each of them takes. */
async function plannedProposals(
  opened: OpenedTune,
  asked: ReadonlySet<string> | undefined,
  ports: OfflinePorts,
): Promise<{ candidates: PlannedCandidate[]; bounds: EffortBounds }> {
  const { plan, start } = opened;
  const { propose, ...others } = plan.definition.try;
  const proposer = proposerOf(plan, ports);
  const rounds = (propose?.rounds ?? 0) - (plan.proposed?.length ?? 0);
  const none = { candidates: [], bounds: { least: NO_EFFORT, most: NO_EFFORT } };
  if (!propose || !proposer || rounds <= 0) return none;
  const { method } = start;
  const steps = stepsToPropose(
    { ...others, propose },
    { method, steps: stepsOfStart(opened, asked, ports) },
  );
  if ('model' in proposer) refuseUnpriced({ ...start, models: { default: proposer.model } });
  const candidates: PlannedCandidate[] = [];
  for (const step of steps) {
    const set = promptsFor(step, start.prompts);
    const one = candidateOf([{ of: 'prompts', at: step, to: set }]);
    const labelled = { ...one, label: `${step}: a new prompt` };
    const longer = await mostAddedTokens(step, opened, ports);
    const planned = await plannedCandidate(labelled, opened, ports, longer);
    candidates.push({ ...planned, times: propose.each * rounds });
  }
  const most = timesEffort(await roundUpperBound(opened, steps, ports), rounds);
  return { candidates, bounds: { least: NO_EFFORT, most } };

  function refuseUnpriced(spec: RunSpec): void {
    const refusal = startRefusal({ ...spec, budgetUsd: plan.definition.budgetUsd }, ports);
    if (refusal !== undefined) throw new Failure('BadInput', refusal);
  }
}

/** @throws Failure BadInput for a field that no question has, or with which nothing can be concluded. */
function checkCluster(cluster: string | undefined, questions: readonly TuneQuestion[]): void {
  if (cluster === undefined) return;
  const of = new Map(questions.map(({ id, fields }) => [id, fields?.[cluster] ?? '']));
  const fields = new Set(questions.flatMap((one) => Object.keys(one.fields ?? {})));
  checkGroups([{ clusters: { field: cluster, of }, fields }]);
}

function checkBudget({ definition: { budgetUsd } }: TunePlan, { usd }: Effort): void {
  if (budgetUsd === undefined || usd === null || usd < budgetUsd) return;
  const what = `must be more than ${dollars(usd)}, the most that the confirmation takes, which is set aside`;
  throw badInput('budgetUsd', `${what}; nothing would be left of $${budgetUsd} to search with`);
}

/** Returns the steps of the start and its figures on half A; undefined if it has no answers. */
async function startFiguresOf(opened: OpenedTune, ports: OfflinePorts) {
  const answers = await startAnswers(opened, ports);
  if (!answers || answers.usd.size === 0) return undefined;
  const metric = tunedMetric(answers, opened.plan.definition.metric);
  const half = await halfOfTune(opened, 'A', ports);
  const ids = half.flatMap(({ id }) => (answers.usd.has(id) ? [id] : []));
  const figures = ids.length > 0 ? figuresOn(answers, ids, metric) : undefined;
  return { steps: answers.steps, figures, failed: answers.figures.outcomes.failed };
}

async function startEffort(
  opened: OpenedTune,
  half: 'A' | 'B',
  ports: OfflinePorts,
): Promise<Effort> {
  const { input } = runOfStart(opened, half);
  if (!input) return NO_EFFORT;
  const spec = parseRunInput(input, ports.methods);
  const planned = await plannedRun(spec, opened, ports);
  return effortOf(planned, [...planned.steps, ...planned.judging], ports);
}

/**
 * Plans the calls and cost of a question of a candidate. If the start was not asked yet, the most is
 * a question asked as a whole.
 *
 * @param longer Tokens by which the prompt of the changed step may be longer.
 */
async function plannedCandidate(
  candidate: Candidate,
  opened: OpenedTune,
  ports: OfflinePorts,
  longer = 0,
): Promise<Omit<PlannedCandidate, 'times'>> {
  const { input } = runOfCandidate(opened, candidate, 'A');
  const last = candidate.changes.at(-1);
  const at = last?.at;
  const spec = namingChange(last, () => plannedSpec(input, opened, ports));
  const planned = await plannedRun(spec, opened, ports);
  const isWhole = spec.fork === undefined && isFork(input);
  const steps = [...planned.steps, ...planned.judging].map((step) => ({
    step: step.step,
    least:
      isWhole && step.step !== at
        ? NO_EFFORT
        : effortOf(planned, [{ ...step, ...step.exact }], ports),
    most: effortOf(
      planned,
      [step.step === at ? { ...step, prompt: step.prompt + longer * step.calls } : step],
      ports,
    ),
  }));
  const sum = (bound: keyof EffortBounds) =>
    steps.reduce((sum, step) => addEffort(sum, step[bound]), NO_EFFORT);
  return { candidate, steps, least: sum('least'), most: sum('most') };
}

/**
 * Returns the result of `make`; if it throws BadInput, the error names the change instead of a
 * field of a run.
 */
function namingChange<T>(change: Change | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadInput) || !change) throw error;
    const { of, at } = change;
    const within = of === 'method' ? ['try', 'methods', at] : ['try'];
    throw new BadInput(
      error.problems.map((one) => {
        const isName = of === 'method' && one.path[0] === 'method';
        return { ...one, path: [...within, ...(isName ? [] : one.path)] };
      }),
    );
  }
}

/** Returns the run by which a candidate is planned. */
function plannedSpec(input: object, opened: OpenedTune, { methods }: OfflinePorts): RunSpec {
  if (!isFork(input)) return parseRunInput(input, methods);
  const { steps } = methodNamed(opened.start.method, methods);
  const whole = completedFork(input as ForkInput, opened.start, steps);
  if (opened.manifest) return parseRunInput(whole, methods);
  const { fork: _, ...asked } = whole as Record<string, unknown>;
  const { limit, sample } = opened.start;
  return parseRunInput({ ...asked, ...(limit && { limit }), ...(sample && { sample }) }, methods);
}

async function plannedRun(
  spec: RunSpec,
  { plan }: OpenedTune,
  ports: OfflinePorts,
): Promise<RunPlan> {
  const { budgetUsd } = plan.definition;
  const refusal = startRefusal({ ...spec, budgetUsd }, ports);
  if (refusal !== undefined) throw new Failure('BadInput', refusal);
  const { signal } = new AbortController();
  const snapshot = spec.fork ? undefined : await snapshotOf(spec, ports);
  const read = readingOf(snapshot?.sha256 ?? '', ports.datasets, signal);
  return planRun(spec, { read, most: PLANNED }, ports);
}

/** Returns the calls and cost of one question in some steps. */
function effortOf(
  { questions }: RunPlan,
  steps: readonly StepTokens[],
  { prices, llm }: OfflinePorts,
): Effort {
  const pricing = { prices, isLocal: isLocalProvider(llm.provider) };
  const price: PriceOf = (model, _, longest) => highestPrices(model, pricing, undefined, longest);
  const { calls, costUsd } = estimateRun(steps, price);
  return timesEffort({ calls, usd: costUsd }, 1 / Math.max(questions, 1));
}
