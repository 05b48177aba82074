/** The workflows, bundled once at build time so that a worker starts without a bundler. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';
import { packageRoot } from '../stores/package-root.js';

/** Where the build puts the bundle. */
export const BUNDLE_FILE = join(packageRoot(), 'dist', 'workflow-bundle.js');
/** Where it says which SDK the bundle holds. */
export const MADE_BY_FILE = join(packageRoot(), 'dist', 'workflow-bundle.json');

/** As built: the bundler needs none of the sources. */
const OUR_WORKFLOWS = join(packageRoot(), 'dist', 'workflows', 'index.js');

/** Makes payloads of what failures say, for a codec. */
export const ENCODED_FAILURES = join(packageRoot(), 'dist', 'workers', 'encoded-failures.cjs');

export interface BundleSettings {
  /** Says which SDK made the bundle. */
  madeByFile?: string;
  /** Whether failures are told in payloads: another bundle, which is made each time. */
  encoded?: boolean;
  /** Modules of workflow interceptors: another bundle as well. */
  interceptors?: readonly string[] | undefined;
}

/** What a bundle is made with, beside the workflows. */
type BundledWith = Pick<BundleSettings, 'encoded' | 'interceptors'>;

/**
 * The prebuilt bundle, as Worker.create takes it. The bundle holds the half of the SDK that runs
 * inside a workflow, and must be of one version with the half outside: where another version is
 * installed, it is bundled anew, and `warn` is told.
 *
 * @throws when the package has not been built.
 */
export async function workflowBundle(
  warn: (message: string) => void,
  { madeByFile = MADE_BY_FILE, ...beside }: BundleSettings = {},
): Promise<WorkflowBundleOption> {
  if (!existsSync(BUNDLE_FILE)) {
    throw new Error(`The workflow bundle is missing; run "npm run build" in ${packageRoot()}.`);
  }
  if (beside.encoded || beside.interceptors) return bundleOurs(beside);
  const madeBy = sdkOf(madeByFile);
  const installed = sdkVersion();
  if (madeBy === installed) return { codePath: BUNDLE_FILE };
  warn(
    `The workflows were bundled with ${madeBy === undefined ? 'another version of' : `version ${madeBy} of`} Temporal's SDK, and ${installed} is installed: bundling them again, which takes some seconds. To start without, install @temporalio/* in the version that durable-rag names.`,
  );
  return bundleOurs();
}

/** The version of the SDK that is installed. */
export function sdkVersion(): string {
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json');
  return version;
}

function sdkOf(file: string): string | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sdk : undefined;
}

/**
 * Our workflows, bundled with the SDK that is installed. It names files from the package's folder
 * on: where it was built is in no stack, and makes no other build of it.
 */
export async function bundleOurs(beside: BundledWith = {}): Promise<{ code: string }> {
  const { code } = await bundled(OUR_WORKFLOWS, beside);
  return { code: code.replace(SOURCE_MAP, (_, head, map) => head + withoutFolder(map)) };
}

const SOURCE_MAP =
  /(?<=\n)(\/\/# sourceMappingURL=data:application\/json;[^,\n]*base64,)([\w+/=]+)/;

function withoutFolder(map: string): string {
  const folder = JSON.stringify(join(packageRoot(), '/')).slice(1, -1);
  const text = Buffer.from(map, 'base64').toString();
  return Buffer.from(text.replaceAll(folder, '')).toString('base64');
}

function bundled(
  workflowsPath: string,
  { encoded, interceptors = [] }: BundledWith,
): Promise<{ code: string }> {
  const require = createRequire(import.meta.url);
  return bundleWorkflowCode({
    workflowsPath,
    ...(encoded && { failureConverterPath: ENCODED_FAILURES }),
    workflowInterceptorModules: [...interceptors],
    // Otherwise every question loads all of them anew, and compiles their patterns: 6 ms of CPU.
    preloadModules: [OUR_WORKFLOWS],
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: ({ module, resolve: resolving, ...config }) => ({
      ...config,
      resolve: {
        ...resolving,
        alias: {
          ...resolving?.alias,
          // One copy, the one that runs the worker, wherever the workflows lie.
          '@temporalio/workflow': dirname(require.resolve('@temporalio/workflow/package.json')),
        },
      },
      module: {
        ...module,
        // A workflow of somebody's own with the name of one of ours would leave none of them.
        parser: { javascript: { ...module?.parser?.javascript, reexportExportsPresence: 'error' } },
      },
    }),
  });
}

/**
 * Our workflows and somebody's own, bundled together; takes some seconds.
 *
 * @param own A module whose exports are workflows, as a path or a file URL.
 * @throws what the bundler says when the module cannot be bundled.
 */
export async function bundleWith(
  own: string | URL,
  beside: BundledWith = {},
): Promise<WorkflowBundleOption> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-workflows-'));
  try {
    const modules = [OUR_WORKFLOWS, pathOf(own)];
    const entry = join(folder, 'entry.js');
    const lines = modules.map((module) => `export * from ${JSON.stringify(module)};\n`);
    await writeFile(entry, lines.join(''));
    return await bundled(entry, beside);
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
