import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Failure, messageOf } from '../core/failure.js';
import { checkAgainst } from '../core/options/checked.js';
import { extraBody } from '../core/options/extra-body.js';
import { models, outputs } from '../core/options/input.js';
import { describeProblems } from '../core/options/problems.js';
import { ROLES } from '../core/roles.js';
import { withSteps } from '../interpreters/find-own-steps.js';
import { loadModule } from '../stores/load-module.js';
import type { DurableRagOptions } from '../workers/worker-options.js';

const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `durable-rag.config.${ending}`);

const madeByCode = z.unknown().optional();
const share = z.number().positive().max(1);

/** Schema of a config file. Plain data is checked; objects made by code are accepted unchecked. */
const configOptions = z.strictObject({
  defaultModel: z.string().min(1).optional(),
  models: models.optional(),
  outputs: outputs.optional(),
  prompts: z.string().min(1).optional(),
  limits: z
    .strictObject({
      concurrency: z
        .union([z.int().min(1), z.literal('auto'), z.strictObject({ memory: share, cpu: share })])
        .optional(),
      tokensPerMinute: z.int().min(1).nullable().optional(),
      maxRetryAfterSeconds: z.number().min(0).optional(),
      graceSeconds: z.number().min(0).optional(),
    })
    .optional(),
  extraBody: extraBody.optional(),
  only: z.array(z.enum(ROLES)).optional(),
  versioned: z.boolean().optional(),
  methods: z.array(z.unknown()).optional(),
  steps: z.array(z.unknown()).optional(),
  metrics: z.array(z.unknown()).optional(),
  datasets: z.array(z.unknown()).optional(),
  model: madeByCode,
  embeddings: madeByCode,
  reranker: madeByCode,
  corpora: madeByCode,
  store: madeByCode,
  results: madeByCode,
  prices: madeByCode,
  tenants: madeByCode,
  encryptionKeys: madeByCode,
  localEmbeddings: madeByCode,
  env: madeByCode,
  workflowBundle: madeByCode,
  codec: madeByCode,
  interceptors: madeByCode,
  warn: madeByCode,
} satisfies Record<keyof DurableRagOptions, z.ZodType>);

/**
 * Returns the options of a config file: of the named one, otherwise of the one in the folder;
 * undefined if there is none. The steps in the modules of its methods are added, and its paths are
 * resolved. TypeScript needs no compilation.
 *
 * @param named Path of the file, from the flag `--config`.
 * @throws Failure BadInput naming the file, or the module of a method.
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
  const { workflowBundle, prompts } = options;
  return {
    ...(await withSteps(options)),
    ...(workflowBundle !== undefined && { workflowBundle: beside(file, workflowBundle) }),
    ...(prompts !== undefined && { prompts: resolve(dirname(file), prompts) }),
  };
}

/** Returns the default export of a module. @throws Failure BadInput naming the file. */
async function exported(file: string): Promise<unknown> {
  try {
    return (await loadModule(file)).default;
  } catch (error) {
    const reason = messageOf(error);
    throw new Failure('BadInput', `${file} cannot be loaded: ${reason}`, { cause: error });
  }
}

/**
 * Returns the options of a config file after checking them.
 *
 * @throws Failure BadInput naming the file and every option that is wrong.
 */
function checked(file: string, options: unknown): DurableRagOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new Failure('BadInput', `${file}: export default defineConfig({ ... }) is missing.`);
  }
  const { problems } = checkAgainst(configOptions, options);
  if (problems === undefined) return options;
  throw new Failure('BadInput', `${file}: ${describeProblems(problems)}`);
}

/** Returns a path in a config file, resolved from the file's folder. */
function beside(file: string, path: string | URL): string | URL {
  return path instanceof URL || path.startsWith('file:') ? path : resolve(dirname(file), path);
}
