/** Describes the plan of a run that is not started, for the terminal and as JSON. Pure. */
import { dollars } from '../../core/dollars.js';
import { type Estimate, estimateRun, type PriceOf, type RateLimits } from '../../core/estimate.js';
import type { RunSpec } from '../../core/run/input.js';
import type { RunMetric } from '../../core/run/run.js';
import { count, plural } from '../../evaluation/runs/number-text.js';
import type { RunPlan } from '../../interpreters/plan-run.js';
import type { StepPlan } from '../../interpreters/step-plans.js';
import { ASSUMED_STATEMENTS } from '../../steps/llatrieval.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import type { EarlierUsage } from './seen-before.js';

/** The plan of a run that is not started, with estimates of its calls, tokens, cost and time. */
export interface DryRun extends ReturnType<typeof estimatesOf> {
  method: OwnMethod<unknown>;
  /** Number of questions. */
  selected: number;
  /** Choice of the questions, as a phrase for people. */
  rule: string;
  /** The user's custom metrics. */
  metrics: readonly RunMetric[];
  plan: RunPlan;
  /**
   * US dollars at the requested service tiers; null if not known, absent if no tier was requested.
   */
  atTierUsd?: number | null;
  /** Mean usage of a question in an earlier run of the same setup; undefined without one. */
  before: EarlierUsage | undefined;
  /**
   * Names of models without a price that count as free, because their endpoint is on this machine.
   */
  assumedFree: readonly string[];
  /**
   * Reason why the workers would refuse the run, and what to do; undefined if they would not.
   */
  refused?: string | undefined;
  /**
   * Whether the passages of the questions are in no order of relevance, so that the run ranks them.
   */
  isUnranked?: boolean;
}

/**
 * Returns estimates of a planned run, each with calls, tokens, cost in US dollars and minutes: for
 * asking the questions, for judging the answers, and for both together; then the part of both that
 * is certain (`exact`), and the cost of each step. All except `exact` are upper bounds. If the
 * plan is made from a sample of questions or searches, all are extrapolated from it.
 *
 * @param price Returns the highest prices of a model, in US dollars per million tokens.
 * @param limits Rate limits from which the minutes follow.
 */
export function estimatesOf(
  { steps, judging }: Pick<RunPlan, 'judging' | 'steps'>,
  price: PriceOf,
  limits: RateLimits = {},
) {
  const all = [...steps, ...judging];
  const certain = all.map(({ step, model, exact, longest = 0 }) => {
    return { step, model, longest, ...exact };
  });
  return {
    /** Answering the questions. */
    asking: estimateRun(steps, price, limits),
    /** Judging the answers. */
    judging: estimateRun(judging, price),
    /** Both. */
    together: estimateRun(all, price, limits),
    /** The part of both that will be paid for in any case. */
    exact: estimateRun(certain, price, limits),
    /** Each step with the estimate of its cost in US dollars; null if its price is not known. */
    bySteps: all.map((step) => ({ ...step, costUsd: estimateRun([step], price).costUsd })),
  };
}

/** Returns lines for the terminal about a planned run: questions, calls, tokens, cost and time. */
export function describeDryRun(spec: RunSpec, dry: DryRun): string[] {
  const { selected, rule, method, plan } = dry;
  const kept = plan.kept > 0 && `${plural(plan.kept, 'answer')}: those questions are not asked`;
  return lines({
    Run: spec.run,
    Questions: `${count(selected)} (${rule})`,
    Kept: kept,
    Search: plan.idle ?? (dry.isUnranked && BY_WORDS),
    ...(method.algorithm ? planned(spec, dry) : unplanned(dry)),
  });
}

const BY_WORDS =
  'by BM25 among the passages of each question, which the data set has in no order of relevance; --mode given takes them as they are';

/** Texts by their labels; an empty value leaves the line out. */
type Lines = Record<string, string | false | undefined>;

function lines(all: Lines): string[] {
  return Object.entries(all).flatMap(([word, says]) => (says ? `${word.padEnd(11)}${says}` : []));
}

