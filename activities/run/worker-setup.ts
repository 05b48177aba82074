/**
 * Collects the parts of a worker's setup that decide the answers of a run, such as its prompts and
 * custom steps. Prompts and steps that the run cannot use are left out.
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
import { PASSAGES_PROMPT, PHRASE_LISTS, SCHEMA_PROMPT } from '../runtime/model-request.js';
import type { Ports } from '../runtime/ports.js';
import type { PromptLibrary } from '../runtime/prompts.js';

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
 * Resolves to the hashes of the prompt files that a run can read, its judge's included, by file
 * name. A file of a prompt set that only some steps use has the key `set/file`.
 *
 * @throws Failure BadInput if a prompt set does not exist.
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
 * Returns the names of the steps whose prompts in a fork differ from those in its parent run. Files
 * for which the parent run has no hash are not compared, for example those of a prompt set that
 * only the fork gives to a step.
 *
 * @param before Prompt hashes of the parent run, by file.
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

/**
 * Returns the hashes of the prompts that the judge of a run reads, for these rubrics and for
 * statements and claims, by file name.
 */
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

/** Returns the versions of the custom steps that a run can ask; empty if there are none. */
function ownStepsOfRun(
  spec: Asked,
  { steps }: Pick<Ports, 'steps'>,
): Pick<RunManifest, 'ownSteps'> {
  const asked = stepsAsked(spec);
  const read = Object.entries(steps).filter(([name]) => asked?.includes(name) ?? true);
  return read.length === 0 ? {} : { ownSteps: ownStepVersions(Object.fromEntries(read)) };
}

/**
 * Returns by name a hash of each custom step: its settings and the code of its functions. Code that
 * these call elsewhere is not included.
 */
function ownStepVersions(own: ModelSteps): Record<string, string> {
  const versions = Object.entries(own).map(([name, step]) => {
    // The label is shown to people only; the prompt's text has a hash of its own.
    const { label: _, ...parts } = step;
    const hashed = { ...parts, prompt: promptsOf(step), output: withCode(step.output) };
    return [name, sha256Of(canonicalJson(withCode(hashed)), 12)];
  });
  return Object.fromEntries(versions);
}

/** Returns the parts with each function replaced by its code. */
function withCode(parts: object): unknown {
  const codeOf = (part: unknown) =>
    typeof part === 'function' ? functionCode(part as () => unknown) : part;
  if (typeof parts === 'function') return codeOf(parts);
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, codeOf(part)]));
}

/**
 * Returns the steps that a run may ask; undefined for a custom method, whose workflow can ask any.
 */
function stepsAsked({ method, judge, metrics = [] }: Asked): readonly string[] | undefined {
  if (!isMethod(method)) return undefined;
  // A rubric is a step with the name of its metric.
  const judging = judge === undefined ? [] : ['judgeClaim', ...metrics];
  return [...methods[method].steps, ...judging];
}

/** A file of a prompt set, and its key among the prompts of a run. */
interface PromptFile {
  key: string;
  set: string;
  file: string;
}

/** Returns the prompt files of each step that the run may ask. */
function filesByStep(spec: Asked, own: ModelSteps): Record<string, PromptFile[]> {
  const all: ModelSteps = { ...own, ...modelSteps };
  const asked = (stepsAsked(spec) ?? Object.keys(all)).flatMap((name) => all[name] ?? []);
  return Object.fromEntries(asked.map((step) => [step.name, filesOf(step, spec)]));
}

function filesOf<I, O>(step: ModelStep<I, O>, spec: Asked): PromptFile[] {
  const set = promptsFor(step.name, spec.prompts);
  const isUsual = set === promptsFor('default', spec.prompts);
  const isJson = outputFor(step.name, spec.outputs) === 'schema';
  const common = [PASSAGES_PROMPT, ...PHRASE_LISTS, ...(isJson ? [SCHEMA_PROMPT] : [])];
  const files = [...common, ...promptsOf(step)].map((name) => `${name}.txt`);
  return files.map((file) => ({ key: isUsual ? file : `${set}/${file}`, set, file }));
}

/**
 * The parts of a worker's setup on which the answers of a run depend, as the manifest records them.
 */
export type WorkerSetup = Pick<
  RunManifest,
  'assumedFree' | 'code' | 'embedding' | 'ownSteps' | 'prices' | 'prompts' | 'provider' | 'reranker'
>;

type AskingPorts = Pick<
  Ports,
  'embeddings' | 'llm' | 'methods' | 'prices' | 'prompts' | 'reranker' | 'steps'
>;

/**
 * Returns the parts of this worker's setup on which the answers of a run depend, as fields of a
 * run's manifest: the code of the method, the prompts and custom steps that the run can use, the
 * endpoints, the embedding model and reranker, and the known prices of its models.
 *
 * @throws Failure BadInput if a prompt set does not exist.
 */
export async function workerSetup(spec: RunSpec, ports: AskingPorts): Promise<WorkerSetup> {
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

/** Returns the steps that are not part of the method's code. */
function stepsOutsideCode(method: OwnMethod<unknown> | undefined, steps: ModelSteps): ModelSteps {
  const held = method?.codeSteps ?? [];
  return Object.fromEntries(Object.entries(steps).filter(([name]) => !held.includes(name)));
}

/**
 * Returns the names of a run's models that have no price. They are listed under `free` if their
 * endpoint is on this machine, else under `unknown`.
 */
export function unpricedModels(
  spec: Pick<RunSpec, 'judge' | 'models'>,
  { llm, prices }: { llm: Pick<Ports['llm'], 'provider'>; prices: PriceTable },
): Record<'free' | 'unknown', string[]> {
  const unpriced = modelsAsked(spec).filter((model) => !priceOf(model, prices));
  const isFree = isLocalProvider(llm.provider);
  return isFree ? { free: unpriced, unknown: [] } : { free: [], unknown: unpriced };
}

/** Returns the distinct models of a run, its judge's included. */
function modelsAsked({ models, judge }: Pick<RunSpec, 'judge' | 'models'>): string[] {
  return [...new Set([...modelNames(models), ...(judge === undefined ? [] : [judgeModel(judge)])])];
}
