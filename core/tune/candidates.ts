/**
 * The candidates of a tune: single changes of its start, and combinations. Not for workflows, since
 * it uses node:crypto.
 */
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../canonical-json.js';
import { suggestion } from '../options/nearest.js';
import { BadInput, type Problem } from '../options/problems.js';
import { sha256Of } from '../sha256.js';
import {
  modelFor,
  outputFor,
  promptsFor,
  type StepModel,
  type StepModels,
  type StepOutputs,
  type StepPrompts,
} from '../step-models.js';
import { methodOf } from '../study/study.js';
import type { Proposal } from './proposals.js';
import type { Tune } from './tune.js';

/**
 * One change that a tune makes to its start: the field `of`, the step, option or method `at`, and
 * the new value `to`. A change of method has its options as value; those left out have defaults.
 */
export type Change =
  | { of: 'models'; at: string; to: string | StepModel }
  | { of: 'outputs'; at: string; to: 'schema' | 'text' }
  | { of: 'prompts'; at: string; to: string }
  | { of: 'options'; at: string; to: unknown }
  | { of: 'method'; at: string; to: Record<string, unknown> };

/**
 * A pipeline that a tune compares with its start: one or more changes to it, an id made of them,
 * and a description for people.
 */
export interface Candidate {
  /** Id made of the changes, which can be part of a run's name. */
  id: string;
  /** Description for people. */
  label: string;
  /**
   * The changes, in the order in which they are added one by one, each as a fork of the previous.
   */
  changes: readonly Change[];
}

/**
 * The pipeline that a tune starts from: its method and options, its models, output forms and
 * prompt sets by step, and the steps that ask a model.
 */
export interface TuneStart {
  method: string;
  /** All options of the method with their values, including defaults. */
  options: Readonly<Record<string, unknown>>;
  /** The default values of the method's options. */
  defaults: Readonly<Record<string, unknown>>;
  models: StepModels;
  outputs?: StepOutputs | undefined;
  prompts: StepPrompts;
  /** Names of its steps that ask a model, in the order of the method. */
  steps: readonly string[];
}

/** A function that tells whether a prompt set has another prompt for a step than a tune's start. */
export type HasOtherPrompt = (set: string, step: string) => boolean;

/**
 * Returns the candidates of a tune with one change each: models, options, prompts, outputs and
 * methods, in this order, then the prompts that were written for the tune. Within a kind they have
 * the order of the tune's file; a list for all steps is tried step by step. Changes that change
 * nothing are left out.
 *
 * @param tried The field `try` of the tune.
 * @param hasOtherPrompt A plain list of prompt sets is tried only at the steps for which this
 * returns true.
 * @param proposed Prompts that were written for the tune.
 * @throws Failure BadInput for a step or an option that the start does not have, for a method in a
 * wrong form, for two equal changes, and if nothing is changed and no prompts are to be written.
 */
export function candidatesOf(
  tried: Tune['try'],
  start: TuneStart,
  hasOtherPrompt: HasOtherPrompt,
  proposed: readonly Proposal[] = [],
): Candidate[] {
  const problems: Problem[] = [];
  stepsToPropose(tried, start, problems);
  const changes = [
    ...byStep('models', tried.models, start, problems).map(({ at, to, path }) => {
      return { path, change: { of: 'models', at, to: withoutLabel(to) } as const };
    }),
    ...Object.entries(tried.options ?? {}).flatMap(([at, values]) => {
      const path = ['try', 'options', at];
      if (!(at in start.options)) {
        const names = Object.keys(start.options);
        const message = `is no option of ${start.method}${suggestion(at, names)}`;
        problems.push({ path, message });
      }
      return values.map((to) => ({ path, change: { of: 'options', at, to } as const }));
    }),
    ...byStep('prompts', tried.prompts, start, problems).flatMap(({ at, to, path }) => {
      // A set in a list applies only to the steps whose prompts it changes.
      const isSkipped = Array.isArray(tried.prompts) && !hasOtherPrompt(to, at);
      return isSkipped ? [] : [{ path, change: { of: 'prompts', at, to } as const }];
    }),
    ...byStep('outputs', tried.outputs, start, problems).map(({ at, to, path }) => {
      return { path, change: { of: 'outputs', at, to } as const };
    }),
    ...(tried.methods ?? []).map((entry, i) => {
      const path = ['try', 'methods', i];
      const { label, of } = methodOf(entry, path, problems);
      return { path, label, change: { of: 'method', at: of.method, to: of.options } as const };
    }),
  ];
  const found = new Map<string, Candidate>();
  for (const { path, change, ...named } of changes) {
    if (!isChange(change, start)) continue;
    const one = { ...candidateOf([change]), ...named };
    if (found.has(one.id)) problems.push({ path, message: `names ${one.label} twice` });
    found.set(one.id, one);
  }
  if (problems.length > 0) throw new BadInput(problems);
  for (const { step, set } of proposed) {
    const one = candidateOf([{ of: 'prompts', at: step, to: set }]);
    found.set(one.id, one);
  }
  if (found.size === 0 && !tried.propose) {
    const message = 'changes nothing: everything that it names is as it is in the start';
    throw new BadInput([{ path: ['try'], message }]);
  }
  return [...found.values()];
}

