/** Where `--out` and its like lead: a file is replaced whole, and what is no file stays there. */
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOut } from '../../cli/output.js';
import { temporaryFolder } from '../support/folder.js';

const folder = await temporaryFolder();
const hello = (write: (text: string) => Promise<void>) => write('hello\n');

test('writes a file whole, and leaves what was there where it fails', async () => {
  const file = join(folder, 'out.txt');
  await writeOut(file, hello);
  const half = async (write: (text: string) => Promise<void>) => {
    await write('half');
    throw new Error('no more');
  };
  await expect(writeOut(file, half)).rejects.toThrow('no more');
  expect(await readFile(file, 'utf8')).toBe('hello\n');
});

test('writes through a link, as /dev/stdout is one, and takes no place of a device', async () => {
  const [file, link] = [join(folder, 'real.txt'), join(folder, 'link')];
  const device = join(folder, 'device');
  await writeFile(file, 'what was there before, and is longer');
  await symlink(file, link);
  await writeOut(link, hello);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('hello\n');
  await symlink('/dev/null', device);
  await writeOut(device, hello);
  expect((await lstat(device)).isSymbolicLink()).toBe(true);
});
