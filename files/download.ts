/**
 * Downloads a file: resumes after a broken connection, and follows redirects that its caller
 * allows.
 */
import { open, rm, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { innermostMessage } from '../core/failure.js';

/**
 * Timeout until the response begins. A closed network may swallow packets, so a slower server
 * counts as unreachable.
 */
const ANSWER_TIMEOUT_MS = 5_000;
/** Time without data after which a connection counts as dead. */
const IDLE_TIMEOUT_MS = 30_000;
/**
 * Number of consecutive broken connections without a new byte on the disk after which the download
 * fails.
 */
const FRUITLESS_TRIES = 6;
/** Milliseconds to wait after the first such connection, doubled with each further one. */
const FRUITLESS_WAIT_MS = 50;
const MOST_REDIRECTS = 5;

/**
 * The properties of a download that are known when its response has begun: the headers, the size
 * of the whole file, and how many bytes of it are already on the disk.
 */
export interface DownloadResponse {
  /** Headers of the response and of the redirects before it; later ones take precedence. */
  headers: IncomingHttpHeaders;
  /** Size of the whole file in bytes; undefined if the server does not state it. */
  size: number | undefined;
  /** Number of bytes of the file that are already on the disk. */
  kept: number;
}

interface DownloadOptions {
  url: string;
  /** File to write. If it has content already, the download continues after it. */
  file: string;
  /** The environment, whose usual variables name the proxy. */
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes on the disk; throws to end the download. */
  onProgress(done: number): void;
  /** Milliseconds until the response must have begun. @default 5000 */
  answerTimeoutMs?: number;
  /** Returns the headers of a request; `hop` counts the redirects before it. */
  headersFor?(url: URL, hop: number): Record<string, string>;
  /** Throws if a redirect must not be followed. */
  checkRedirect?(to: URL): Promise<void>;
  /** Resolves host names in place of `dns.lookup`, to refuse private addresses. */
  lookup?: LookupFunction;
  /** Called with each response before its body is read; throws if the file is not wanted. */
  onAnswer?(answer: DownloadResponse): Promise<void>;
}

/**
 * The error of a failed download. Its message is the reason alone, such as "the server answered
 * 500", to be put behind the name of the host.
 */
export class DownloadFailed extends Error {
  /** @param status HTTP status of the response; undefined if there was none. */
  constructor(
    message: string,
    readonly status?: number,
    readonly headers: IncomingHttpHeaders = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Downloads a file to `options.file`, resuming a partial one, also after broken connections. After
 * a failure the partial file stays for the next call; one that is longer than the server's file is
 * deleted.
 *
 * @throws DownloadFailed if the server cannot be reached, refuses, or keeps breaking the
 * connection.
 * @throws Errors of `checkRedirect`, `lookup`, `onProgress` and `onAnswer`, of writing the file, such
 * as that of a full disk, and the reason of the signal.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { env, lookup, answerTimeoutMs: headersTimeout = ANSWER_TIMEOUT_MS } = options;
  const dispatcher = new EnvHttpProxyAgent({
    headersTimeout,
    bodyTimeout: IDLE_TIMEOUT_MS,
    connect: { timeout: headersTimeout, ...(lookup && { lookup }) },
    // Set explicitly, because the defaults are those of this process.
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
        if (fruitless === 0) continue;
        if (fruitless < FRUITLESS_TRIES) {
          await setTimeout(FRUITLESS_WAIT_MS * 2 ** (fruitless - 1), undefined, {
            ...(options.signal && { signal: options.signal }),
          }).catch(() => options.signal?.throwIfAborted());
          continue;
        }
        throw new DownloadFailed(
          `the connection keeps breaking (${error.message})`,
          undefined,
          undefined,
          { cause: error },
        );
      }
    }
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * The error of a connection that broke during the body; another attempt can continue from there.
 */
class Cut extends Error {}

async function once(options: DownloadOptions, have: number, dispatcher: Dispatcher): Promise<void> {
  const { file, onProgress, onAnswer } = options;
  const { status, headers, body } = await reach(options, have, dispatcher);
  if (status === 416) {
    body.on('error', () => {}).destroy();
    if (headers['content-range'] === `bytes */${have}`) {
      await onAnswer?.({ headers, size: have, kept: have });
      return;
    }
    // There is more on the disk than the server has: not the same file.
    await rm(file, { force: true });
    throw new Cut('the part on the disk does not belong to the file');
  }
  // 200 means that the server ignored the range and sends everything from the beginning.
  const kept = status === 206 ? have : 0;
  const rest = Number(headers['content-length'] ?? Number.NaN);
  const size = Number.isNaN(rest) ? undefined : kept + rest;
  let done = kept;
  try {
    await onAnswer?.({ headers, size, kept });
    const target = await open(file, kept === 0 ? 'w' : 'a');
    try {
      for await (const chunk of chunksOf(body)) {
        done += chunk.length;
        onProgress(done);
        await target.writeFile(chunk);
      }
    } finally {
      await target.close();
    }
  } finally {
    body.on('error', () => {}).destroy();
  }
  if (size !== undefined && done < size) throw new Cut('the body ended early');
}

/** Yields the body of a response. @throws Cut if the connection breaks. */
async function* chunksOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new Cut(innermostMessage(error));
  }
}

/** Returns the response after all redirects. */
async function reach(
  { url, signal, headersFor, checkRedirect }: DownloadOptions,
  have: number,
  dispatcher: Dispatcher,
) {
  let at = new URL(url);
  let passed: IncomingHttpHeaders = {};
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const range: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {};
    const headers = { ...range, ...headersFor?.(at, hop) };
    const asked = request(at, { headers, dispatcher, ...(signal && { signal }) });
    const answer = await asked.catch((cause: unknown) => {
      signal?.throwIfAborted();
      if (cause instanceof AddressRefused) throw cause;
      throw new DownloadFailed(`not reachable (${innermostMessage(cause)})`, undefined, undefined, {
        cause,
      });
    });
    const { statusCode: status, body } = answer;
    // These headers of a redirect describe its own body, not the file.
    const { 'content-length': _, etag, location, ...others } = answer.headers;
    if (status >= 200 && status < 300)
      return { status, headers: { ...passed, ...answer.headers }, body };
    if (status === 416 && have > 0)
      return { status, headers: { ...passed, ...answer.headers }, body };
    body.on('error', () => {}).destroy();
    if (status < 300 || status >= 400 || location === undefined) {
      throw new DownloadFailed(`the server answered ${status}`, status, answer.headers);
    }
    passed = { ...passed, ...others };
    const next = new URL(String(location), at);
    await checkRedirect?.(next);
    at = next;
  }
  throw new DownloadFailed(`more than ${MOST_REDIRECTS} redirects`);
}

/** The error by which `lookup` and `checkRedirect` refuse an address or a redirect. */
export class AddressRefused extends Error {}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}
