/** The dry run of a release: both packages get the version, and the changelog what was said. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

const run = promisify(execFile);
const PACKAGES = ['.', 'packages/client'];
const PARTS = ['package.json', 'package-lock.json', 'CHANGELOG.md', '.changeset'];

it('makes a version of what was said of the changes', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'packages', 'client'), { recursive: true });
  for (const part of [...PARTS, 'packages/client/package.json']) {
    await cp(join(packageRoot(), part), join(cwd, part), { recursive: true });
  }
  const [major, minor] = packageVersion().split('.').map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;
  const said = '---\n"durable-rag": minor\n---\n\nAsks in verse.\n';
  await writeFile(join(cwd, '.changeset', 'in-verse.md'), said);
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  await run('git', ['init', '-q', '-b', 'main'], { cwd });
  await run('git', ['add', '.'], { cwd });
  await run('git', [...git, 'commit', '-q', '-m', 'all'], { cwd });
  await run('npm', ['run', 'release'], { cwd });

  for (const file of ['package.json', 'package-lock.json', 'packages/client/package.json']) {
    expect(JSON.parse(await readFile(join(cwd, file), 'utf8')).version, file).toBe(next);
  }
  const changelog = await readFile(join(cwd, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toMatch(
    new RegExp(`^# Changelog\n\n## ${next}\n\n### Minor Changes\n\n- .*Asks in verse\\.`),
  );
});

/** Runs what `npm publish` runs first, in a copy of a package with these addresses. */
async function checked(folder: string, addresses: object) {
  const cwd = await temporaryFolder();
  const read = JSON.parse(await readFile(join(packageRoot(), folder, 'package.json'), 'utf8'));
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ ...read, ...addresses }));
  const script = join(packageRoot(), 'packages', 'refuse-placeholders.mjs');
  expect(read.scripts.prepublishOnly).toMatch(/^node \S*refuse-placeholders\.mjs\b/);
  return run(process.execPath, [script], { cwd });
}

it.each(PACKAGES)('does not publish %s with placeholders for addresses', async (folder) => {
  await expect(checked(folder, {})).rejects.toThrow(
    'cannot be published: repository.url, homepage, bugs.url of its package.json are placeholders',
  );
  const own = 'https://git.example.org/them/durable-rag';
  const addresses = {
    repository: { type: 'git', url: `git+${own}.git` },
    homepage: own,
    bugs: { url: `${own}/issues` },
  };
  await expect(checked(folder, addresses)).resolves.toMatchObject({ stderr: '' });
  await expect(checked(folder, { ...addresses, homepage: undefined })).rejects.toThrow(
    'homepage of its package.json is a placeholder.',
  );
});

it('lists what the package brings, without what only its tests need', async () => {
  const { stdout } = await run('npm', ['run', 'sbom', '--silent'], {
    cwd: packageRoot(),
    maxBuffer: 50_000_000,
  });
  const { bomFormat, components } = JSON.parse(stdout);
  const names = components.map((one: { name: string }) => one.name);
  expect(bomFormat).toBe('CycloneDX');
  expect(names).toContain('openai');
  expect(names).not.toContain('playwright-core');
});
