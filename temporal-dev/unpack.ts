/** Unpacks files of archives as streams: wheels are zip files, releases are .tar.gz. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { openPromise } from 'yauzl';
import { SetupError } from './setup-error.js';

/**
 * Unpacks one file of an archive to the path `file`. From a .tar.gz archive it is the file named
 * `member`, which replaces `file`. From a zip archive it is the one whose name ends with `member`,
 * which is appended to `file`, since several archives may each have a part of it.
 *
 * @throws {SetupError} if a zip archive has no such file.
 */
export async function unpackFile(
  archive: string,
  member: string,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  if (archive.endsWith('.tar.gz')) {
    await extract({ file: archive, cwd: dirname(file), strict: true }, [member]);
    return rename(join(dirname(file), member), file);
  }
  const isFound = await unzip(
    archive,
    (name) => (name.endsWith(member) ? file : undefined),
    signal,
  );
  if (!isFound) throw new SetupError(`${archive} contains no ${member}`);
}

/**
 * Unpacks the files of a zip archive whose names begin with `prefix` into a folder, under their
 * names without the prefix.
 */
export async function unpackFolder(
  archive: string,
  prefix: string,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  // yauzl refuses names that lead out of the folder.
  const place = (name: string) =>
    name.startsWith(prefix) && !name.endsWith('/')
      ? join(folder, name.slice(prefix.length))
      : undefined;
  await unzip(archive, place, signal);
}

/**
 * Unpacks the files of a zip archive for which `place` returns a path; returns whether there were
 * any.
 */
async function unzip(
  archive: string,
  place: (name: string) => string | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  let isFound = false;
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      const file = place(entry.fileName);
      if (file === undefined) continue;
      isFound = true;
      await mkdir(dirname(file), { recursive: true });
      const content = await zip.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(file, { flags: 'a' }), { signal });
    }
  } finally {
    zip.close();
  }
  return isFound;
}
