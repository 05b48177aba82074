/** The commands of durable-rag over the local model, whatever endpoint the user has set up. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from '../stores/home.js';
import { findModel } from '../temporal-dev/local-model.js';
import { freePort } from '../temporal-dev/tcp-ports.js';
import { commandsWith, type Type } from './commands.js';
import { quietReporter } from './speed/quiet-reporter.js';
import { workerEnv } from './speed/worker-env.js';
import type { TemporalStage } from './temporal-stage.js';

export interface LocalCommands {
  run: Type;
  env: NodeJS.ProcessEnv;
  /** The name of the model. */
  model: string;
}

/**
 * Starts a server of the model, in whose prefix cache nothing is yet.
 *
 * @param out Where indexes, answers and what was paid for are kept; the next start goes on from there.
 */
export async function startLocalCommands(
  { folder, temporal, takeDown }: TemporalStage,
  out: string,
): Promise<LocalCommands> {
  const home = homeFolder(process.env);
  const place = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
  const { baseUrl = '', ...found } = await findModel({
    env: { ...process.env, ...place, DURABLE_RAG_MODEL_PORT: await modelPort(out) },
    home,
    reporter: quietReporter,
  });
  takeDown(() => found.child?.stop());
  const model = found.model ?? '';
  const env = {
    ...workerEnv({ folder, temporal }, baseUrl, model),
    // It has what was fetched.
    DURABLE_RAG_HOME: home,
    DURABLE_RAG_CORPORA: path.join(out, 'corpora'),
    DURABLE_RAG_STORE: path.join(out, 'store'),
    DURABLE_RAG_RESULTS: path.join(out, 'runs'),
    DURABLE_RAG_EMBEDDING_MODEL: 'local',
    DURABLE_RAG_CONCURRENCY: '2',
  };
  return { run: commandsWith(env, folder), env, model };
}

/** Returns the port of the first start: the address of the model is part of a run's identity. */
async function modelPort(out: string): Promise<string> {
  const file = path.join(out, 'model-port');
  await mkdir(out, { recursive: true });
  await writeFile(file, String(await freePort()), { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}
