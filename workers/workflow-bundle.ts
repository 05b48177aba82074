/** The workflows, bundled: ours once at build time, so that a worker starts without a bundler. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';
import { Failure } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { packageRoot } from '../stores/package-root.js';
import { type Folder, namedModules } from './module-names.js';

/** Where the build puts the bundle. */
export const BUNDLE_FILE = join(packageRoot(), 'dist', 'workflow-bundle.js');

/** As built: the bundler needs none of the sources. */
const OUR_WORKFLOWS = join(packageRoot(), 'dist', 'workflows', 'index.js');

/** Makes payloads of what failures say, for a codec. */
export const ENCODED_FAILURES = join(packageRoot(), 'dist', 'workers', 'encoded-failures.cjs');

/** What a bundle is made of beside our workflows. */
export interface BundledWith {
  /** A module whose exports are workflows of one's own, as a path or a file URL. */
  workflows?: string | URL | undefined;
  /** Whether failures are told in payloads, as they must be where payloads are encoded. */
  encoded?: boolean | undefined;
  /** Modules of workflow interceptors. */
  interceptors?: readonly string[] | undefined;
}

/** What a bundle says of itself, in a comment before its source map. */
interface BundleFacts {
  /** The SDK that the bundle holds the inner half of. */
  sdk: string;
  encoded: boolean;
  /** What `buildIdOf` tells it by. */
  version: string;
}

/**
 * Returns the prebuilt bundle, as Worker.create takes it. The bundle holds the half of the SDK that
 * runs inside a workflow, and must be of one version with the half outside: where another version
 * is installed, it is bundled anew, and `warn` is told.
 *
 * @throws when the package has not been built.
 */
export async function workflowBundle(
  warn: (message: string) => void,
  file = BUNDLE_FILE,
): Promise<WorkflowBundleOption> {
  if (!existsSync(file)) {
    throw new Error(`The workflow bundle is missing; run "npm run build" in ${packageRoot()}.`);
  }
  const { sdk } = factsOf(readFileSync(file, 'utf8')) ?? {};
  const installed = sdkVersion();
  if (sdk === installed) return { codePath: file };
  warn(
    `The workflows were bundled with ${sdk === undefined ? 'another version of' : `version ${sdk} of`} Temporal's SDK, and ${installed} is installed: bundling them again, which takes some seconds. To start without, install @temporalio/* in the version that durable-rag names.`,
  );
  return bundleWorkflows();
}

export function sdkVersion(): string {
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json');
  return version;
}

/**
 * A bundle that `bundleWorkflows` made beforehand.
 *
 * @throws Failure BadInput where it is none, or was not made for a worker like this one.
 */
export async function givenBundle(
  given: string | URL,
  { encoded = false, interceptors = [] }: Omit<BundledWith, 'workflows'>,
): Promise<WorkflowBundleOption> {
  const codePath = pathOf(given);
  const refused = (why: string) => new Failure('BadInput', `workflowBundle: ${codePath} ${why}`);
  if (!existsSync(codePath)) throw refused('is not there; make it with bundleWorkflows.');
  const facts = factsOf(await readFile(codePath, 'utf8'));
  if (!facts) throw refused('was not made by bundleWorkflows of durable-rag/worker.');
  if (facts.sdk !== sdkVersion()) {
    throw refused(
      `was made with version ${facts.sdk} of Temporal's SDK, and ${sdkVersion()} is installed; make it again.`,
    );
  }
  if (facts.encoded !== encoded) {
    throw refused(
      encoded
        ? 'would leave what failures say in clear, and this worker encrypts; make it with { encoded: true }.'
        : 'was made for workers that encrypt, and this one does not; make it without "encoded".',
    );
  }
  if (interceptors.length > 0) {
    throw refused(
      `lacks the interceptors of workflows that this worker has (those of traces included): give "workflows" in its place, and they are bundled when the worker starts.`,
    );
  }
  return { codePath };
}

/**
 * Our workflows, with somebody's own where there are any, bundled with the SDK that is installed;
 * takes some seconds. What comes out follows from the content alone: neither the folders nor the
 * process that it was made in are told in it, so that it is one version wherever it is made.
 *
 * @throws what the bundler says when a module cannot be bundled.
 * @example
 * const { code } = await bundleWorkflows({ workflows: './workflow.ts' });
 * await writeFile('workflow-bundle.js', code);
 */
export async function bundleWorkflows(made: BundledWith = {}): Promise<{ code: string }> {
  const { workflows } = made;
  if (workflows === undefined) return bundled(OUR_WORKFLOWS, made, []);
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'durable-rag-workflows-')));
  try {
    const own = realpathSync(pathOf(workflows));
    const entry = join(folder, 'entry.js');
    // By names that stand for them: of a path the bundler makes names of variables.
    await writeFile(entry, `export * from '${OURS}';\nexport * from '${OWN}';\n`);
    const folders: Folder[] = [
      { path: folder, name: 'durable-rag-entry' },
      { path: dirname(own), name: '.' },
    ];
    return await bundled(entry, made, folders, own);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OURS = 'durable-rag-workflows';
const OWN = 'own-workflows';

async function bundled(
  workflowsPath: string,
  { encoded = false, interceptors = [] }: BundledWith,
  folders: readonly Folder[],
  own?: string,
): Promise<{ code: string }> {
  const require = createRequire(import.meta.url);
  const names = namedModules(folders);
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    ...(encoded && { failureConverterPath: ENCODED_FAILURES }),
    workflowInterceptorModules: [...interceptors],
    // Otherwise every question loads all of them anew, and compiles their patterns: 6 ms of CPU.
    preloadModules: [OUR_WORKFLOWS],
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: ({ module, resolve: resolving, output, plugins = [], ...config }) => ({
      ...config,
      // Without the sources, of which that of the entry names the folders.
      devtool: 'inline-nosources-source-map',
      output: {
        ...output,
        filename: 'workflow-bundle.js',
        pathinfo: false,
        devtoolModuleFilenameTemplate: names.inSourceMap,
      },
      plugins: [...plugins, names],
      resolve: {
        ...resolving,
        alias: {
          ...resolving?.alias,
          // One copy, the one that runs the worker, wherever the workflows lie.
          '@temporalio/workflow': dirname(require.resolve('@temporalio/workflow/package.json')),
          [`${OURS}$`]: OUR_WORKFLOWS,
          ...(own !== undefined && { [`${OWN}$`]: own }),
        },
      },
      module: {
        ...module,
        // A workflow of somebody's own with the name of one of ours would leave none of them.
        parser: { javascript: { ...module?.parser?.javascript, reexportExportsPresence: 'error' } },
      },
    }),
  });
  return withFacts(code, { sdk: sdkVersion(), encoded, version: names.version() });
}

const FACTS = '//# durableRag=';
const SOURCE_MAP = '\n//# sourceMappingURL=';

function withFacts(code: string, facts: BundleFacts): { code: string } {
  // Behind the code, whose lines the source map counts; the SDK wants the map at the end.
  const at = code.lastIndexOf(SOURCE_MAP);
  return { code: `${code.slice(0, at)}\n${FACTS}${JSON.stringify(facts)}${code.slice(at)}` };
}

function factsOf(code: string): BundleFacts | undefined {
  const at = code.lastIndexOf(`\n${FACTS}`);
  if (at < 0) return undefined;
  return JSON.parse(code.slice(at + 1 + FACTS.length, code.indexOf('\n', at + 1)));
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
  const { version } = factsOf(code) ?? {};
  return (version ?? sha256Of(code)).slice(0, 12);
}
