/**
 * Which prompts, and which code of somebody's own steps, decide the answers of a run: a change of
 * any other is none of its.
 */
import type { RunSpec } from '../../core/run/input.js';
import type { ModelSteps } from '../../steps/define.js';
import { promptsOf } from '../../steps/define.js';
import { modelSteps } from '../../steps/table.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { isMethod, methods } from '../../workflows/methods.js';
import type { Ports } from '../runtime/ports.js';
import { PASSAGES_PROMPT, SCHEMA_PROMPT, UNKNOWN_PROMPT } from '../runtime/render-prompt.js';
import { ownStepVersions } from '../runtime/steps-version.js';

type Asked = Pick<RunSpec, 'judge' | 'method' | 'metrics' | 'outputs' | 'prompts'>;

/**
 * By file the hashes of the prompts that a run reads, its judge's included.
 *
 * @throws Failure BadInput when there is no such set.
 */
export async function promptsOfRun(
  spec: Asked,
  { prompts, steps }: Pick<Ports, 'prompts' | 'steps'>,
): Promise<Record<string, string>> {
  const hashes = await prompts.hashes(spec.prompts);
  const read = promptFiles(spec, steps);
  if (read === undefined) return hashes;
  return Object.fromEntries(Object.entries(hashes).filter(([file]) => read.has(file)));
}

/** What a run keeps of the steps of somebody's own that it can ask, if there are any. */
export function ownStepsOfRun(
  spec: Asked,
  { steps }: Pick<Ports, 'steps'>,
): Pick<RunManifest, 'ownSteps'> {
  const asked = stepsAsked(spec);
  const read = Object.entries(steps).filter(([name]) => asked?.includes(name) ?? true);
  return read.length === 0 ? {} : { ownSteps: ownStepVersions(Object.fromEntries(read)) };
}

/** Undefined for a method of somebody's own, whose workflow can ask any step. */
function stepsAsked({ method, judge, metrics = [] }: Asked): readonly string[] | undefined {
  if (!isMethod(method)) return undefined;
  // A rubric is a step of the name of its metric.
  const judging = judge === undefined ? [] : ['judgeClaim', ...metrics];
  return [...methods[method].steps, ...judging];
}

/** Undefined where any can be read. */
function promptFiles(spec: Asked, own: ModelSteps): Set<string> | undefined {
  const all: ModelSteps = { ...own, ...modelSteps };
  const asked = stepsAsked(spec)?.flatMap((name) => all[name] ?? []);
  if (asked === undefined) return undefined;
  const isJson = Object.values(spec.outputs ?? {}).includes('schema');
  const common = [PASSAGES_PROMPT, UNKNOWN_PROMPT, ...(isJson ? [SCHEMA_PROMPT] : [])];
  const names = [...common, ...asked.flatMap((step) => promptsOf(step))];
  return new Set(names.map((name) => `${name}.txt`));
}
