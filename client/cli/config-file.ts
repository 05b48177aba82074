/** A durable-rag.config.ts: what the workers and the commands of a folder are made of. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../methods/failure.js';
import { suggestion } from '../../methods/options/nearest.js';
import type { DurableRagOptions } from '../../workers/options.js';

const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `durable-rag.config.${ending}`);

const KNOWN: Record<keyof DurableRagOptions, true> = {
  model: true,
  defaultModel: true,
  embeddings: true,
  reranker: true,
  corpora: true,
  store: true,
  results: true,
  prompts: true,
  allowedFolders: true,
  encryptionKeys: true,
  prices: true,
  limits: true,
  only: true,
  versioned: true,
  methods: true,
  steps: true,
  metrics: true,
  localEmbeddings: true,
  env: true,
  workflows: true,
  codec: true,
  interceptors: true,
  warn: true,
};

/**
 * The options that a config file gives: the one named, or one in the folder; undefined where there
 * is none. TypeScript is loaded as it is.
 *
 * @throws Failure BadInput naming the file.
 */
export async function loadConfig(
  named: string | undefined,
  folder = process.cwd(),
): Promise<DurableRagOptions | undefined> {
  const file =
    named === undefined
      ? NAMES.map((name) => join(folder, name)).find((name) => existsSync(name))
      : resolve(folder, named);
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new Failure('BadInput', `--config: there is no file ${file}.`);
  const options = checked(file, await exported(file));
  const { workflows, prompts, allowedFolders } = options;
  return {
    ...options,
    ...(workflows !== undefined && { workflows: beside(file, workflows) }),
    ...(prompts !== undefined && { prompts: resolve(dirname(file), prompts) }),
    ...(allowedFolders && {
      allowedFolders: allowedFolders.map((folder) => resolve(dirname(file), folder)),
    }),
  };
}

/** Loaded when there is such a file: what reads TypeScript is needed by nothing else. */
async function exported(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  try {
    const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false });
    const { default: options } = await jiti.import<{ default?: unknown }>(file);
    return options;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('BadInput', `${file} cannot be loaded: ${reason}`, { cause: error });
  }
}

function checked(file: string, options: unknown): DurableRagOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new Failure('BadInput', `${file}: export default defineConfig({ ... }) is missing.`);
  }
  const known = Object.keys(KNOWN);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return options;
  throw new Failure(
    'BadInput',
    `${file}: there is no option "${unknown}"${suggestion(unknown, known)}`,
  );
}

/** A path in a config file is seen from its folder. */
function beside(file: string, path: string | URL): string | URL {
  return path instanceof URL || path.startsWith('file:') ? path : resolve(dirname(file), path);
}
