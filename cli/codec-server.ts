/**
 * `durable-rag codec-server`: decrypts payloads for the Temporal UI in a browser on this machine.
 */

import { listenForCodec } from '../client/codec-server.js';
import { Failure } from '../core/failure.js';
import { setting } from '../core/settings.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { codecsOf } from '../stores/encryption/payload-codec.js';
import type { CliContext } from './context.js';
import { untilAborted } from './interrupt.js';

/** Port of the Temporal UI in the local stack. */
const UI_PORT = 8233;

/**
 * Serves the codec of the payloads on 127.0.0.1 until Ctrl-C, and returns the exit code.
 *
 * @throws Failure BadInput if no codec and no keys are configured, the keys are wrong, the origin
 * is not a URL, or the port is taken.
 */
export async function codecServer(
  { port, origin }: { port: number; origin?: string | undefined },
  { env, config, reporter, signal }: CliContext,
): Promise<number> {
  const [codec] = codecsOf(config?.codec, readKeyring(env[ENCRYPTION_KEYS])) ?? [];
  if (codec === undefined) {
    throw new Failure(
      'BadInput',
      `There is no codec: set ${ENCRYPTION_KEYS}, or "codec" in durable-rag.config.ts.`,
    );
  }
  const origins = origin === undefined ? usualOrigins(env) : [originOf(origin)];
  const server = await listenForCodec(codec, port, origins);
  reporter.part('Codec', `${server.url} for ${origins.join(' and ')}; Ctrl-C stops it`);
  await untilAborted(signal);
  await server.close();
  return 0;
}

/** Returns the origins of the Temporal UI: the configured one, or the local stack's. */
function usualOrigins(env: NodeJS.ProcessEnv): string[] {
  if (env.DURABLE_RAG_UI_URL) return [originOf(env.DURABLE_RAG_UI_URL)];
  const port = setting(env, 'DURABLE_RAG_UI_PORT') ?? UI_PORT;
  return [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

function originOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).origin;
  throw new Failure('BadInput', `--origin: ${JSON.stringify(url)} is not a URL.`);
}
