/**
 * Fetches a file of data by its address into the home folder, once; later calls return the same
 * file.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { openPromise } from 'yauzl';
import { parseJson } from '../core/canonical-json.js';
import type { DataSource } from '../core/dataset-record.js';
import { errorCodeOf, Failure, innermostMessage, isSystemError } from '../core/failure.js';
import { setting } from '../core/settings.js';
import { sha256Of } from '../core/sha256.js';
import { homeFolder } from '../stores/home.js';
import { type DataAddress, readDataAddress } from './data-address.js';
import { freeBytes, readableBytes } from './disk.js';
import { AddressRefused, DownloadFailed, type DownloadResponse, download } from './download.js';
import { withLock } from './lock.js';
import { RedirectGuard } from './public-address.js';

/**
 * Options of `fetchData`: the environment variables, a signal to cancel, and callbacks that report
 * the progress.
 */
export interface FetchDataOptions {
  /**
   * Environment variables: HF_ENDPOINT, HF_TOKEN, DURABLE_RAG_HOME, proxies. @default process.env
   */
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  /**
   * Called before the download with a line such as "downloading hf:..., 2 MB, to ...", and before
   * waiting for another process that fetches the same data.
   */
  onStart?(what: string): void;
  /**
   * Called with the number of bytes on the disk, and the file's size in bytes, undefined if
   * unknown.
   */
  onProgress?(done: number, size: number | undefined): void;
  /** Returns the free space of a folder's disk in bytes; replaced in tests. */
  freeBytes?(folder: string): Promise<number>;
}

/**
 * The local copy of a fetched file, and its source: address, revision, size, hash and time of the
 * download.
 */
export interface FetchedData {
  /** Path of the unpacked file. */
  file: string;
  /** Address, revision, size, hash and time of the download. */
  source: DataSource;
}

/**
 * The version of the file to which a partial download belongs; parts of other versions are deleted.
 */
interface PartOf {
  revision: string | null;
  etag: string | null;
}

/** Name of the record that a finished fetch writes beside its file. */
const RECORD = 'source.json';

/**
 * Returns the path of the local copy of an address (`file`), and its origin (`source`: address,
 * revision, size in bytes, hash and time of the download). Downloads the data if there is no copy;
 * if there is one, no request is made. An interrupted download is resumed if the server still has
 * the same version.
 *
 * A gzip file, and a zip file with one file, are unpacked. HF_TOKEN is sent only to the hub's own
 * host, and never after a redirect.
 *
 * @param named An address that `readDataAddress` accepts.
 * @throws Failure BadInput for an invalid address, a redirect that `RedirectGuard` refuses, a
 * damaged file and a zip file without exactly one file, and if the server does not have the file
 * or it is larger than DURABLE_RAG_FETCH_LIMIT; Permission if the server refuses; Conflict if the
 * disk is full or the folder cannot be written; Connection if the download fails in another way.
 * @throws The reason of the signal.
 */
