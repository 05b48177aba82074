/**
 * Reports which parts of the local stack this machine has, without starting or downloading
 * anything.
 */
import { temporalTarget } from '../client/temporal-target.js';
import { setting } from '../core/settings.js';
import { readableBytes } from '../files/disk.js';
import {
  installCommand,
  isInstalled,
  OPTIONAL_PARTS,
  type PartName,
} from '../stores/optional-parts.js';
import { readConfig } from '../workers/config.js';
import { type Artifact, buildOf, MODELS, TEMPORAL, XLLAMACPP } from './artifacts.js';
import { type FetchContext, isFetched, obtainArtifact } from './fetch.js';
import { installSearchEngine, SEARCH_ENGINE_PART } from './fetch-part.js';
import { findProgram } from './find-program.js';
import { hasEndpoint } from './local-model.js';
import { obtainModelServer } from './model-server.js';
import { portAnswers } from './tcp-ports.js';

/**
 * The finding about one part of the local stack, or one service: its state, and what to do if it
 * is missing.
 */
export interface PartFinding {
  /** Name of the part. */
  part: string;
  /**
   * `there`: it can be used. `fetched`: it is missing, and `demo` and `dev` will download it.
   * `missing`: it must be installed. `unused`: the settings do not need it.
   */
  state: 'there' | 'fetched' | 'missing' | 'unused';
  /** The state as a phrase: where the part is, or what will be downloaded. */
  text: string;
  /** Size of the download in bytes; absent if nothing would be downloaded. */
  bytes?: number;
  /**
   * Command or advice to install it; absent if it is there, or is a file that `demo` and `dev`
   * fetch.
   */
  mend?: string;
  /** Downloads the part; absent if it cannot be downloaded or is there. */
  fetch?(context: FetchContext): Promise<unknown>;
}

type Machine = Pick<FetchContext, 'env' | 'home'>;

/**
 * Returns an array of the findings about the local stack: the Temporal server, the model and its
 * server (one finding for both if its port answers), and the search engine, in this order. A
 * Temporal server or model whose address is configured is not part of the local stack and has no
 * finding. Starts and downloads nothing.
 *
 * @param hasModel Whether another model is used, so that the local one has no finding either.
 * @throws Failure BadInput if a setting is wrong; SetupError if a part that is missing is not
 * pinned for this platform.
 */
export async function stackFindings(context: Machine, hasModel = false): Promise<PartFinding[]> {
  const { port } = temporalTarget(context.env);
  const found = await Promise.all([
    port === undefined ? [] : temporalFinding(port, context),
    hasModel || hasEndpoint(context.env) ? [] : modelFindings(context),
    engineFinding(context),
  ]);
  return found.flat();
}

async function temporalFinding(port: number, { env, home }: Machine): Promise<PartFinding> {
  const part = 'Temporal';
  if (await portAnswers(port)) return { part, state: 'there', text: `127.0.0.1:${port} answers` };
  const onPath = await findProgram('temporal', env);
  if (onPath) return { part, state: 'there', text: `${onPath} (on the PATH)` };
  return artifactFinding(TEMPORAL, home);
}

async function modelFindings({ env, home }: Machine): Promise<PartFinding[]> {
  const part = 'Model';
  const port = setting(env, 'DURABLE_RAG_MODEL_PORT');
  if (await portAnswers(port)) {
    return [{ part, state: 'there', text: `127.0.0.1:${port} answers` }];
  }
  const artifact = MODELS[setting(env, 'DURABLE_RAG_LOCAL_MODEL')];
  return [await artifactFinding(artifact, home), await modelServerFinding({ env, home })];
}

async function modelServerFinding({ env, home }: Machine): Promise<PartFinding> {
  const part = 'Model server';
  const onPath = await findProgram('llama-server', env);
  if (onPath) return { part, state: 'there', text: `${onPath} (on the PATH)` };
  const python = (await findProgram('python3', env)) ?? (await findProgram('python', env));
  if (python) return artifactFinding(XLLAMACPP, home, obtainModelServer);
  return {
    part,
    state: 'missing',
    text: 'neither llama-server nor a Python is on the PATH',
    mend: 'install llama.cpp or Python 3.10, or set OPENAI_API_KEY or OPENAI_BASE_URL',
  };
}

async function artifactFinding(
  artifact: Artifact,
  home: string,
  fetch: PartFinding['fetch'] = (context) => obtainArtifact(artifact, context),
): Promise<PartFinding> {
  const { part, title, sources } = artifact;
  if (await isFetched(artifact, home)) return { part, state: 'there', text: `${title}, fetched` };
  const bytes = sources[0]?.size ?? buildOf(artifact)[0];
  const text = `${title}, ${readableBytes(bytes)} to fetch`;
  return { part, state: 'fetched', text, bytes, fetch };
}

async function engineFinding({ env }: Pick<FetchContext, 'env'>): Promise<PartFinding> {
  const part = 'Search';
  const name: PartName = readConfig(env).elasticsearch ? 'elasticsearch' : SEARCH_ENGINE_PART;
  const { title, megabytes } = OPTIONAL_PARTS[name];
  if (await isInstalled(name)) return { part, state: 'there', text: `${title}, installed` };
  const mend = installCommand(name);
  if (name !== SEARCH_ENGINE_PART) return { part, state: 'missing', text: title, mend };
  const text = `${title}, ${megabytes} MB to install`;
  return { part, state: 'fetched', text, bytes: megabytes * 1e6, mend, fetch: installSearchEngine };
}
