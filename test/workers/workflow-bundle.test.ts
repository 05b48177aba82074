/** The prebuilt bundle and the SDK that runs it are of one version. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { DurableRagPlugin } from '../../workers/plugin.js';
import { BUNDLE_FILE, sdkVersion, workflowBundle } from '../../workers/workflow-bundle.js';

async function madeBy(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'made-by.json'), text);
  return join(folder, 'made-by.json');
}

it('is pinned with all packages of the SDK', async () => {
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(packageRoot(), 'package.json'), 'utf8'),
  );
  const versions = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    name.startsWith('@temporalio/'),
  );
  expect(new Set(versions.map(([, version]) => version))).toEqual(new Set([sdkVersion()]));
});

it('is used as it was built', async () => {
  const warnings: string[] = [];
  const bundle = await workflowBundle((message) => warnings.push(message));
  expect(bundle).toEqual({ codePath: BUNDLE_FILE });
  expect(warnings).toEqual([]);
});

it('says nowhere in which folder it was built', async () => {
  const code = await readFile(BUNDLE_FILE, 'utf8');
  const [, map = ''] = /sourceMappingURL=data:[^,\n]*base64,([\w+/=]+)/.exec(code) ?? [];
  const { sources } = JSON.parse(Buffer.from(map, 'base64').toString());
  expect(sources).toContain('dist/workflows/sure.js');
  expect(Buffer.from(map, 'base64').includes(packageRoot())).toBe(false);
  expect(code).not.toContain(packageRoot());
});

it('is made again, and says so, where another SDK made it', async () => {
  const warnings: string[] = [];
  const file = await madeBy('{"sdk":"1.9.0"}');
  const bundle = await workflowBundle((message) => warnings.push(message), {
    madeByFile: file,
  });
  expect('code' in bundle && bundle.code.includes('__TEMPORAL__')).toBe(true);
  expect(warnings).toEqual([
    expect.stringContaining(`version 1.9.0 of Temporal's SDK, and ${sdkVersion()} is`),
  ]);
});

it('is refused to a worker of another copy of the SDK, which is named', async () => {
  const plugin = new DurableRagPlugin({
    open: () => expect.fail('opens nothing'),
    bundle: () => expect.fail('bundles nothing'),
  });
  const connection = { close: async () => {} } as unknown as WorkerOptions['connection'];
  const configured = plugin.configureWorker({ taskQueue: 'a', connection } as WorkerOptions);
  await expect(configured).rejects.toThrow(`than the ${sdkVersion()} that durable-rag needs`);
});
