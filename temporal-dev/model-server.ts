/** Finds a program that serves a GGUF model with OpenAI's API: llama.cpp's server in some form. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { LLAMA_SERVER, XLLAMACPP } from './artifacts.js';
import { childEnvironment } from './child-environment.js';
import { type FetchContext, obtain } from './fetch.js';
import { findProgram } from './find-program.js';
import { reasonOf, SetupError } from './setup-error.js';

export interface ModelServerProgram {
  command: string;
  /** Before the settings. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Where it comes from, for a person. */
  origin: string;
}

/**
 * The settings of every server here, as llama-server's options; measured with SuRe on two cores.
 *
 * One slot: SuRe's calls share their passages, so the summaries find them read already (2,415 of
 * 2,440 tokens). With two slots the second summary lands on the other one and reads them again:
 * 49 s a question instead of 32, or 67 s with `--kv-unified`. Calls of parallel callers wait in the
 * server's queue, and the passages of a question that was put aside are kept in `cache-ram`, about
 * 70 MB each: two questions at once took 60 s.
 */
export const SERVING = { context: 8_192, slots: 1, cacheRamMiB: 2_048 } as const;

/**
 * `llama-server` of the PATH, else the pinned build that this processor can run.
 *
 * @throws {SetupError} that lists what was tried and what to set.
 */
export async function obtainModelServer(context: FetchContext): Promise<ModelServerProgram> {
  const onPath = await findProgram('llama-server', context.env);
  if (onPath !== undefined) {
    const env = childEnvironment(context.env);
    return { command: onPath, args: [], env, origin: `${onPath} (on the PATH)` };
  }
  const failures = ['llama-server: not on the PATH'];
  for (const find of [pinnedLlamaServer, pinnedXllamacpp]) {
    try {
      return await find(context);
    } catch (error) {
      if (!(error instanceof SetupError) || error.name !== 'SetupError') throw error;
      failures.push(reasonOf(error));
    }
  }
  throw new SetupError(
    [
      'There is no model server for the local model. Tried:',
      ...failures.map((failure) => `  - ${failure.replaceAll('\n', '\n    ')}`),
      'Install llama.cpp so that llama-server is on the PATH, or use a model of your own: set ' +
        'OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible endpoint.',
    ].join('\n'),
  );
}

async function pinnedLlamaServer(context: FetchContext): Promise<ModelServerProgram> {
  const cpu = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  for (const feature of ['avx512f', 'amx_tile']) {
    if (!new RegExp(`\\b${feature}\\b`).test(cpu)) {
      throw new SetupError(`the pinned llama-server needs a processor with ${feature}`);
    }
  }
  const command = await obtain(LLAMA_SERVER, context);
  const env = { ...childEnvironment(context.env), LD_LIBRARY_PATH: dirname(command) };
  await mustRun(command, ['--version'], env, 'the pinned llama-server');
  // The build can use graphics cards; the drivers of a laptop's are not to be relied on.
  return { command, args: ['--device', 'none'], env, origin: LLAMA_SERVER.title };
}

/** The same server inside a Python extension; this is all it takes to run it as a program. */
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

async function pinnedXllamacpp(context: FetchContext): Promise<ModelServerProgram> {
  const python =
    (await findProgram('python3', context.env)) ?? (await findProgram('python', context.env));
  if (python === undefined) throw new SetupError('xllamacpp: no Python on the PATH');
  const library = await obtain(XLLAMACPP, context);
  const env = { ...childEnvironment(context.env), PYTHONPATH: dirname(dirname(library)) };
  await mustRun(python, ['-c', 'import xllamacpp'], env, 'xllamacpp');
  return { command: python, args: ['-c', XLLAMACPP_PROGRAM], env, origin: XLLAMACPP.title };
}

async function mustRun(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<void> {
  try {
    await promisify(execFile)(command, args, { env, timeout: 30_000 });
  } catch (error) {
    const said = reasonOf(error).trim().split('\n').slice(-1)[0];
    throw new SetupError(`${name} does not run on this machine (${said})`, { cause: error });
  }
}
