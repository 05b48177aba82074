/** What is imported at once: nothing of what only some people use. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';

/** The modules that a source file imports when it is loaded, itself and packages included. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(join(packageRoot(), file), 'utf8');
  // Imports of types alone vanish; those in calls wait until they are asked for.
  const imports = /^(?:import|export) (?!type\b)(?:[^;]*? from )?'([^']+)';$/gm;
  for (const [, from = ''] of source.matchAll(imports)) {
    if (!from.startsWith('.')) seen.add(from);
    else loadedBy(normalize(join(dirname(file), from)).replace(/\.js$/, '.ts'), seen);
  }
  return seen;
}

test('a worker loads no adapter that it was not given', () => {
  const loaded = [...loadedBy('workers/index.ts')];
  expect(loaded).toContain('workers/build-ports.ts');
  expect(loaded.filter((name) => /ai-sdk|retrieval\/(http|postgres)\//.test(name))).toEqual([]);
});

test.each([
  ['llm/ai-sdk/index.ts', ['zod', 'node:fs/promises']],
  ['retrieval/retrievers.ts', ['zod', 'node:util']],
])('%s loads no package of a provider, a server or an engine', (entry, known) => {
  const packages = [...loadedBy(entry)].filter((name) => !name.endsWith('.ts'));
  expect(packages.sort()).toEqual([...known].sort());
});
