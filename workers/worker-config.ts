/** What a worker is set up with: what the environment says, under what the options say. */
import { parseUsual } from '../core/options/input.js';
import { modelFor } from '../core/step-models.js';
import { STEP_NAMES } from '../steps/table.js';
import { readKeyring } from '../stores/encryption/keyring.js';
import { readConfig, type WorkerConfig } from './config.js';
import type { OwnParts } from './options.js';

/** @throws Failure naming the variables that are wrong. */
export function workerConfig(
  env: NodeJS.ProcessEnv,
  {
    defaultModel,
    models,
    outputs,
    prompts,
    encryptionKeys,
    limits = {},
    steps = [],
    metrics = [],
  }: OwnParts = {},
): WorkerConfig {
  const known = [...STEP_NAMES, ...[...steps, ...metrics].map(({ name }) => name)];
  const usual = (models || outputs) && parseUsual({ models, outputs }, known);
  const config = readConfig(env);
  const { concurrency, tokensPerMinute, maxRetryAfterSeconds, graceSeconds } = limits;
  return {
    ...config,
    defaultModel: modelFor('default', usual?.models ?? {}, defaultModel ?? config.defaultModel)
      .model,
    ...(usual && { usual }),
    prompts: prompts ?? config.prompts,
    keyring: encryptionKeys === undefined ? config.keyring : readKeyring(encryptionKeys),
    concurrency: concurrency ?? config.concurrency,
    tokensPerMinute: tokensPerMinute === undefined ? config.tokensPerMinute : tokensPerMinute,
    graceSeconds: graceSeconds ?? config.graceSeconds,
    maxRetryAfterMs:
      maxRetryAfterSeconds === undefined ? config.maxRetryAfterMs : maxRetryAfterSeconds * 1000,
  };
}
