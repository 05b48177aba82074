/** Finds a program that serves a GGUF model with OpenAI's API: a build of llama.cpp's server. */
import { dirname } from 'node:path';
import { XLLAMACPP } from './artifacts.js';
import { type FetchContext, obtainArtifact } from './fetch.js';
import { childEnvironment, findProgram, stdoutOf } from './find-program.js';
import { DiskFullError, reasonOf, SetupError } from './setup-error.js';

/**
 * A program that serves a local model: its command, the first arguments, the environment
 * variables, and where it was found.
 */
export interface ModelServerProgram {
  command: string;
  /** Arguments that come before the settings. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Place where the program was found, for messages. */
  origin: string;
}

/**
 * Settings of the local model server: size of the context in tokens, number of parallel slots, and
 * size of the prompt cache in MiB.
 */
export const SERVING = {
  context: 8_192,
  // Measured with SuRe on two cores. With one slot, SuRe's calls reuse the processed passages (2,415
  // of 2,440 tokens). With two slots, the second summary runs in the other slot and processes them
  // again: 49 s a question instead of 32, or 67 s with `--kv-unified`. Parallel calls wait in the
  // server's queue.
  slots: 1,
  // The passages of an interrupted question stay in the prompt cache, about 70 MB each: two questions
  // at once took 60 s.
  cacheRamMiB: 2_048,
} as const;

/** Python program that runs the server in the extension xllamacpp, with llama-server's options. */
const XLLAMACPP_PROGRAM = `
import signal, sys, xllamacpp as x
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
p = x.CommonParams()
p.model.path, p.model_alias = given['--model'], {given['--alias']}
p.hostnames, p.port = [given['--host']], int(given['--port'])
p.n_ctx, p.n_parallel = int(given['--ctx-size']), int(given['--parallel'])
p.cache_ram_mib, p.n_gpu_layers, p.ui = int(given['--cache-ram']), 0, False
server = x.Server(p)
while True: signal.pause()
`;

/**
 * Returns how to start the server of a local model (`command`, its first `args`, `env`) and where
 * it was found (`origin`): `llama-server` on the PATH, or else the pinned build, which Python runs
 * and which is downloaded if it is missing. Starts no server.
 *
 * @throws {SetupError} with the reason why there is none, and what to set.
 */
export async function obtainModelServer(context: FetchContext): Promise<ModelServerProgram> {
  const env = childEnvironment(context.env);
  const onPath = await findProgram('llama-server', env);
  if (onPath !== undefined) {
    return { command: onPath, args: [], env, origin: `${onPath} (on the PATH)` };
  }
  try {
    const python = (await findProgram('python3', env)) ?? (await findProgram('python', env));
    if (python === undefined) throw new SetupError('xllamacpp needs a Python on the PATH');
    const library = await obtainArtifact(XLLAMACPP, context);
    const inside = { ...env, PYTHONPATH: dirname(dirname(library)) };
    await stdoutOf(python, ['-c', 'import xllamacpp'], inside);
    const args = ['-c', XLLAMACPP_PROGRAM];
    return { command: python, args, env: inside, origin: XLLAMACPP.title };
  } catch (error) {
    context.signal?.throwIfAborted();
    if (error instanceof DiskFullError) throw error;
    throw new SetupError(
      'There is no model server for the local model: llama-server is not on the PATH, and\n' +
        `${reasonOf(error).trim()}\n` +
        'Install llama.cpp so that llama-server is on the PATH, or use a model of your own: set ' +
        'OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible endpoint.',
      { cause: error },
    );
  }
}
