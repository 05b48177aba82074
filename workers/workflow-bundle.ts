/**
 * The bundled workflows. The shipped ones are bundled once at build time, so that a worker starts
 * without a bundler.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';
import { Failure } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { moduleFile } from '../interpreters/steps-asked.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { type NamedFolder, namedModules } from './module-names.js';
import { entryWithMethods } from './workflow-entry.js';

/** Path of the workflow bundle that the build makes. */
export const BUNDLE_FILE = join(packageRoot(), 'dist', 'workflow-bundle.js');

/** Path of the built module that exports the shipped workflows. */
export const OUR_WORKFLOWS = join(packageRoot(), 'dist', 'workflows', 'entry.js');

/**
 * Path of the failure converter that moves messages of failures into payloads, so that a codec
 * encrypts them.
 */
export const ENCODED_FAILURES = join(packageRoot(), 'dist', 'workers', 'encoded-failures.cjs');

/**
 * The parts of a workflow bundle besides the shipped workflows: custom methods, workflow
 * interceptors, and, for workers with a codec, the failure converter `ENCODED_FAILURES`.
 */
export interface BundledWith {
  /** Custom methods, whose modules are bundled. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  /** Whether messages of failures are put into payloads, as a codec requires. */
  encoded?: boolean | undefined;
  /** Paths of modules with workflow interceptors. */
  interceptors?: readonly string[] | undefined;
}

/** Facts about a bundle, in a comment before its source map. */
interface BundleFacts {
  /** Version of the SDK, whose workflow part is in the bundle. */
  sdk: string;
  encoded: boolean;
  /** Version of the code, returned by `buildIdOf`. */
  version: string;
}

/**
 * Returns the bundle of the shipped workflows for Worker.create: the path of the one made by the
 * build (`codePath`). That bundle contains the SDK's workflow code; if the installed SDK has
 * another version, `warn` is called, the workflows are bundled again, and their `code` is
 * returned.
 *
 * @throws If the package has not been built.
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

/** Returns the version of the installed Temporal SDK, such as "1.13.0". */
export function sdkVersion(): string {
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json');
  return version;
}

/**
 * Checks a bundle file of a worker's options, and returns its path as `codePath` for
 * Worker.create. `bundleWorkflows` must have made it for a worker like this one.
 *
 * @throws Failure BadInput if the file is missing, is no such bundle, or is for another worker.
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
        ? 'would leave the messages of failures unencrypted, and this worker encrypts; make it with { encoded: true }.'
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
 * Bundles the shipped workflows and those of custom methods with the installed SDK, which takes
 * some seconds, and returns the text of the bundle as `code`. The same sources give the same bundle
 * on every machine.
 *
 * @throws Failure BadInput for a method that does not name its module, or that imports a module of
 * Node other than assert, url and util; the bundler's error for a module that cannot be bundled.
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
    await writeFile(entry, entryWithMethods(OURS, own));
    const folders: NamedFolder[] = [
      { path: folder, name: 'durable-rag-entry' },
      ...[...new Set(files.map((file) => dirname(file)))].map((path) => ({ path, name: '.' })),
    ];
    const names = Object.fromEntries(files.map((file, i) => [`${OWN}-${i}$`, file]));
    return await bundleEntry({ ...made, entry, folders, names });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the path of a method's file. @throws Failure BadInput if the method does not name it.
 */
function fileOf({ name, module }: OwnMethod<unknown>): string {
  if (module !== undefined) return realpathSync(moduleFile(module));
  throw new Failure(
    'BadInput',
    `methods: "${name}" does not name its module, so no workflow can be made for it; declare it with module: import.meta.url.`,
  );
}

/** Aliases for paths, from which the bundler would make names of variables. */
const OURS = 'durable-rag-workflows';
const OWN = 'own-method';

interface Entry extends Omit<BundledWith, 'methods'> {
  /** Module whose exports are the workflows. */
  entry: string;
  folders?: readonly NamedFolder[];
  /** Files by the names that the entry uses. */
  names?: Record<string, string>;
}