function planned(spec: RunSpec, dry: DryRun): Lines {
  const { asking, method, plan } = dry;
  const calls = asking.calls + sumOf('answered', plan.steps);
  const rarely = method.bound ? ', a bound that few questions reach' : '';
  const embedded = asking.embedded === 0 ? '' : `, ${count(asking.embedded)} embedded or scored`;
  const answered = sumOf('answered', [...plan.steps, ...plan.judging]);
  return {
    Planned: isDrawn(dry) && `${count(plan.planned)} of them, drawn to represent all`,
    Calls: `${howMany(dry, plan.steps)}${count(calls)}${rarely}`,
    Answered:
      answered > 0 &&
      `${plural(answered, 'call')} already: in the store, or by an equal call of the run`,
    'Paid again': paidAgain(dry),
    'To pay': toPay(dry),
    Tokens: asking.calls > 0 && `${most(dry)} ${tokens(asking)}${embedded}: ${basisOf(spec, dry)}`,
    Prompts: byTurn(dry),
    Judge: spec.judge !== undefined && judging(spec, dry),
    Metrics: ownMetrics(dry),
    Before: before(dry),
    Cost: costOf(spec, dry),
    Free: free(dry),
    Time: timeOf(dry),
    'Not in it': notCounted(spec, dry),
    Pauses: plan.mismatch,
  };
}

/** Returns the lines for a method of which only the name is known here. */
function unplanned(dry: DryRun): Lines {
  return {
    Calls: `not known: ${dry.method.name} is known by its name only (see docs/adding-a-method.md)`,
    Tokens: 'not known, as the calls',
    Metrics: ownMetrics(dry),
    Before: before(dry),
    Cost: 'not known, as the calls',
  };
}

/**
 * Returns the plan of a run as the JSON that `--json` prints. `atMost` and `steps` are upper
 * bounds, or extrapolated from a sample, and `exact` counts only the calls that are certain; the
 * fields about calls and cost are null if the method declares no algorithm. Other fields are null
 * if there is nothing to say, such as `refused` for a run that would not be refused.
 */
export function dryRunJson({ run, mode }: RunSpec, dry: DryRun): object {
  const { method, selected, rule, asking, judging, together, exact, before } = dry;
  const { steps, judging: judged, kept } = dry.plan;
  const { assumedFree, refused = null } = dry;
  const known = method.algorithm ? { asking, judging, together } : null;
  return {
    run,
    method: method.name,
    mode: mode ?? null,
    questions: selected,
    rule,
    kept,
    answered: known && sumOf('answered', [...steps, ...judged]),
    paidAgain: known && sumOf('unended', [...steps, ...judged]),
    exact: known && exact,
    atMost: known,
    steps: known && dry.bySteps,
    idleSearch: dry.plan.idle ?? null,
    mismatch: dry.plan.mismatch ?? null,
    before: before ?? null,
    assumedFree,
    refused,
  };
}

/**
 * Returns the estimate of a run as one line: all calls, those already answered, those to pay for,
 * and the cost in US dollars. Undefined if the number of calls is not known.
 */
export function dryRunLine(dry: DryRun): string | undefined {
  const { method, plan, together } = dry;
  if (!method.algorithm) return undefined;
  const calls = sumOf('answered', [...plan.steps, ...plan.judging]);
  const again = sumOf('unended', [...plan.steps, ...plan.judging]);
  const all = `${howMany(dry, dry.bySteps)}${plural(together.calls + calls, 'call')}`;
  const cost =
    together.unpriced.length > 0
      ? `no price for ${together.unpriced.join(', ')}`
      : `${most(dry)} ${dollars(together.knownUsd)}`;
  return `${all}: ${count(calls)} answered already, to pay for ${certain(dry)}${again > 0 ? ` (${count(again)} of them again: ${NOT_SAID})` : ''}; ${cost}`;
}

/**
 * Returns a line for each different reason for which runs would be refused; empty if none would be.
 */
export function refusalLines(runs: readonly Pick<DryRun, 'refused'>[]): string[] {
  const reasons = new Set(runs.flatMap(({ refused }) => refused ?? []));
  return [...reasons].flatMap((reason) => lines({ Refused: reason }));
}

