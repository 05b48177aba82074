/**
 * Input of a fork: a run that changes another run and reuses those of its calls that the change
 * does not affect.
 */
import type { z } from 'zod';
import { parsedBy } from '../options/checked.js';
import { badInput, type Problem } from '../options/problems.js';
import { type RunSpec, runInput } from './input.js';

/**
 * Schema of the input of a fork: its name, the parent run, the change, and the fork's own limits.
 */
export const forkInput = runInput
  .pick({ run: true, models: true, outputs: true, prompts: true, options: true })
  .extend(runInput.pick({ sample: true, sampleSeed: true, transport: true, tier: true }).shape)
  .extend(runInput.pick({ concurrency: true, budgetUsd: true, acceptChange: true }).shape)
  .extend(runInput.pick({ budgetPerQuestionUsd: true, command: true }).shape)
  .extend(runInput.pick({ requestsPerMinute: true, tokensPerMinute: true }).shape)
  .extend(runInput.pick({ pauseAfter: true, pauseIfFirst: true, probeSeconds: true }).shape)
  .extend(runInput.pick({ study: true, half: true, upTo: true, retryBefore: true }).shape)
  .extend(runInput.pick({ endsAtPause: true, costsSeen: true }).shape)
  .extend({ fork: runInput.shape.fork.unwrap() })
  .strict();

/**
 * The input of a fork as a caller writes it: its name, the parent run, the change, and the fork's
 * own limits. Other fields, except `limit`, are the parent run's.
 *
 * @example
 * { run: 'cheaper', fork: { run: 'nq-sure', at: 'rankPair' }, models: { rankPair: 'gpt-5-nano' } }
 */
export type ForkInput = z.input<typeof forkInput>;

/**
 * Checks the input of a fork, and returns it unchanged, without defaults.
 *
 * @throws Failure BadInput naming every field that is wrong or has no effect.
 */
export function parseFork(input: unknown): ForkInput {
  parsedBy(forkInput, input, () => problemsOf(input as ForkInput));
  return input as ForkInput;
}

const AT = ['fork', 'at'] as const;
const BY_STEP = ['models', 'outputs', 'prompts'] as const;

/** Fields of `fork` that require another one. */
const NEEDS = [
  ['output', 'address'],
  ['address', 'question'],
  ['address', 'at'],
  ['perfect', 'at'],
] as const;

/**
 * Returns the problems of a fork's input: it changes either the step that it names (`at`), or
 * options of the method.
 */
function problemsOf({ fork, options, ...given }: ForkInput): Problem[] {
  const { at } = fork;
  const changed = BY_STEP.filter((field) => given[field] !== undefined);
  const alone = NEEDS.filter(([field, other]) => fork[field] !== undefined && !fork[other]);
  if (alone.length > 0) {
    return alone.map(([field, other]) => ({
      path: ['fork', field],
      message: ({ nameOf }) => `has no effect without ${nameOf(['fork', other])}`,
    }));
  }
  if (at === undefined) {
    const problems = changed.map(
      (field): Problem => ({
        path: [field],
        message: ({ nameOf }) =>
          `needs ${nameOf(AT)}, the step that it changes; to change all steps, start another run`,
      }),
    );
    if (problems.length > 0 || options !== undefined) return problems;
    const message: Problem['message'] = ({ nameOf }) =>
      `is missing: name what changes, or the call by ${nameOf(AT)}`;
    return [{ path: ['options'], message }];
  }
  const others = changed.flatMap((field) =>
    Object.keys(named(given[field]))
      .filter((step) => step !== at)
      .map((step): Problem => {
        return { path: [field, step], message: `is not ${at}, the step that is changed` };
      }),
  );
  if (options !== undefined)
    others.push({
      path: ['options'],
      message: ({ nameOf }) => `cannot be combined with ${nameOf(AT)}: fork once for each`,
    });
  if (fork.perfect) {
    const none = { path: ['fork', 'perfect'], message: 'cannot be combined with another change' };
    return changed.length > 0 || fork.output !== undefined ? [...others, none] : others;
  }
  if (changed.length > 0 || fork.output !== undefined) return others;
  const message: Problem['message'] = ({ nameOf }) =>
    `says no change: give another model, prompt set or form for ${at}, or ${nameOf(['fork', 'perfect'])}`;
  return [...others, { path: AT, message }];
}

/**
 * Names of the fields of a run that neither its forks nor the other runs of a tune take from it.
 * Forks do not take `limit` and `sample` either.
 */
export const NOT_INHERITED = [
  'budgetPerQuestionUsd',
  'budgetUsd',
  'command',
  'concurrency',
  'fork',
  'half',
  'requestsPerMinute',
  'study',
  'tier',
  'tokensPerMinute',
  'transport',
] as const satisfies (keyof RunSpec)[];

/** Returns a copy of an object without the named fields. */
export function omitFields(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
}

/**
 * Returns the input of a fork as that of an ordinary run: its own fields, completed by its
 * parent's. The result is not yet checked.
 *
 * @param parent The parent's spec. Its limit and sample do not apply to the fork, nor do the fields
 * of `NOT_INHERITED`.
 * @param steps Names of the steps of its method; undefined if unknown.
 * @throws Failure BadInput for a step that the method does not have.
 */
export function completedFork(
  given: ForkInput,
  parent: RunSpec,
  steps: readonly string[] | undefined,
): unknown {
  const { at } = given.fork;
  if (at !== undefined && steps && !steps.includes(at)) {
    throw badInput(
      'fork.at',
      `is no step of ${parent.method} that asks a model: ${steps.join(', ')}`,
    );
  }
  return {
    ...omitFields(parent, [...NOT_INHERITED, 'limit', 'sample']),
    ...given,
    models: { ...parent.models, ...given.models },
    options: { ...parent.options, ...given.options },
    prompts: byStep(parent.prompts, given.prompts),
    ...((parent.outputs || given.outputs) && { outputs: byStep(parent.outputs, given.outputs) }),
  };
}

function byStep(before: string | object | undefined, after: string | object | undefined) {
  if (after === undefined) return before;
  return { ...named(before), ...named(after) };
}

function named(all: string | object | undefined): object {
  return typeof all === 'string' ? { default: all } : { ...all };
}
