/** Sums the planned calls of a run, by step. */
import type { OfflinePorts, Ports } from '../activities/runtime/ports.js';
import type { StepTokens } from '../core/estimate.js';
import type { RunSpec } from '../core/run/input.js';
import { modelFor, outputFor } from '../core/step-models.js';
import { stepNamed } from '../steps/table.js';
import { turnOf } from '../steps/turns.js';
import { CallTokenCounter } from './call-tokens.js';
import type { CallsToCount } from './plan-answer.js';

/**
 * The planned calls of one step of a run: the most calls that may be paid for, and the most tokens
 * that they take in total.
 */
export interface StepPlan extends StepTokens {
  /** Calls and tokens that are certain to be paid for, included in the counts above. */
  exact: Counts;
  /**
   * Number of further calls that cost nothing, because their response is stored or an equal call
   * pays for it.
   */
  answered: number;
  /**
   * Tokens of the longest prompt of each turn, in a step that takes turns; 0 for a turn that is not
   * paid for. Absent for other steps.
   */
  byTurn?: readonly number[];
  /**
   * Number of calls in `exact` whose stored response is not used, because it is unknown how it
   * ended.
   */
  unended: number;
}

type Counts = Pick<StepTokens, 'calls' | 'completion' | 'embedded' | 'prompt'>;

const NOTHING: Counts = { calls: 0, prompt: 0, completion: 0, embedded: 0 };

/**
 * Sums the planned calls and tokens of several questions by step. If these are a sample, `scaled`
 * extrapolates the sums.
 */
export class StepPlans {
  readonly #steps = new Map<string, StepPlan>();
  readonly #counter: CallTokenCounter;

  constructor(
    private readonly spec: RunSpec,
    private readonly ports: OfflinePorts,
  ) {
    const parametersOf = (step: string) => modelOfStep(step, spec, ports).parameters;
    const formOf = (step: string) => outputFor(step, spec.outputs);
    this.#counter = new CallTokenCounter({ ...ports, sets: spec.prompts, parametersOf, formOf });
  }

  /** Adds the planned calls of a question. */
  async add({ calls, ...shown }: CallsToCount): Promise<void> {
    for (const { step, input, certainty, isUnended } of calls) {
      const { model } = modelOfStep(step, this.spec, this.ports);
      const none = { step, model, ...NOTHING, exact: NOTHING, answered: 0, unended: 0 };
      const before: StepPlan = this.#steps.get(step) ?? none;
      if (certainty === 'answered') {
        this.#steps.set(step, { ...before, answered: before.answered + 1 });
        continue;
      }
      const tokens = await this.#counter.tokensOf({ step, input }, shown);
      if (tokens === null) continue;
      const one = { calls: 1, ...tokens };
      const exact =
        certainty === 'exact' ? counts((name) => before.exact[name] + one[name]) : before.exact;
      const unended = before.unended + (isUnended ? 1 : 0);
      const longest = Math.max(before.longest ?? 0, one.prompt);
      const sums = counts((name) => before[name] + one[name]);
      const turn = turnOf(stepNamed(step, this.ports.steps), input);
      const byTurn =
        turn === undefined ? {} : { byTurn: withTurn(before.byTurn, turn, one.prompt) };
      this.#steps.set(step, { ...before, ...sums, longest, exact, unended, ...byTurn });
    }
  }

  /** Returns the plans of all steps with each count multiplied by `share` and rounded up. */
  scaled(share: number): StepPlan[] {
    return [...this.#steps.values()].map((one) => ({
      ...one,
      ...counts((name) => Math.ceil(one[name] * share)),
      exact: counts((name) => Math.ceil(one.exact[name] * share)),
      answered: Math.ceil(one.answered * share),
      unended: Math.ceil(one.unended * share),
    }));
  }
}

/** Returns the longest prompts by turn, with another prompt of a turn (from 1) taken into account. */
function withTurn(before: readonly number[] = [], turn: number, tokens: number): number[] {
  const length = Math.max(before.length, turn);
  return Array.from({ length }, (_, i) => Math.max(before[i] ?? 0, i === turn - 1 ? tokens : 0));
}

/** Returns counts whose values `of` returns for their names. */
function counts(of: (name: keyof Counts) => number): Counts {
  return {
    calls: of('calls'),
    prompt: of('prompt'),
    completion: of('completion'),
    embedded: of('embedded'),
  };
}

/**
 * Returns the name of the model that a run asks for a step (`model`), and the parameters set for
 * it (`parameters`, absent if there are none). The judge's steps use the judge's model if there is
 * one.
 */
export function modelOfStep(
  step: string,
  { models, judge, extraBody }: Pick<RunSpec, 'extraBody' | 'judge' | 'models'>,
  { defaultModel, metrics }: Pick<Ports, 'defaultModel' | 'metrics'>,
): ReturnType<typeof modelFor> {
  const isJudged = step === 'judgeClaim' || metrics.get(step)?.from === 'rubric';
  const asked = isJudged && judge !== undefined ? { default: judge } : models;
  return modelFor(step, { models: asked, extraBody }, defaultModel);
}
