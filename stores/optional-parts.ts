/** Parts that not everybody needs: their packages are installed by who does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, Failure } from '../core/failure.js';
import { homeFolder } from './home.js';
import { packageRoot } from './package-root.js';

export interface OptionalPart {
  /** What a person calls it, at the beginning of a sentence. */
  title: string;
  packages: readonly [string, ...string[]];
  /** What they take on the disk with all that they need. */
  megabytes: number;
  /** What does without it. */
  otherwise: string;
}

/** All of them. Their versions are the peer dependencies in package.json. */
export const PARTS = {
  lancedb: {
    title: 'The embedded search engine',
    packages: ['@lancedb/lancedb', 'apache-arrow'],
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
    packages: ['@keyv/redis'],
    megabytes: 10,
    otherwise: 'set DURABLE_RAG_STORE to another store',
  },
  traces: {
    title: 'Tracing',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-node',
      '@temporalio/interceptors-opentelemetry',
    ],
    megabytes: 32,
    otherwise: 'set OTEL_TRACES_EXPORTER=none',
  },
} as const satisfies Record<string, OptionalPart>;

export type PartName = keyof typeof PARTS;

/**
 * Loads modules that need the packages of a part.
 *
 * @throws Failure BadInput with the line to type where a package is not installed.
 */
export async function needing<T>(name: PartName, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const { title, otherwise } = PARTS[name];
    throw new Failure(
      'BadInput',
      `${title} is not installed: ${installLine(name)}, or ${otherwise}.`,
      { cause },
    );
  }
}

/**
 * Loads a package of a part: the installed one, or the one that `demo` or `dev` has fetched into
 * the home folder.
 *
 * @throws Failure BadInput with the line to type where it is in neither place.
 */
export function importPart<T>(name: PartName, specifier: string): Promise<T> {
  return needing(name, async () => {
    try {
      return (await import(specifier)) as T;
    } catch (error) {
      if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
      const { load } = await import(pathToFileURL(join(fetchedFolder(name), LOADER)).href);
      return (await load(specifier)) as T;
    }
  });
}

/** Tells whether the packages of a part can be loaded, in the order of `packages`. */
export async function isInstalled(name: PartName): Promise<boolean> {
  const [first] = PARTS[name].packages;
  return importPart(name, first).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false;
      throw error;
    },
  );
}

/** Returns the line that installs a part beside this package. */
export function installLine(name: PartName): string {
  return `npm install ${PARTS[name].packages.map((one) => `${one}@${version(one)}`).join(' ')}`;
}

/** A module that stands beside fetched packages, from where they are found. */
export const LOADER = 'load.mjs';
export const LOADER_CODE = 'export const load = (name) => import(name);\n';

/** Returns where the packages of a part lie that was fetched for this version of durable-rag. */
export function fetchedFolder(name: PartName): string {
  const pinned = PARTS[name].packages.map((one) => version(one)).join('-');
  return join(homeFolder(process.env), 'packages', `${name}-${pinned}`);
}

function version(name: string): string {
  const { peerDependencies } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  return String(peerDependencies[name]).replace(/^[\^~]/, '');
}
