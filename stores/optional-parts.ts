/** Optional parts of the program, whose packages are installed separately. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCodeOf, Failure } from '../core/failure.js';
import { homeFolder } from './home.js';
import { packageRoot } from './package-root.js';

/** A part of the program whose packages are installed separately. */
interface OptionalPart {
  /** Its name for people, as the beginning of a sentence. */
  title: string;
  packages: readonly [string, ...string[]];
  /** Disk space of its packages and their dependencies. */
  megabytes: number;
  /** The alternative without it. */
  otherwise: string;
}

/**
 * The parts of durable-rag whose packages are installed separately, by name: each with its
 * `packages`, their size in `megabytes`, and words for messages (its `title`, and what to do
 * `otherwise`). The packages are optional peer dependencies; `npm run test:peers` tests their
 * version ranges.
 */
export const OPTIONAL_PARTS = {
  lancedb: {
    title: 'The embedded search engine',
    packages: ['@lancedb/lancedb'],
    megabytes: 195,
    otherwise: 'search elsewhere: DURABLE_RAG_SEARCH=elasticsearch, or retrievers of your own',
  },
  elasticsearch: {
    title: 'Search in Elasticsearch',
    packages: ['@elastic/elasticsearch'],
    megabytes: 28,
    otherwise: 'set DURABLE_RAG_SEARCH=lancedb',
  },
  embeddings: {
    title: 'The local embedding model',
    packages: ['onnxruntime-web', '@huggingface/tokenizers'],
    megabytes: 142,
    otherwise: 'set DURABLE_RAG_EMBEDDING_MODEL to a model of an endpoint',
  },
  parquet: {
    title: 'Reading Parquet files',
    packages: ['hyparquet', 'hyparquet-compressors'],
    megabytes: 2,
    otherwise: 'write the file as JSON Lines',
  },
  redis: {
    title: 'A store in Redis',
    packages: ['@redis/client'],
    megabytes: 9,
    otherwise: 'set DURABLE_RAG_STORE to another store',
  },
  traces: {
    title: 'Tracing',
    packages: ['@opentelemetry/api', '@temporalio/interceptors-opentelemetry'],
    megabytes: 2,
    otherwise: 'set OTEL_TRACES_EXPORTER=none',
  },
} as const satisfies Record<string, OptionalPart>;

/** Name of an optional part, such as "redis": a key of `OPTIONAL_PARTS`. */
export type PartName = keyof typeof OPTIONAL_PARTS;

/**
 * Runs a function that loads modules of an optional part, and returns its result.
 *
 * @throws Failure BadInput with the installation command if a package is not installed.
 */
export async function withOptionalPart<T>(name: PartName, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw notInstalled(name, cause);
  }
}

/**
 * Returns the failure BadInput for an optional part that is not installed, with the command that
 * installs it.
 */
export function notInstalled(name: PartName, cause: unknown): Failure {
  const { title, otherwise } = OPTIONAL_PARTS[name];
  const message = `${title} is not installed: ${installCommand(name)}, or ${otherwise}.`;
  return new Failure('BadInput', message, { cause });
}

/**
 * Imports a package of an optional part, or a dependency of the part's first package. Uses the
 * installed packages, or else those that `demo` or `dev` has downloaded into the home folder.
 *
 * @throws Failure BadInput with the installation command if the package is in neither place.
 */
export function importPart<T>(name: PartName, specifier: string): Promise<T> {
  return withOptionalPart(name, async () => {
    const [first] = OPTIONAL_PARTS[name].packages;
    const entry = resolved(first, import.meta.url) ?? resolved(first, fetchedFolder(name));
    if (entry === undefined) return (await import(specifier)) as T;
    return (await import(pathToFileURL(createRequire(entry).resolve(specifier)).href)) as T;
  });
}
/**
 * Returns whether an optional part can be used: all its packages are installed, or `demo` or `dev`
 * has downloaded them into the home folder.
 */
export async function isInstalled(name: PartName): Promise<boolean> {
  const { packages } = OPTIONAL_PARTS[name];
  try {
    await Promise.all(packages.map((one) => import(one)));
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return resolved(packages[0], fetchedFolder(name)) !== undefined;
  }
}

/**
 * Returns the shell command that installs an optional part with the tested versions: `npm install
 * NAME@VERSION ...`.
 */
export function installCommand(name: PartName): string {
  return `npm install ${OPTIONAL_PARTS[name].packages.map((one) => `${one}@${version(one)}`).join(' ')}`;
}

/**
 * Returns the path of the folder into which `demo` and `dev` download the packages of an optional
 * part in the tested versions. It is below the home folder, and need not exist.
 */
export function fetchedFolder(name: PartName): string {
  const pinned = OPTIONAL_PARTS[name].packages.map((one) => version(one)).join('-');
  return join(homeFolder(process.env), 'packages', `${name}-${pinned}`);
}

/**
 * Returns the file of a package as resolved from a file or folder; undefined if it is not found.
 */
function resolved(name: string, from: string): string | undefined {
  const place = from.startsWith('file:') ? from : join(from, 'package.json');
  try {
    return createRequire(place).resolve(name);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return /^(ERR_)?MODULE_NOT_FOUND$/.test(errorCodeOf(error) ?? '');
}

function version(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return String(devDependencies[name]).replace(/^[\^~]/, '');
}
