/** What a worker is set up with: what the environment says, under what the options say. */
import { allowedFolders } from '../stores/allowed-files.js';
import { readKeyring } from '../stores/encryption/keyring.js';
import { readConfig, type WorkerConfig } from './config.js';
import type { OwnParts } from './options.js';

/** @throws Failure naming the variables that are wrong. */
export function workerConfig(
  env: NodeJS.ProcessEnv,
  { defaultModel, prompts, allowedFolders: folders, encryptionKeys, limits = {} }: OwnParts = {},
): WorkerConfig {
  const config = readConfig(env);
  const { concurrency, tokensPerMinute, maxRetryAfterSeconds, graceSeconds } = limits;
  return {
    ...config,
    defaultModel: defaultModel ?? config.defaultModel,
    prompts: prompts ?? config.prompts,
    keyring: encryptionKeys === undefined ? config.keyring : readKeyring(encryptionKeys),
    allowedFolders: allowedFolders(env, folders),
    concurrency: concurrency ?? config.concurrency,
    tokensPerMinute: tokensPerMinute === undefined ? config.tokensPerMinute : tokensPerMinute,
    graceSeconds: graceSeconds ?? config.graceSeconds,
    maxRetryAfterMs:
      maxRetryAfterSeconds === undefined ? config.maxRetryAfterMs : maxRetryAfterSeconds * 1000,
  };
}
