/** The home is for its owner alone. */
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { homeFolder, privateHome } from '../../stores/home.js';

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-home-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

test('a home that is made lets nobody else in', async () => {
  const home = join(await scratch(), 'a', 'home');
  await privateHome(home);
  expect(await modeOf(home)).toBe(0o700);
});

test('the usual home is closed where it was open', async () => {
  vi.stubEnv('HOME', await scratch());
  onTestFinished(() => void vi.unstubAllEnvs());
  const home = homeFolder({});
  await mkdir(home);
  await chmod(home, 0o755);
  await privateHome(home);
  expect(await modeOf(home)).toBe(0o700);
});

test('a folder that somebody chose and made is left as it is', async () => {
  const home = await scratch();
  await chmod(home, 0o750);
  await privateHome(home);
  expect(await modeOf(home)).toBe(0o750);
});
