/** A method of one's own in a file, as somebody edits it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSteps } from '../../interpreters/find-own-steps.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { registeredSteps } from '../../steps/rubric.js';
import { loadModule } from '../../stores/load-module.js';
import { packageRoot } from '../../stores/package-root.js';
import { bundleWorkflows } from '../../workers/workflow-bundle.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { temporaryFolder } from './folder.js';

/** What is edited of it. */
interface Edited {
  /** What stands behind the answer. */
  said?: string;
  /** Of its step. */
  maxTokens?: number;
  /** Lines that change nothing. */
  comment?: string;
  continues?: readonly string[];
}

/**
 * Writes the method `readOnce` with its step `secondLook`, which it asks only if an answer is empty.
 * Returns it, and the parts of a worker that has it.
 */
export async function ownMethod({ said = '', maxTokens = 16, comment = '', continues }: Edited) {
  const module = join(await temporaryFolder(), 'read-once.ts');
  const declare = join(packageRoot(), 'dist', 'workflows', 'declare.js');
  await writeFile(
    module,
    `${comment}
import { answered, defineMethod, defineStep, verdict } from '${declare}';

export const secondLook = defineStep<{ question: string }, boolean>({
  name: 'secondLook',
  prompt: { name: 'second-look', text: '{{question}}' },
  maxTokens: ${maxTokens},
  output: verdict('Yes'),
  fallback: () => false,
});

export const readOnce = defineMethod({
  module: import.meta.url,
  name: 'readOnce',
  options: {},
  ${continues ? `continues: ${JSON.stringify(continues)},` : ''}
  async algorithm({ question, step, ask }) {
    const reading = await step.read({ question, passages: [], demonstrations: [] });
    if (reading === '') await ask(secondLook, { question });
    return answered(\`\${reading}${said}\`, [], null);
  },
});
`,
  );
  const { readOnce } = await loadModule(module);
  const { methods = [], steps = [] } = await withSteps({
    methods: [readOnce as OwnMethod<unknown>],
    steps: [],
  });
  const [method] = methods as OwnMethod<unknown>[];
  if (!method) throw new Error('There is no method.');
  return { method, methods: methodRegistry(methods), steps: registeredSteps({ steps }).steps };
}

/**
 * Returns the bundles of the workflows with `readOnce` as it was edited to say nothing behind the
 * answer, and as it was edited to say something: to bundle takes seconds.
 */
export async function bundledTwice(
  method: OwnMethod<unknown>,
  said: string,
): Promise<[code: string, next: string]> {
  const { code } = await bundleWorkflows({ methods: [method] });
  const next = code.replace(`(\`\${reading}\`, `, () => `(\`\${reading}${said}\`, `);
  if (next === code) throw new Error('The bundle has no method that says nothing more.');
  // What the bundle says of its version is that of the code before.
  return [code, next.replace(/\n\/\/# durableRag=.*/, '')];
}
