/**
 * What of a worker decides the answers of a run, beside what the run was started with: its prompts
 * and own steps above all. A change of any other prompt or step is none of the run's.
 */

import { canonicalJson } from '../../core/canonical-json.js';
import type { Rubric } from '../../core/metric.js';
import type { RunSpec } from '../../core/run/input.js';
import { sha256Of } from '../../core/sha256.js';
import { judgeModel, modelNames, outputFor, promptsFor } from '../../core/step-models.js';
import { functionCode } from '../../interpreters/method-code.js';
import { isMethod, methods } from '../../interpreters/methods.js';
import { isLocalProvider } from '../../llm/openai/endpoint.js';
import { type PriceTable, priceOf } from '../../llm/prices.js';
import { type ModelStep, type ModelSteps, promptsOf } from '../../steps/define.js';
import { rubricStep } from '../../steps/rubric.js';
import { modelSteps } from '../../steps/table.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import type { Ports } from '../runtime/ports.js';
import type { PromptLibrary } from '../runtime/prompts.js';
import { PASSAGES_PROMPT, SCHEMA_PROMPT, WORD_LISTS } from '../runtime/render-prompt.js';

interface Prompted {
  input: Asked;
  prompts: RunManifest['prompts'];
}

interface PromptPorts {
  prompts: Pick<PromptLibrary, 'hashes'>;
  steps: ModelSteps;
}

type Asked = Pick<RunSpec, 'judge' | 'method' | 'metrics' | 'outputs' | 'prompts'>;

/**
 * By file the hashes of the prompts that a run reads, its judge's included; those of a set that is
 * named for single steps stand under `set/file`.
 *
 * @throws Failure BadInput when there is no such set.
 */
export async function promptsOfRun(
  spec: Asked,
  ports: PromptPorts,
): Promise<Record<string, string>> {
  const files = Object.values(filesByStep(spec, ports.steps)).flat();
  const sets = [...new Set(files.map(({ set }) => set))];
  const hashes = new Map(
    await Promise.all(sets.map(async (set) => [set, await ports.prompts.hashes(set)] as const)),
  );
  return byKey(files, ({ set, file }) => hashes.get(set)?.[file]);
}

function byKey(
  files: readonly PromptFile[],
  hashOf: (file: PromptFile) => string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    files.flatMap((file) => {
      const hash = hashOf(file);
      return hash === undefined ? [] : [[file.key, hash]];
    }),
  );
}

/**
 * Returns the steps of a fork whose prompts are not as the run that it is forked of was asked with,
 * less those that it has from another set.
 */
export function stepsWithOtherPrompts(
  before: RunManifest['prompts'],
  { input, prompts }: Prompted,
  { steps }: Pick<Ports, 'steps'>,
): string[] {
  return Object.entries(filesByStep(input, steps))
    .filter(([, files]) => files.some(({ key }) => key in before && before[key] !== prompts[key]))
    .map(([step]) => step);
}

/** Of the prompts of a run those that its judge reads for these rubrics, and for statements and claims. */
export function judgePrompts(
  { input, prompts }: Prompted,
  rubrics: readonly Rubric[],
): Record<string, string> {
  const files = [
    ...filesOf(modelSteps.judgeClaim, input),
    ...rubrics.flatMap((rubric) => filesOf(rubricStep(rubric), input)),
  ];
  return byKey(files, ({ key }) => prompts[key]);
}

/** Returns what a run keeps of the steps of somebody's own that it can ask, if there are any. */
export function ownStepsOfRun(
  spec: Asked,
  { steps }: Pick<Ports, 'steps'>,
): Pick<RunManifest, 'ownSteps'> {
  const asked = stepsAsked(spec);
  const read = Object.entries(steps).filter(([name]) => asked?.includes(name) ?? true);
  return read.length === 0 ? {} : { ownSteps: ownStepVersions(Object.fromEntries(read)) };
}

/**
 * Returns by name a hash of each step of somebody's own: of its settings, and of the code of its
 * functions. What these call elsewhere is not in it.
 */
export function ownStepVersions(own: ModelSteps): Record<string, string> {
  const versions = Object.entries(own).map(([name, step]) => {
    // A line for people is no part of what a step does; the prompt's text has a hash of its own.
    const { label: _, ...parts } = step;
    const told = { ...parts, prompt: promptsOf(step), output: withCode(step.output) };
    return [name, sha256Of(canonicalJson(withCode(told)), 12)];
  });
  return Object.fromEntries(versions);
}

