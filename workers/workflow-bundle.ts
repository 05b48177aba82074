/** The workflows, bundled once at build time so that a worker starts without a bundler. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
