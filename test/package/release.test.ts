/** The dry run of a release: both packages get the version, and the changelog what was said. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

const run = promisify(execFile);
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
