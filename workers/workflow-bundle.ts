/** The workflows, bundled once at build time so that a worker starts without a bundler. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';
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
 * Our workflows and somebody's own, bundled together; takes some seconds.
 *
 * @param own A module whose exports are workflows, as a path or a file URL.
 * @throws what the bundler says when the module cannot be bundled.
 */
export async function bundleWith(own: string | URL): Promise<WorkflowBundleOption> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-workflows-'));
  try {
    const modules = [fileURLToPath(new URL('../workflows/index.js', import.meta.url)), pathOf(own)];
    const entry = join(folder, 'entry.js');
    const lines = modules.map((module) => `export * from ${JSON.stringify(module)};\n`);
    await writeFile(entry, lines.join(''));
    return await bundleWorkflowCode({ workflowsPath: entry, logger: new DefaultLogger('WARN') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pathOf(module: string | URL): string {
  return String(module).startsWith('file:') ? fileURLToPath(module) : resolve(String(module));
}

/**
 * Tells one state of the workflows' code from another. The SDK's own is of ninety characters, and
 * it stands in the history of every question some fifteen times.
 */
export async function buildIdOf(bundle: WorkflowBundleOption): Promise<string> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  return createHash('sha256').update(code).digest('hex').slice(0, 12);
}
