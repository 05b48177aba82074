/** Finds the steps of one's own that methods ask: those that their modules export or import. */
import { Failure, messageOf } from '../core/failure.js';
import { isStep, type ModelStep } from '../steps/define.js';
import { asksNoModel } from '../steps/table.js';
import { loadModule } from '../stores/load-module.js';
import { isDefined, type OwnMethod } from '../workflows/define-method.js';
import { methodCode } from './method-code.js';
import { BLANKS, plan } from './planning.js';
import { importedFile, moduleFile, sourcesFrom, stepsAsked } from './steps-asked.js';

// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
type AnyStep = ModelStep<any, any>;

/** Methods and steps of one's own, as options of a worker or a client have them. */
interface Own {
  methods?: readonly (OwnMethod<unknown> | string)[] | undefined;
  steps?: readonly AnyStep[] | undefined;
}

/**
 * Returns the options with the steps and the code of their methods: `steps` has those of one's own
 * as well, and each method names all that it can ask. A step that `steps` has under the same name
 * goes first.
 *
 * @throws Failure BadInput if a module cannot be loaded, or does not export its method.
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

function twoSteps(name: string): Failure {
  return new Failure('BadInput', `There are two steps named "${name}"; rename one.`);
}

/**
 * Returns the steps of one's own that a method's module exports or imports, and so those it runs;
 * `inPackages` are the names of those that other packages bring.
 */
async function stepsFrom(method: string, module: string) {
  const found = new Set<AnyStep>();
  const inPackages = new Set<string>();
  const seen = new Set<string>();
  await follow(module, (exported) => {
    if (exported.some((value) => isDefined(value) && value.name === method)) return;
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
    for (const value of exported) if (isStep(value)) found.add(value);
    for (const source of sourcesFrom(from)) {
      for (const imported of source.imports) {
        const path = fileOf(source.file, imported.from);
        if (path === undefined) continue;
        const values = await load(method, path, source.file);
        const named = imported.names.includes('*')
          ? Object.values(values)
          : imported.names.map((name) => values[name]);
        for (const value of named) {
          if (isStep(value)) found.add(value);
          if (isStep(value) && !imported.from.startsWith('.')) inPackages.add(value.name);
          if (isDefined(value) && value.module !== undefined) await follow(value.module);
        }
      }
    }
  }
}

/** What is neither a step nor has any. */
const TOOLS = /^(?:node:|zod$|durable-rag(?:\/|$)|@temporalio\/)/;

/** Returns what to load for an import: a file, or the name of a package; undefined for neither. */
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
 * Returns the names of the steps that a method can ask; undefined if they are not known.
 *
 * @throws Failure BadInput for a step that a question with usual options asks and nobody has.
 */
async function namesOf(
  method: OwnMethod<unknown>,
  own: readonly AnyStep[],
  all: ReadonlyMap<string, AnyStep>,
): Promise<readonly string[] | undefined> {
  const ours = method.module === undefined ? undefined : stepsAsked(method.module);
  const usual = method.options.safeParse({});
  const world = { passages: BLANKS, available: Infinity, steps: Object.fromEntries(all) };
  const planned = usual.success
    ? await plan(method, { question: 'question', options: usual.data }, world)
    : undefined;
  const asked = (planned?.calls ?? []).map(({ step }) => step).filter((step) => !asksNoModel(step));
  return ours && [...new Set([...ours, ...own.map(({ name }) => name), ...asked])];
}
