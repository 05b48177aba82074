import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import { isFull, reasonOf, SetupError } from './setup-error.js';

/** A closed network may swallow packets: what has not answered by now is taken for unreachable. */
const ANSWER_TIMEOUT_MS = 5_000;
/** A connection that brings nothing for so long is dead. */
const IDLE_TIMEOUT_MS = 30_000;
/** Cuts in a row that brought no new byte. */
const FRUITLESS_TRIES = 3;

export interface DownloadOptions {
  url: string;
  /** Takes the bytes; one that is there already is continued. */
  file: string;
  /** Says which proxy to ask, by the usual variables. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** `done` bytes so far. */
  onProgress(done: number): void;
  answerTimeoutMs?: number;
}

/**
 * Leaves the whole file at `options.file`. After a failure the part stays there for the next try.
 *
 * @throws {SetupError} with the reason when the server cannot be reached or refuses.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { env, answerTimeoutMs: headersTimeout = ANSWER_TIMEOUT_MS } = options;
  const dispatcher = new EnvHttpProxyAgent({
    ...{ headersTimeout, bodyTimeout: IDLE_TIMEOUT_MS, connect: { timeout: headersTimeout } },
    // Not those of this process where the caller gives none.
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
  try {
    for (let fruitless = 0; ; ) {
      const before = await sizeOf(options.file);
      try {
        return await once(options, before, dispatcher);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof Cut)) throw error;
        fruitless = (await sizeOf(options.file)) > before ? 0 : fruitless + 1;
        if (fruitless < FRUITLESS_TRIES) continue;
        throw new SetupError(`the connection keeps breaking (${error.message})`, { cause: error });
      }
    }
  } finally {
    await dispatcher.destroy();
  }
}

/** The connection broke while the body came in: worth another try from where it stopped. */
class Cut extends Error {}

async function once(
  { url, file, signal, onProgress }: DownloadOptions,
  have: number,
  dispatcher: Dispatcher,
): Promise<void> {
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {};
  const response = await fetch(url, { headers, dispatcher, ...(signal && { signal }) }).catch(
    (cause: unknown) => {
      throw new SetupError(`not reachable (${reasonOf(cause)})`, { cause });
    },
  );
  const body = response.body && Readable.fromWeb(response.body);
  if (response.status === 416) {
    body?.destroy();
    if (response.headers.get('content-range') === `bytes */${have}`) return;
    // There is more on the disk than the server has: not the same file.
    await rm(file, { force: true });
    throw new Cut('the part on the disk does not belong to the file');
  }
  if (!response.ok || body === null) {
    body?.destroy();
    throw new SetupError(`the server answered ${response.status} ${response.statusText}`.trim());
  }
  // 200 means that the server ignored the range and sends everything from the beginning.
  let done = response.status === 206 ? have : 0;
  const total = done + Number(response.headers.get('content-length') ?? 0);
  body.on('data', (chunk: Uint8Array) => {
    done += chunk.length;
    onProgress(done);
  });
  const flags = done === 0 ? 'w' : 'a';
  await pipeline(body, createWriteStream(file, { flags })).catch((error: unknown) => {
    throw isFull(error) ? error : new Cut(reasonOf(error));
  });
  if (done < total) throw new Cut('the body ended early');
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}
