/** What the lock file says of each package that it pins. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';

interface Entry {
  version?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
}

it('pins every package that can be installed here by its content', () => {
  const text = readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  const entries = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);
  expect(entries.length).toBeGreaterThan(300);
  const unpinned = entries.filter(([path, { integrity }]) => {
    return /(^|\/)node_modules\//.test(path) && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '');
  });
  // npm writes no hash of an optional binary for another platform that its registry does not serve.
  const ours = unpinned.filter(
    ([path, { optional }]) => !optional || existsSync(join(packageRoot(), path)),
  );
  expect(ours.map(([path]) => path)).toEqual([]);
});
