/** Where `--out` and its like lead: a file is replaced whole, and what is no file stays there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOut } from '../../cli/print-output.js';
import { packageRoot } from '../../stores/package-root.js';
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

test.skipIf(!existsSync('/dev/full'))('says that a device takes no more', async () => {
  await expect(writeOut('/dev/full', hello)).rejects.toThrow('/dev/full cannot be written: ');
});

test.skipIf(!existsSync('/dev/full')).each([
  ['methods', /^Error Standard output cannot be written: .*no space left/],
  ['methods --json', /^\{"error":\{"type":"Unexpected","message":"Standard output cannot/],
])('ends "%s" with a sentence where its output finds no room', async (line, said) => {
  const command = `exec "$0" dist/cli/main.js ${line} > /dev/full`;
  const ended = spawnSync('sh', ['-c', command, process.execPath], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toMatch(said);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});
