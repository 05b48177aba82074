/** Downloads a file over HTTP, and goes on where an earlier try was cut off. */
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { codeOf, reasonOf, SetupError } from './setup-error.js';

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
  signal?: AbortSignal | undefined;
  /** `done` bytes so far; `total` once the server has said it. */
  onProgress(done: number, total: number | undefined): void;
  answerTimeoutMs?: number;
}

/**
 * Leaves the whole file at `options.file`.
 *
 * The partial file stays after a failure, for the next try. Says whether it went on from a file
 * that was there before, because then a wrong fingerprint may be the old part's fault.
 *
 * @throws {SetupError} with the reason when the server cannot be reached or refuses.
 */
export async function download(options: DownloadOptions): Promise<{ resumed: boolean }> {
  const resumed = (await sizeOf(options.file)) > 0;
  let fruitless = 0;
  for (;;) {
    const before = await sizeOf(options.file);
    try {
      await once(options, before);
      return { resumed };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof Cut)) throw error;
      fruitless = (await sizeOf(options.file)) > before ? 0 : fruitless + 1;
      if (fruitless >= FRUITLESS_TRIES) {
        throw new SetupError(`the connection keeps breaking (${error.message})`, { cause: error });
      }
    }
  }
}

/** The connection broke while the body came in: worth another try from where it stopped. */
class Cut extends Error {}

async function once(options: DownloadOptions, have: number): Promise<void> {
  const { url, file, signal, onProgress } = options;
  const idle = new Watch(signal);
  try {
    idle.expectWithin(options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
    const response = await request(url, have, idle);
    if (response.status === 416) {
      // There is more on the disk than the server has: not the same file.
      await response.body?.cancel();
      await rm(file, { force: true });
      throw new Cut('the part on the disk does not belong to the file');
    }
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new SetupError(`the server answered ${response.status} ${response.statusText}`.trim());
    }

    // 200 means that the server ignored the range and sends everything from the beginning.
    const start = response.status === 206 ? have : 0;
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(length) ? start + length : undefined;
    let done = start;
    onProgress(done, total);
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    body.on('data', (chunk: Uint8Array) => {
      idle.expectWithin(IDLE_TIMEOUT_MS);
      done += chunk.length;
      onProgress(done, total);
    });
    try {
      await pipeline(body, createWriteStream(file, { flags: start === 0 ? 'w' : 'a' }), {
        signal: idle.signal,
      });
    } catch (error) {
      if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') throw error;
      throw new Cut(idle.expired ? 'nothing came in any more' : reasonOf(error));
    }
    if (total !== undefined && done < total) throw new Cut('the body ended early');
  } finally {
    idle.stop();
  }
}

async function request(url: string, have: number, watch: Watch): Promise<Response> {
  try {
    return await fetch(url, {
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      signal: watch.signal,
    });
  } catch (error) {
    const reason = watch.expired ? 'no answer within seconds' : reasonOf(error);
    throw new SetupError(`not reachable (${reason})`, { cause: error });
  }
}

/** Aborts when the caller does, or when what was expected does not come in time. */
class Watch {
  readonly #timeout = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal =
      signal === undefined ? this.#timeout.signal : AbortSignal.any([signal, this.#timeout.signal]);
  }

  get expired(): boolean {
    return this.#timeout.signal.aborted;
  }

  expectWithin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#timeout.abort(), ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