export async function fetchData(
  named: string,
  { env = process.env, signal, ...watching }: FetchDataOptions = {},
): Promise<FetchedData> {
  const address = readDataAddress(named, setting(env, 'HF_ENDPOINT'));
  const folder = join(homeFolder(env), 'data', folderName(named, address));
  const there = await fetched(folder, address);
  if (there) return there;
  const fetching = new Fetching(address, folder, { env, signal, ...watching });
  const onWait = () =>
    watching.onStart?.(`waiting for ${address.shown}: another durable-rag fetches it`);
  try {
    await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
    return await withLock(folder, { signal, onWait }, async () => {
      const came = await fetched(folder, address);
      return came ?? (await fetching.run());
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw fetching.explained(error);
  }
}

async function fetched(folder: string, address: DataAddress): Promise<FetchedData | undefined> {
  const record = parseJson(await readFile(join(folder, RECORD), 'utf8').catch(() => '')) as
    | { source: DataSource; size: number }
    | undefined;
  const file = join(folder, fileName(address));
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  );
  return record && size === record.size ? { file, source: record.source } : undefined;
}

/**
 * Returns the name of the folder of an address: a readable beginning and a hash, so that no two
 * addresses share a folder.
 */
function folderName(named: string, { file, url }: DataAddress): string {
  const readable = file.replace(/[^\w.-]+/g, '-').slice(0, 40);
  return `${readable || 'data'}-${sha256Of(`${named}\n${url}`).slice(0, 12)}`;
}

/**
 * Returns a safe name for the fetched file. Readers detect the format from the content, so the name
 * need not show it.
 */
function fileName({ file }: DataAddress): string {
  const name = file.replace(/\.(?:gz|zip)$/i, '').replace(/[^\w.-]+/g, '-');
  return /^[\w-]/.test(name) ? name.slice(-100) : `data${name}`;
}

class Fetching {
  readonly #staging: string;
  readonly #part: string;
  readonly #limit: number;

  constructor(
    private readonly address: DataAddress,
    private readonly folder: string,
    private readonly options: FetchDataOptions & { env: NodeJS.ProcessEnv },
  ) {
    this.#staging = `${folder}.partial`;
    this.#part = join(this.#staging, 'body');
    this.#limit = setting(options.env, 'DURABLE_RAG_FETCH_LIMIT') * 1e9;
  }

  /** Fetches the file. If that fails, keeps what has been downloaded. */
  async run(): Promise<FetchedData> {
    try {
      return await this.#fetch();
    } catch (error) {
      if (!this.options.signal?.aborted) await this.#removeIfEmpty();
      throw error;
    }
  }

  async #fetch(): Promise<FetchedData> {
    const { env, signal } = this.options;
    await mkdir(this.#staging, { recursive: true, mode: 0o700 });
    let answer: DownloadResponse | undefined;
    let hasStarted = false;
    const { url, onHub, shown } = this.address;
    const guard = new RedirectGuard(new URL(url).hostname);
    const known = await this.#partOf();
    const token = onHub ? setting(env, 'HF_TOKEN') : undefined;
    await download({
      url,
      file: this.#part,
      env,
      signal,
      answerTimeoutMs: 30_000,
      headersFor: (_, hop) => ({
        'accept-encoding': 'identity',
        ...(token && hop === 0 && { authorization: `Bearer ${token}` }),
        // A server that has another version by now sends all of it.
        ...(known?.etag && { 'if-range': known.etag }),
      }),
      checkRedirect: (to) => guard.check(to, url.startsWith('https:')),
      lookup: guard.lookup,
      onProgress: (done) => {
        this.#checkLimit(done);
        this.options.onProgress?.(done, answer?.size);
      },
      onAnswer: async (came) => {
        answer = came;
        await this.#take(came, known);
        if (hasStarted) return;
        hasStarted = true;
        const size = came.size === undefined ? 'of unknown size' : readableBytes(came.size);
        const rest = came.kept > 0 ? `, ${readableBytes(came.kept)} of it is there already` : '';
        this.options.onStart?.(`downloading ${shown}, ${size}${rest}, to ${this.folder}`);
      },
    });
    return this.#finish(answer);
  }

  /** Returns the record of the part on the disk; a part without a usable record is deleted. */
  async #partOf(): Promise<PartOf | undefined> {
    const known = parseJson(await readFile(`${this.#part}.json`, 'utf8').catch(() => '')) as
      | PartOf
      | undefined;
    // Without a strong tag it is unknown whether the rest belongs to it.
    if (known?.etag && !known.etag.startsWith('W/')) return known;
    await rm(this.#part, { force: true });
    return undefined;
  }

  /**
   * Checks the headers of a response before its body is read, and records the version of the file.
   *
   * @throws Failure Connection if the version has changed since the download began; the errors of
   * the limit and of the free space.
   */
  async #take({ headers, size, kept }: DownloadResponse, known: PartOf | undefined): Promise<void> {
    const part = versionOf(headers);
    if (kept > 0 && known && part.revision !== known.revision) {
      await rm(this.#part, { force: true });
      throw new Failure(
        'Connection',
        `${this.address.shown}: the file has changed on the server since the download began; the part was deleted. Run the command again.`,
      );
    }
    if (size !== undefined) {
      this.#checkLimit(size);
      await this.#checkRoom(size - kept);
    }
    await writeFile(`${this.#part}.json`, JSON.stringify(part));
  }

  #checkLimit(bytes: number): void {
    if (bytes <= this.#limit) return;
    throw new Failure(
      'BadInput',
      `${this.address.shown} has more than ${readableBytes(this.#limit)}: raise DURABLE_RAG_FETCH_LIMIT (in GB) if you want it.`,
    );
  }

  async #checkRoom(bytes: number): Promise<void> {
    const free = await (this.options.freeBytes ?? freeBytes)(this.#staging);
    if (bytes <= free) return;
    throw new Failure(
      'Conflict',
      `${this.address.shown} needs ${readableBytes(bytes)} in ${this.folder}, and ${readableBytes(free)} are free. Make room, or set DURABLE_RAG_HOME to a folder on another disk.`,
    );
  }

  async #finish(answer: DownloadResponse | undefined): Promise<FetchedData> {
    const { headers = {} } = answer ?? {};
    const { size: bytes } = await stat(this.#part);
    const sha256 = await this.#sha256Of(this.#part);
    const stated = plainTag(headers['x-linked-etag']);
    if (stated && /^[\da-f]{64}$/.test(stated) && stated !== sha256) {
      await rm(this.#staging, { recursive: true, force: true });
      throw new Failure(
        'Connection',
        `${this.address.shown}: the downloaded file does not have the hash that the hub names; it was deleted. Run the command again.`,
      );
    }
    const source: DataSource = {
      address: this.address.shown,
      revision: versionOf(headers).revision,
      bytes,
      sha256,
      fetchedAt: new Date().toISOString(),
    };
    const ready = join(this.#staging, 'ready');
    await rm(ready, { recursive: true, force: true });
    await mkdir(ready, { mode: 0o700 });
    const file = join(ready, fileName(this.address));
    await this.#unpack(file);
    const { size } = await stat(file);
    await writeFile(join(ready, RECORD), JSON.stringify({ source, size }));
    await rm(this.folder, { recursive: true, force: true });
    await rename(ready, this.folder);
    await rm(this.#staging, { recursive: true, force: true });
    return { file: join(this.folder, fileName(this.address)), source };
  }

  async #sha256Of(file: string): Promise<string> {
    const hash = createHash('sha256');
    const { signal } = this.options;
    await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash, { signal });
    return hash.digest('hex');
  }

  /** Writes the content of the fetched file, unpacked. */
  async #unpack(file: string): Promise<void> {
    const mark = await firstBytes(this.#part, 4);
    if (mark.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) {
      await this.#write(createReadStream(this.#part).pipe(createGunzip()), file);
    } else if (mark.toString('latin1') === 'PK\u0003\u0004') {
      await this.#unzip(file);
    } else {
      await rename(this.#part, file);
    }
  }

  /**
   * Unpacks the only file of a zip archive. Its name in the archive is not used, since it could
   * lead out of the folder.
   */
  async #unzip(file: string): Promise<void> {
    const zip = await openPromise(this.#part, { autoClose: false });
    try {
      const entries = [];
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith('/')) entries.push(entry);
        if (entries.length > 1) break;
      }
      const [only, another] = entries;
      if (!only || another) {
        const many = only ? 'more than one file' : 'no file';
        throw new Failure(
          'BadInput',
          `${this.address.shown} is a zip file with ${many} in it: unpack it, and name the file that you want.`,
        );
      }
      this.#checkLimit(only.uncompressedSize);
      await this.#checkRoom(only.uncompressedSize);
      await this.#write(await zip.openReadStreamPromise(only), file);
    } finally {
      zip.close();
    }
  }

  /** Writes a stream with a size limit, since its declared length cannot be trusted. */
  async #write(content: NodeJS.ReadableStream, file: string): Promise<void> {
    let done = 0;
    const bounded = new Transform({
      transform: (chunk: Buffer, _, next) => {
        done += chunk.length;
        try {
          this.#checkLimit(done);
          next(null, chunk);
        } catch (error) {
          next(error as Error);
        }
      },
    });
    const { signal } = this.options;
    await pipeline(content, bounded, createWriteStream(file), { signal });
  }

  /** Removes the partial download if it is empty. */
  async #removeIfEmpty(): Promise<void> {
    const part = await stat(this.#part).catch(() => undefined);
    if (!part || part.size === 0) await rm(this.#staging, { recursive: true, force: true });
  }

  /** Returns the failure for an error, with the address and what to do. */
  explained(error: unknown): unknown {
    if (error instanceof Failure) return error;
    const { shown, url, onHub } = this.address;
    const { host } = new URL(url);
    if (error instanceof AddressRefused) {
      return new Failure('BadInput', `${shown} is not fetched: ${error.message}.`, {
        cause: error,
      });
    }
    if (['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error) ?? '')) {
      return new Failure(
        'Conflict',
        `The disk is full: ${shown} could not be written to ${this.folder}. The downloaded part is kept. Make room, or set DURABLE_RAG_HOME to a folder on another disk, and run the command again.`,
        { cause: error },
      );
    }
    if (isSystemError(error)) {
      return new Failure(
        'Conflict',
        `${shown} could not be written to ${this.folder} (${innermostMessage(error)}). Make the folder writable, or set DURABLE_RAG_HOME to another one, and run the command again.`,
        { cause: error },
      );
    }
    if (!(error instanceof DownloadFailed)) {
      const what = `${shown} cannot be unpacked: it is damaged (${innermostMessage(error)})`;
      return new Failure(
        'BadInput',
        `${what}. Delete ${this.#staging} and run the command again.`,
        {
          cause: error,
        },
      );
    }
    const { status } = error;
    if (status === 401 || status === 403) {
      const todo = onHub
        ? 'Set HF_TOKEN to a token that may read it, and accept its terms on its page if it has some.'
        : 'Fetch the file yourself, and name the file.';
      return new Failure('Permission', `${shown}: ${host} refuses it (HTTP ${status}). ${todo}`, {
        cause: error,
      });
    }
    if (status === 404 || status === 410) {
      const why = HUB_REASONS[String(error.headers['x-error-code'])] ?? 'no such file';
      return new Failure('BadInput', `${shown}: ${host} has ${why} (HTTP ${status}).`, {
        cause: error,
      });
    }
    return new Failure(
      'Connection',
      `${shown} could not be fetched from ${host}: ${error.message}. Run the command again: it continues with what is kept.`,
      { cause: error },
    );
  }
}

/** Messages for the hub's x-error-code. */
const HUB_REASONS: Readonly<Record<string, string>> = {
  RepoNotFound: 'no such data set, or one that needs HF_TOKEN',
  RevisionNotFound: 'no such revision',
  EntryNotFound: 'no such file in this data set',
};

/**
 * Returns the commit that the hub served, and the tag of this version from the server with the
 * bytes.
 */
function versionOf(headers: DownloadResponse['headers']): PartOf {
  const { etag, 'x-repo-commit': commit } = headers;
  return { revision: commit === undefined ? null : String(commit), etag: etag ?? null };
}

function plainTag(tag: unknown): string | undefined {
  return typeof tag === 'string' ? tag.replace(/^W\//, '').replaceAll('"', '') : undefined;
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