/** Returns a sentence for each different reason for which models that the runs ask cost nothing. */
export function freeRemarks(runs: readonly DryRun[]): string[] {
  return [...new Set(runs.flatMap((dry) => free(dry) ?? []))];
}

/** Returns why models that the plan asks cost nothing; undefined if none is free. */
function free({ assumedFree, bySteps }: DryRun): string | undefined {
  const isAsked = (name: string) =>
    bySteps.some(({ model, prompt }) => model === name && prompt > 0);
  const asked = assumedFree.filter(isAsked);
  if (asked.length === 0) return undefined;
  return `${asked.join(', ')}: assumed, since the endpoint is on this machine and no price is set`;
}

function sumOf(what: 'answered' | 'unended', steps: readonly StepPlan[]): number {
  return steps.reduce((sum, step) => sum + step[what], 0);
}

/**
 * Returns a note about stored answers that are not used, so that they are paid for again; undefined
 * if there are none.
 */
function paidAgain({ plan: { steps, judging } }: DryRun): string | undefined {
  const unended = sumOf('unended', [...steps, ...judging]);
  if (unended === 0) return undefined;
  return `${plural(unended, 'call')}: ${NOT_SAID}`;
}

const NOT_SAID = 'what the store has of an earlier version does not say how it ended';

function howMany(dry: DryRun, steps: readonly StepPlan[]): string {
  if (isDrawn(dry)) return 'about ';
  return steps.some(({ calls, exact }) => calls > exact.calls) ? 'at most ' : '';
}

/**
 * Returns the number of calls to pay for, as text: those that are certain, and those that depend on
 * their answers.
 */
function certain({ exact, together }: DryRun): string {
  const more = together.calls - exact.calls;
  if (more === 0) return count(exact.calls);
  return `${count(exact.calls)}, and at most ${count(more)} that depend on them`;
}

function toPay(dry: DryRun): string {
  const asked = dry.bySteps.filter(({ calls }) => calls > 0);
  if (asked.length === 0) return 'nothing';
  const steps = asked.map(({ step, calls, exact, costUsd }) => {
    const cost = costUsd === null ? '' : ` (${dollars(costUsd)})`;
    const range = exact.calls === calls ? count(calls) : `${count(exact.calls)} to ${count(calls)}`;
    return `${step} ${range}${cost}`;
  });
  return `${certain(dry)}: ${steps.join(', ')}`;
}

/** Returns "at most" for an upper bound, and "about" for an estimate from a sample of searches. */
function most(dry: DryRun): 'at most' | 'about' {
  const { searching, searched } = dry.plan;
  return isDrawn(dry) || (searching > 0 && searched > 0) ? 'about' : 'at most';
}

/**
 * Returns how the prompts of steps that take turns grow: tokens in the first, the middle and the
 * last turn. Undefined without such steps.
 */
function byTurn(dry: DryRun): string | undefined {
  const grown = dry.plan.steps.flatMap(({ step, byTurn: turns = [] }) => {
    const last = turns.length;
    if (last < 2) return [];
    const shown = [...new Set([1, Math.ceil(last / 2), last])].map(
      (turn) => `${count(turns[turn - 1] ?? 0)} in turn ${turn}`,
    );
    return [`${step} ${most(dry)} ${shown.join(', ')}`];
  });
  return grown.length === 0 ? undefined : `tokens of a call: ${grown.join('; ')}`;
}

/** Returns whether only a sample of the questions was planned. */
function isDrawn({ plan: { planned, questions: all } }: DryRun): boolean {
  return planned < all;
}

function basisOf({ corpus }: RunSpec, { plan: { bringing, searching, searched } }: DryRun): string {
  const passages = [
    ...(bringing > 0
      ? [`the passages that ${plural(bringing, 'question')} ${bringing === 1 ? 'brings' : 'bring'}`]
      : []),
    ...(searching > 0 && searched > 0
      ? [
          `passages of the greatest length found for ${plural(searched, 'question')} in ${corpus}, for ${plural(searching, 'question')}`,
        ]
      : []),
  ];
  const shown = passages.join(' and ') || 'no passages';
  return `prompts with ${shown}, and outputs of the greatest length; a token is four characters of English`;
}