/** An import, as the bundler passes it. */
interface Imported {
  request?: string;
  /** The importing file. */
  contextInfo?: { issuer: string };
}

/** Modules of Node that the workflow sandbox replaces by its own. */
const SANDBOXED = ['assert', 'url', 'util'];

/**
 * Bundles an entry module and its imports with the installed SDK, and returns the text of the
 * bundle as `code`.
 *
 * @throws Failure BadInput if it imports a module of Node that a workflow cannot use (all but
 * assert, url and util); the bundler's error if it cannot be bundled.
 */
export async function bundleEntry({
  entry,
  encoded = false,
  interceptors = [],
  folders = [],
  names: own = {},
}: Entry): Promise<{ code: string }> {
  const require = createRequire(import.meta.url);
  const names = namedModules(folders);
  const builtins: { name: string; file: string }[] = [];
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    ...(encoded && { failureConverterPath: ENCODED_FAILURES }),
    workflowInterceptorModules: [...interceptors],
    // Otherwise every question would load all modules again and compile their patterns: 6 ms of
    // CPU.
    preloadModules: [entry],
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: ({ module, resolve: resolving, output, plugins = [], ...config }) => ({
      ...config,
      externals: [
        // Webpack's own error for such an import is 70 lines that name no remedy.
        async ({ request: name = '', contextInfo }: Imported) => {
          if (!isBuiltin(name) || SANDBOXED.includes(name)) return undefined;
          builtins.push({ name, file: contextInfo?.issuer ?? entry });
          return `commonjs ${name}`;
        },
        ...[config.externals ?? []].flat(),
      ],
      // The sources are left out, since the entry's contains names of folders.
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
          // A single copy, the one that runs the worker, wherever the workflows are.
          '@temporalio/workflow': dirname(require.resolve('@temporalio/workflow/package.json')),
          [OURS]: dirname(OUR_WORKFLOWS),
          ...own,
        },
      },
      module: {
        ...module,
        // A custom workflow with the name of a shipped one would otherwise remove both.
        parser: { javascript: { ...module?.parser?.javascript, reexportExportsPresence: 'error' } },
      },
    }),
  });
  for (const { name, file } of builtins) {
    throw new Failure(
      'BadInput',
      `methods: ${file} imports "${name}", and a workflow's sandbox has no modules of Node. Keep such code in a module that the method does not import: give it under "steps" of the configuration, as the "act" of an action.`,
    );
  }
  return withFacts(code, { sdk: sdkVersion(), encoded, version: names.version() });
}

const FACTS = '//# durableRag=';
const SOURCE_MAP = '\n//# sourceMappingURL=';

function withFacts(code: string, facts: BundleFacts): { code: string } {
  // Placed after the code, whose lines the source map counts; the SDK requires the map at the end.
  const at = code.lastIndexOf(SOURCE_MAP);
  return { code: `${code.slice(0, at)}\n${FACTS}${JSON.stringify(facts)}${code.slice(at)}` };
}

/** Returns the facts in a bundle's comment; undefined if it has none. */
function factsOf(code: string): BundleFacts | undefined {
  const at = code.lastIndexOf(`\n${FACTS}`);
  if (at < 0) return undefined;
  return JSON.parse(code.slice(at + 1 + FACTS.length, code.indexOf('\n', at + 1)));
}

function pathOf(module: string | URL): string {
  return String(module).startsWith('file:') ? fileURLToPath(module) : resolve(String(module));
}

/**
 * Returns the build id of a bundle: the first 12 hex digits of a hash of its modules, or of its
 * code if `bundleWorkflows` did not make it. The SDK's own id has ninety characters, and each
 * question's history would contain it some fifteen times.
 */
export async function buildIdOf(bundle: WorkflowBundleOption): Promise<string> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  const { version } = factsOf(code) ?? {};
  return (version ?? sha256Of(code)).slice(0, 12);
}
