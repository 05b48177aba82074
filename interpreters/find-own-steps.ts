/** Finds the custom steps that methods can ask in the exports and imports of their modules. */
import { Failure, messageOf } from '../core/failure.js';
import { isAction, type OwnStep } from '../steps/actions.js';
import { isStep } from '../steps/define.js';
import { ownSteps } from '../steps/own-steps.js';
import { asksNoModel } from '../steps/table.js';
import { loadModule } from '../stores/load-module.js';
import { isDefinedMethod, type OwnMethod } from '../workflows/define-method.js';
import { methodCode } from './method-code.js';
import { BLANK_PASSAGES, plansByBranch } from './planning.js';
import { importedFile, moduleFile, sourcesFrom, stepsAsked } from './steps-asked.js';

/** Custom methods and steps, as the options of a worker or client have them. */
interface Own {
  methods?: readonly (OwnMethod<unknown> | string)[] | undefined;
  steps?: readonly OwnStep[] | undefined;
}

/**
 * Returns worker or client options in which `steps` includes the custom steps that the methods'
 * modules export or import, and each method has the names of its steps and the hashes of its code.
 * A step given in `steps` takes the place of a module's step of the same name. A method that is a
 * name, has no `module`, or has its `steps` already stays as it is.
 *
 * @throws Failure BadInput if a module cannot be loaded or does not export its method, or if two
 * modules have different steps of one name.
 */
export async function withSteps<P extends Own>(parts: P): Promise<P> {
  const { methods, steps = [] } = parts;
  if (!methods) return parts;
  const all = new Map(steps.map((step) => [step.name, step]));
  const completed: (OwnMethod<unknown> | string)[] = [];
  for (const method of methods) {
    if (typeof method === 'string' || method.module === undefined || method.steps) {
      completed.push(method);
      continue;
    }
    const code = methodCode(method);
    const { own, inPackages } = await stepsFrom(method.name, method.module);
    for (const step of own) {
      const other = all.get(step.name);
      if (other === undefined) all.set(step.name, step);
      else if (other !== step && !steps.includes(other)) throw twoSteps(step.name);
    }
    completed.push({
      ...method,
      steps: await namesOf(method, own, all),
      code: () => code,
      codeSteps: own
        .filter((step) => all.get(step.name) === step && !inPackages.has(step.name))
        .map(({ name }) => name),
    });
  }
  return { ...parts, methods: completed, steps: [...all.values()] };
}

const isOwn = (value: unknown): value is OwnStep => isStep(value) || isAction(value);

function twoSteps(name: string): Failure {
  return new Failure('BadInput', `There are two steps named "${name}"; rename one.`);
}

/**
 * Returns the custom steps that a method's module exports or imports, and so runs. `inPackages` has
 * the names of those from other packages.
 */
async function stepsFrom(method: string, module: string) {
  const found = new Set<OwnStep>();
  const inPackages = new Set<string>();
  const seen = new Set<string>();
  await follow(module, (exported) => {
    if (exported.some((value) => isDefinedMethod(value) && value.name === method)) return;
    throw new Failure(
      'BadInput',
      `methods: ${moduleFile(module)} exports no method "${method}"; export it, so that workers find it.`,
    );
  });
  return { own: [...found], inPackages };

  async function follow(from: string, check: (exported: unknown[]) => void = () => {}) {
    const file = moduleFile(from);
    if (seen.has(file)) return;
    seen.add(file);
    const exported = Object.values(await load(method, file));
    check(exported);
    for (const value of exported) if (isOwn(value)) found.add(value);
    for (const source of sourcesFrom(from)) {
      for (const imported of source.imports) {
        const path = fileOf(source.file, imported.from);
        if (path === undefined) continue;
        const values = await load(method, path, source.file);
        const named = imported.names.includes('*')
          ? Object.values(values)
          : imported.names.map((name) => values[name]);
        for (const value of named) {
          if (isOwn(value)) found.add(value);
          if (isOwn(value) && !imported.from.startsWith('.')) inPackages.add(value.name);
          if (isDefinedMethod(value) && value.module !== undefined) await follow(value.module);
        }
      }
    }
  }
}

/** Matches modules that contain no custom steps. */
const TOOLS = /^(?:node:|zod$|durable-rag(?:\/|$)|@temporalio\/)/;

/** Returns the file or package to load for an import; undefined if there is nothing to load. */
function fileOf(importing: string, from: string): string | undefined {
  if (!from.startsWith('.')) return TOOLS.test(from) ? undefined : from;
  return importedFile(importing, from);
}

async function load(method: string, module: string, importing?: string) {
  try {
    return await loadModule(module, importing);
  } catch (error) {
    throw new Failure(
      'BadInput',
      `methods: the module ${module} of "${method}" cannot be loaded: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * Returns the names of the steps that a method can ask; undefined if unknown.
 *
 * @throws Failure BadInput for a step that a question with default options asks and that is not
 * registered.
 */
async function namesOf(
  method: OwnMethod<unknown>,
  own: readonly OwnStep[],
  all: ReadonlyMap<string, OwnStep>,
): Promise<readonly string[] | undefined> {
  const ours = method.module === undefined ? undefined : stepsAsked(method.module);
  const usual = method.options.safeParse({});
  const { steps } = ownSteps([...all.values()]);
  const inputs = { passages: BLANK_PASSAGES, available: Infinity, steps };
  const planned = usual.success
    ? await plansByBranch(method, { question: 'question', options: usual.data }, inputs)
    : [];
  const calls = planned.flatMap((way) => way.calls);
  const asked = calls
    .filter(({ step, action }) => !action && !asksNoModel(step))
    .map(({ step }) => step);
  const models = own.filter((step) => !isAction(step)).map(({ name }) => name);
  return ours && [...new Set([...ours, ...models, ...asked])];
}