/**
 * Returns the names of the steps for which a tune wants new prompts, in the order of the method;
 * empty if there are none. Unknown steps are appended to `problems`.
 */
export function stepsToPropose(
  { propose }: Tune['try'],
  { method, steps }: Pick<TuneStart, 'method' | 'steps'>,
  problems: Problem[] = [],
): readonly string[] {
  if (!propose) return [];
  const { steps: named = steps } = propose;
  for (const [i, step] of named.entries()) {
    if (steps.includes(step)) continue;
    const message = notAsked(step, { method, steps });
    problems.push({ path: ['try', 'propose', 'steps', i], message });
  }
  return steps.filter((step) => named.includes(step));
}

function notAsked(step: string, { method, steps }: Pick<TuneStart, 'method' | 'steps'>): string {
  const there = steps.length > 0 ? `; it asks ${steps.join(', ')}` : '';
  return `is not a step in which ${method} asks a model with these options${suggestion(step, steps) || there}`;
}

interface AtStep<T> {
  at: string;
  to: T;
  path: PropertyKey[];
}

/**
 * Returns the values to try with their steps; each value of a plain list is tried at every step.
 */
function byStep<T>(
  field: 'models' | 'outputs' | 'prompts',
  values: readonly T[] | Readonly<Record<string, readonly T[]>> | undefined,
  { method, steps }: TuneStart,
  problems: Problem[],
): AtStep<T>[] {
  if (values === undefined) return [];
  const path = ['try', field];
  if (Array.isArray(values)) {
    return steps.flatMap((at) => (values as readonly T[]).map((to) => ({ at, to, path })));
  }
  return Object.entries(values as Readonly<Record<string, readonly T[]>>).flatMap(([at, all]) => {
    if (!steps.includes(at)) {
      problems.push({ path: [...path, at], message: notAsked(at, { method, steps }) });
    }
    return all.map((to) => ({ at, to, path: [...path, at] }));
  });
}

/** Returns a model of a study or tune file without its label (`as`). */
export function withoutLabel(model: string | Record<string, unknown>): string | StepModel {
  if (typeof model === 'string') return model;
  const { as: _, ...rest } = model;
  return rest;
}

/** Returns whether a change makes the pipeline different from the start. */
function isChange(change: Change, start: TuneStart): boolean {
  const { at } = change;
  if (change.of === 'models') {
    const changed = { ...start.models, [at]: change.to };
    const [before, after] = [start.models, changed].map((models) => modelFor(at, { models }, ''));
    return !isDeepStrictEqual(before, after);
  }
  if (change.of === 'outputs') return outputFor(at, start.outputs) !== change.to;
  if (change.of === 'prompts') return promptsFor(at, start.prompts) !== change.to;
  if (change.of === 'options') return !isDeepStrictEqual(start.options[at], change.to);
  return (
    at !== start.method || !isDeepStrictEqual({ ...start.defaults, ...change.to }, start.options)
  );
}

/** Returns the candidate with the given changes. Its id and label depend only on them. */
export function candidateOf(changes: readonly Change[]): Candidate {
  const label = changes.map(changeText).join(' + ');
  const hash = sha256Of(canonicalJson(changes), HASH_DIGITS);
  const readable = label.replace(/[^A-Za-z0-9._]+/g, '-').replace(/^[-._]+|-+$/g, '');
  return { id: `${readable.slice(0, MOST_CHARACTERS)}-${hash}`, label, changes };
}

const HASH_DIGITS = 8;
/**
 * Maximum number of characters of an id before its hash, to leave room for the tune's name in a
 * run's name.
 */
const MOST_CHARACTERS = 40;

/** Returns a change as text for people, such as "rankPair: gpt-5-nano". */
function changeText({ of, at, to }: Change): string {
  if (of === 'models') return `${at}: ${typeof to === 'string' ? to : modelText(to)}`;
  if (of === 'outputs') return `${at}: ${to} output`;
  if (of === 'prompts') {
    const [, hash] = /@t-(\w{6})/.exec(to) ?? [];
    return hash === undefined ? `${at}: prompts ${to}` : `${at}: prompt ${hash}`;
  }
  if (of === 'options') return `${at} ${typeof to === 'string' ? to : JSON.stringify(to)}`;
  return Object.keys(to).length === 0 ? at : `${at} ${JSON.stringify(to)}`;
}

function modelText({ model = 'same model', ...parameters }: StepModel): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return [model, ...set.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(', ');
}

/**
 * Returns combinations of candidates, given best first: of the first two, of the first three, and
 * so on. A candidate is skipped if it changes the method, or something that the combination already
 * changes. Empty if fewer than two remain.
 */
export function jointCandidates(best: readonly Candidate[]): Candidate[] {
  const joint: Candidate[] = [];
  let changes: readonly Change[] = [];
  for (const candidate of best) {
    const isFree = candidate.changes.every(
      ({ of, at }) => of !== 'method' && !changes.some((one) => one.of === of && one.at === at),
    );
    if (!isFree) continue;
    changes = [...changes, ...candidate.changes];
    if (changes.length > candidate.changes.length) joint.push(candidateOf(changes));
  }
  return joint;
}
