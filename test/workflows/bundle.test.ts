/** What the workflows are made of: a worker loads it anew for every question. */
import { expect, inject, it } from 'vitest';

it('is our own code, what the SDK brings, and what methods declare their options with', () => {
  const modules = [...inject('workflowBundle').matchAll(/^\/\*{3}\/ "([^"]+)"$/gm)];
  const paths = modules.map(([, path = '']) => path);
  expect(paths).toContain('durable-rag/workflows/methods/sure/sure.ts');
  const packages = paths.flatMap((path) => path.match(/^((?:@[^/]+\/)?[^/]+)\//)?.[1]);
  const known = [
    '@noble/hashes',
    '@temporalio/common',
    '@temporalio/workflow',
    'durable-rag',
    'entry',
    'fastest-levenshtein',
    'long',
    'ms',
    'nexus-rpc',
    'zod',
  ];
  expect(new Set(packages.filter((name) => name !== undefined))).toEqual(new Set(known));
});