/** Returns parts with the code of functions in their place. */
function withCode(parts: object): unknown {
  const codeOf = (part: unknown) =>
    typeof part === 'function' ? functionCode(part as () => unknown) : part;
  if (typeof parts === 'function') return codeOf(parts);
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, codeOf(part)]));
}

/** Undefined for a method of somebody's own, whose workflow can ask any step. */
function stepsAsked({ method, judge, metrics = [] }: Asked): readonly string[] | undefined {
  if (!isMethod(method)) return undefined;
  // A rubric is a step of the name of its metric.
  const judging = judge === undefined ? [] : ['judgeClaim', ...metrics];
  return [...methods[method].steps, ...judging];
}

/** A file of a prompt set, and its key among the prompts of a run. */
interface PromptFile {
  key: string;
  set: string;
  file: string;
}

/** Returns the prompt files that each step reads which the run may ask. */
function filesByStep(spec: Asked, own: ModelSteps): Record<string, PromptFile[]> {
  const all: ModelSteps = { ...own, ...modelSteps };
  const asked = (stepsAsked(spec) ?? Object.keys(all)).flatMap((name) => all[name] ?? []);
  return Object.fromEntries(asked.map((step) => [step.name, filesOf(step, spec)]));
}

function filesOf<I, O>(step: ModelStep<I, O>, spec: Asked): PromptFile[] {
  const set = promptsFor(step.name, spec.prompts);
  const isUsual = set === promptsFor('default', spec.prompts);
  const isJson = outputFor(step.name, spec.outputs) === 'schema';
  const common = [PASSAGES_PROMPT, ...WORD_LISTS, ...(isJson ? [SCHEMA_PROMPT] : [])];
  const files = [...common, ...promptsOf(step)].map((name) => `${name}.txt`);
  return files.map((file) => ({ key: isUsual ? file : `${set}/${file}`, set, file }));
}

/** As a manifest keeps it. */
export type AskedWith = Pick<
  RunManifest,
  'assumedFree' | 'code' | 'embedding' | 'ownSteps' | 'prices' | 'prompts' | 'provider' | 'reranker'
>;

type AskingPorts = Pick<
  Ports,
  'embeddings' | 'llm' | 'methods' | 'prices' | 'prompts' | 'reranker' | 'steps'
>;

/**
 * Returns the code of the method, the prompts and steps of one's own that a run can ask, the
 * endpoints and models beside those that it names, and what its models cost, if that is known.
 *
 * @throws Failure BadInput when there is no such set of prompts.
 */
export async function askedWith(spec: RunSpec, ports: AskingPorts): Promise<AskedWith> {
  const { llm, embeddings, reranker, prices } = ports;
  const priced = modelsAsked(spec).map((model) => [model, priceOf(model, prices)] as const);
  const { free } = unpricedModels(spec, ports);
  const method = ports.methods.get(spec.method);
  const code = method?.code?.();
  return {
    prompts: await promptsOfRun(spec, ports),
    ...ownStepsOfRun(spec, { steps: stepsOutsideCode(method, ports.steps) }),
    ...(code && { code }),
    provider: llm.provider,
    embedding: { provider: embeddings.provider, model: embeddings.model },
    reranker: reranker ? { provider: reranker.provider, model: reranker.model } : null,
    prices: Object.fromEntries(priced.flatMap(([model, price]) => (price ? [[model, price]] : []))),
    ...(free.length > 0 && { assumedFree: free }),
  };
}

/** Returns the steps that the code of a method does not hold. */
function stepsOutsideCode(method: OwnMethod<unknown> | undefined, steps: ModelSteps): ModelSteps {
  const held = method?.codeSteps ?? [];
  return Object.fromEntries(Object.entries(steps).filter(([name]) => !held.includes(name)));
}

/**
 * Returns the models of a run that have no price: those that are assumed to be free, since their
 * endpoint is on this machine, or those whose cost is unknown.
 */
export function unpricedModels(
  spec: Pick<RunSpec, 'judge' | 'models'>,
  { llm, prices }: { llm: Pick<Ports['llm'], 'provider'>; prices: PriceTable },
): Record<'free' | 'unknown', string[]> {
  const unpriced = modelsAsked(spec).filter((model) => !priceOf(model, prices));
  const isFree = isLocalProvider(llm.provider);
  return isFree ? { free: unpriced, unknown: [] } : { free: [], unknown: unpriced };
}

/** Returns the models of a run, its judge among them, each once. */
export function modelsAsked({ models, judge }: Pick<RunSpec, 'judge' | 'models'>): string[] {
  return [...new Set([...modelNames(models), ...(judge === undefined ? [] : [judgeModel(judge)])])];
}