function judging(spec: RunSpec, dry: DryRun): string {
  const { judging: asked, plan } = dry;
  if (asked.calls > 0) {
    return `${most(dry)} ${count(asked.calls)} calls, ${tokens(asked)}${assumedStatements(spec, dry)}`;
  }
  return plan.kept > 0 || sumOf('answered', plan.judging) > 0
    ? 'is asked nothing more'
    : 'is asked nothing: no question has claims, no answer is to cite, no rubric applies';
}

function assumedStatements(spec: RunSpec, { method }: DryRun): string {
  const form = method.cites?.(spec.options);
  if (!form) return '';
  const { tokens: length, citations } = ASSUMED_STATEMENTS[form];
  const each = citations === 1 ? 'one citation' : `${citations} citations`;
  return `, if a statement has ${length} tokens or more and ${each}`;
}

function ownMetrics({ metrics }: DryRun): string | undefined {
  if (metrics.length === 0) return undefined;
  const named = metrics.map(({ title, judged }) => (judged ? `${title} (by the judge)` : title));
  return `${named.join(', ')}, beside the built-in ones`;
}

/** Returns what an earlier run of the same setup took; undefined if there is none. */
function before({ before: seen, selected }: DryRun): string | undefined {
  if (!seen) return undefined;
  const { run, questions: answered, calls, promptTokens, completionTokens } = seen;
  const all = (mean: number) => count(Math.round(mean * selected));
  return `${count(answered)} questions of ${run} took ${calls.toFixed(1)} calls each: the same here would be ${all(calls)} calls, ${all(promptTokens)} prompt and ${all(completionTokens)} completion tokens`;
}

function costOf(spec: RunSpec, dry: DryRun): string {
  const { plan, together, exact, atTierUsd } = dry;
  const { knownUsd, unpriced } = together;
  const asked = [...plan.steps, ...plan.judging].filter(({ prompt }) => prompt > 0);
  const priced = asked.filter(({ model }) => !unpriced.includes(model));
  const models = [...new Set(priced.map(({ model }) => model))].join(', ');
  const noPrice = `no price for ${unpriced.join(', ')} (see DURABLE_RAG_PRICES)`;
  if (unpriced.length > 0) {
    const known =
      models === '' ? 'unknown' : `${most(dry)} ${dollars(knownUsd)} with ${models}, and more`;
    return `${known}: ${noPrice}`;
  }
  const budget = spec.budgetUsd === undefined ? '' : `; pauses at ${dollars(spec.budgetUsd)}`;
  const tiers =
    atTierUsd == null
      ? ''
      : ` if everything is served at once, ${dollars(atTierUsd)} ${spec.transport ? 'by batch' : 'at the tiers asked for'},`;
  if (models === '') return 'nothing';
  const isPart = exact.calls > 0 && exact.calls < together.calls;
  const part = isPart ? ` (${dollars(exact.knownUsd)} of it for the calls that are certain)` : '';
  return `${most(dry)} ${dollars(knownUsd)}${part}${tiers} with ${models}, before prefix caching${budget}`;
}

function timeOf(dry: DryRun): string {
  const { minutes } = dry.together;
  return minutes === null
    ? 'as fast as the provider answers: no --rpm or --tpm is set'
    : `${most(dry)} ${minutes.toFixed(1)} minutes at the limits given`;
}

function notCounted({ limits: { reasks } }: RunSpec, { asking: { embedded } }: DryRun): string {
  const again = `further calls for an output that cannot be parsed, up to ${reasks}, and one with twice the tokens for an output that was cut`;
  return [
    ...(reasks === 0 ? [] : [again]),
    ...(embedded === 0 ? [] : ['the cost of embeddings']),
    'failed calls that a provider charges for',
    'hidden reasoning',
  ].join('; ');
}

function tokens({ prompt, completion }: Estimate): string {
  return `${count(prompt)} prompt, ${count(completion)} completion`;
}
