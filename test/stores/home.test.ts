/** What is kept is for its owner alone. */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePrivateFolder } from '../../stores/home.js';
import { temporaryFolder } from '../support/folder.js';

const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

test('a folder that is made lets nobody else in, and is not spoken of', async () => {
  const home = join(await temporaryFolder(), 'a', 'home');
  const said: string[] = [];
  await makePrivateFolder(home, home, (message) => said.push(message));
  expect(await modeOf(home)).toBe(0o700);
  await makePrivateFolder(home, home, (message) => said.push(message));
  expect(said).toEqual([]);
});

test.each([0o750, 0o777])('one that was there stays %o, which is said once', async (mode) => {
  const home = await temporaryFolder();
  await chmod(home, mode);
  const said: string[] = [];
  await makePrivateFolder(home, home, (message) => said.push(message));
  await makePrivateFolder(home, home, (message) => said.push(message));
  expect(await modeOf(home)).toBe(mode);
  expect(said).toEqual([expect.stringContaining(`${home} existed before`)]);
  expect(said[0]).toContain(`mode ${mode.toString(8)}`);
  await chmod(home, 0o705);
  await makePrivateFolder(home, home, (message) => said.push(message));
  expect(said).toHaveLength(2);
});
