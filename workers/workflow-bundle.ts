/** The workflows, bundled once at build time so that a worker starts without a bundler. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { packageRoot } from '../stores/package-root.js';

/** Where the build puts the bundle. */
export const BUNDLE_FILE = join(packageRoot(), 'dist', 'workflow-bundle.js');

/**
 * The prebuilt bundle, as Worker.create takes it.
 *
 * @throws when the package has not been built.
 */
export function workflowBundle(): { codePath: string } {
  if (!existsSync(BUNDLE_FILE)) {
    throw new Error(`The workflow bundle is missing; run "npm run build" in ${packageRoot()}.`);
  }
  return { codePath: BUNDLE_FILE };
}

/**
 * Tells one state of the workflows' code from another. The SDK's own is of ninety characters, and
 * it stands in the history of every question some fifteen times.
 */
export async function buildIdOf(bundle: WorkflowBundleOption): Promise<string> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  return createHash('sha256').update(code).digest('hex').slice(0, 12);
}
