/** Writes the entry module of a bundle, with one line for each workflow. Pure. */
import * as shipped from '../workflows/shipped.js';

/** A custom method, and the name of its module in the bundle. */
interface BundledMethod {
  name: string;
  module: string;
}

/**
 * Returns the code of a module that exports the shipped workflows: those of jobs, and one for each
 * method.
 *
 * @param workflows Folder of the workflow modules that it imports.
 */
export function ourEntry(workflows = '.'): string {
  const lines = Object.keys(shipped).map(
    (name) => `export const ${name} = questionWorkflow(shipped.${name});`,
  );
  return [
    `import { questionWorkflow } from '${workflows}/question/question-workflow.js';`,
    `import * as shipped from '${workflows}/shipped.js';`,
    `export * from '${workflows}/public.js';`,
    ...lines,
    '',
  ].join('\n');
}

/**
 * Returns the code of a module that exports the shipped workflows and one for each custom method.
 *
 * @param ours Folder or alias of the shipped workflow modules.
 */
export function entryWithMethods(ours: string, methods: readonly BundledMethod[]): string {
  const lines = methods.flatMap(({ name, module }, i) => [
    `import * as own${i} from '${module}';`,
    `export const ${name} = questionWorkflow(methodIn(own${i}, '${name}'));`,
  ]);
  return [
    `import { methodIn } from '${ours}/define-method.js';`,
    `import { questionWorkflow } from '${ours}/question/question-workflow.js';`,
    `export * from '${ours}/entry.js';`,
    ...lines,
    '',
  ].join('\n');
}
