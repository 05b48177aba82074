/** What the workflows are made of: a worker loads it anew for every question. */
import { expect, inject, it } from 'vitest';

it('is our own code and what the SDK brings, nothing that checks inputs', () => {
  const modules = [...inject('workflowBundle').matchAll(/^\/\*{3}\/ "\.\/(.+)"/gm)];
  const paths = modules.map(([, path = '']) => path);
  expect(paths).toContain('workflows/sure/sure.ts');
  const packages = paths.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  const known = [
    '@noble/hashes',
    '@temporalio/common',
    '@temporalio/workflow',
    'long',
    'ms',
    'nexus-rpc',
  ];
  expect(new Set(packages.filter((name) => name !== undefined))).toEqual(new Set(known));
});
