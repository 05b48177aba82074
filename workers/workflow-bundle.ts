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
import { moduleFile } from '../interpreters/steps-asked.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { type Folder, namedModules } from './module-names.js';
import { entryWith } from './workflow-entry.js';

/** Where the build puts the bundle. */
export const BUNDLE_FILE = join(packageRoot(), 'dist', 'workflow-bundle.js');

/** As built: the bundler needs none of the sources. */
export const OUR_WORKFLOWS = join(packageRoot(), 'dist', 'workflows', 'entry.js');

/** Makes payloads of what failures say, for a codec. */
export const ENCODED_FAILURES = join(packageRoot(), 'dist', 'workers', 'encoded-failures.cjs');

/** What a bundle is made of beside our workflows. */
export interface BundledWith {
  /** Methods of one's own; their modules are bundled. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
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
  { encoded = false, interceptors = [] }: Omit<BundledWith, 'methods'>,
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
      'lacks the interceptors of workflows that this worker has (those of traces included): leave it out, and the workflows are bundled when the worker starts.',
    );
  }
  return { codePath };
}

/**
 * Returns our workflows and those of methods of one's own, bundled with the SDK that is installed;
 * this takes some seconds. The bundle follows from the content alone: neither the folders nor the
 * process that it was made in are told in it, so that it is one version wherever it is made.
 *
 * @throws Failure BadInput for a method without its module, what the bundler says of a module that
 *   cannot be bundled.
 * @example
 * const { code } = await bundleWorkflows({ methods: [lookTwice] });
 * await writeFile('workflow-bundle.js', code);
 */
export async function bundleWorkflows(made: BundledWith = {}): Promise<{ code: string }> {
  const { methods = [] } = made;
  if (methods.length === 0) return bundleEntry({ ...made, entry: OUR_WORKFLOWS });
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'durable-rag-workflows-')));
  try {
    const files = [...new Set(methods.map(fileOf))];
    const own = methods.map((method) => ({
      name: method.name,
      module: `${OWN}-${files.indexOf(fileOf(method))}`,
    }));
    const entry = join(folder, 'entry.js');
    await writeFile(entry, entryWith(OURS, own));
    const folders: Folder[] = [
      { path: folder, name: 'durable-rag-entry' },
      ...[...new Set(files.map((file) => dirname(file)))].map((path) => ({ path, name: '.' })),
    ];
    const names = Object.fromEntries(files.map((file, i) => [`${OWN}-${i}$`, file]));
    return await bundleEntry({ ...made, entry, folders, names });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws Failure BadInput if the method does not say where it is. */
function fileOf({ name, module }: OwnMethod<unknown>): string {
  if (module !== undefined) return realpathSync(moduleFile(module));
  throw new Failure(
    'BadInput',
    `methods: "${name}" does not say where it is, so it has no workflow here; declare it with module: import.meta.url.`,
  );
}

/** The bundler makes names of variables of paths: these stand for them. */
const OURS = 'durable-rag-workflows';
const OWN = 'own-method';

interface Entry extends Omit<BundledWith, 'methods'> {
  /** The module whose exports are the workflows. */
  entry: string;
  folders?: readonly Folder[];
  /** Files by what the entry calls them. */
  names?: Record<string, string>;
}

/** Bundles an entry with the SDK that is installed. */
export async function bundleEntry({
  entry,
  encoded = false,
  interceptors = [],
  folders = [],
  names: own = {},
}: Entry): Promise<{ code: string }> {
  const require = createRequire(import.meta.url);
  const names = namedModules(folders);
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    ...(encoded && { failureConverterPath: ENCODED_FAILURES }),
    workflowInterceptorModules: [...interceptors],
    // Otherwise every question loads all of them anew, and compiles their patterns: 6 ms of CPU.
    preloadModules: [entry],
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
          [OURS]: dirname(OUR_WORKFLOWS),
          ...own,
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
