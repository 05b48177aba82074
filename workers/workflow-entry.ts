/** The module that a bundle begins with: a line for each workflow. Pure. */
import * as shipped from '../workflows/shipped.js';

/** A method of one's own, and what its module is called in the bundle. */
export interface BundledMethod {
  name: string;
  module: string;
}

/**
 * Returns the module that exports our workflows: jobs, and one of each method that ships.
 *
 * @param workflows The folder of the modules that it imports.
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
 * Returns the module that exports our workflows and those of methods of one's own.
 *
 * @param ours The folder of our modules.
 */
export function entryWith(ours: string, methods: readonly BundledMethod[]): string {
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
