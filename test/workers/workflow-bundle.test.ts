/** The prebuilt bundle and the SDK that runs it are of one version. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { unanswered } from '../../core/result.js';
import { packageRoot } from '../../stores/package-root.js';
import { DurableRagPlugin } from '../../workers/plugin.js';
import {
  BUNDLE_FILE,
  buildIdOf,
  bundleWorkflows,
  givenBundle,
  sdkVersion,
  workflowBundle,
} from '../../workers/workflow-bundle.js';
import { defineMethod } from '../../workflows/define-method.js';
import { temporaryFolder } from '../support/folder.js';

/** A folder of its own, below the given ones. */
async function folderOf(...below: string[]): Promise<string> {
  const root = await temporaryFolder();
  const folder = join(root, ...below);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** A method in a module beside a module that it imports, in a folder. */
async function ownMethod(folder: string, said = 'hello') {
  await writeFile(join(folder, 'said.ts'), `export const said: string = '${said}';\n`);
  const module = join(folder, 'greet.ts');
  await writeFile(
    module,
    `import { said } from './said.js';
const answer = async () => ({ outcome: 'answered', answer: said, evidence: [], chain: null });
export const greet = { name: 'greet', module: import.meta.url, options: {}, algorithm: answer };
`,
  );
  const algorithm = async () => unanswered('unknown', [], null);
  return defineMethod({ module, name: 'greet', options: {}, algorithm });
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
  expect(sources).toContain('durable-rag/dist/workflows/methods/sure/sure.js');
  expect(Buffer.from(map, 'base64').includes(packageRoot())).toBe(false);
  expect(code).not.toContain(packageRoot());
});

it('is made again, and says so, where another SDK made it', async () => {
  const warnings: string[] = [];
  const file = join(await folderOf(), 'bundle.js');
  const built = await readFile(BUNDLE_FILE, 'utf8');
  await writeFile(file, built.replace(`"sdk":"${sdkVersion()}"`, '"sdk":"1.9.0"'));
  const bundle = await workflowBundle((message) => warnings.push(message), file);
  // The same as is built.
  expect(bundle).toHaveProperty('code');
  expect(await buildIdOf(bundle)).toBe(await buildIdOf({ codePath: BUNDLE_FILE }));
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

it('is of one version wherever it is made, and of another for other content', async () => {
  const [one, other, changed] = await Promise.all([
    folderOf('a').then((folder) => ownMethod(folder)),
    folderOf('deep', 'er').then((folder) => ownMethod(folder)),
    folderOf('a').then((folder) => ownMethod(folder, 'good day')),
  ]);
  const made = await Promise.all(
    [one, other, changed].map((method) => bundleWorkflows({ methods: [method] })),
  );
  const [first, elsewhere, edited] = await Promise.all(made.map(buildIdOf));
  expect(elsewhere).toBe(first);
  expect(edited).not.toBe(first);
  const encoded = await bundleWorkflows({ methods: [one], encoded: true });
  expect(await buildIdOf(encoded)).not.toBe(first);
  for (const { code } of made) expect(code).not.toMatch(/durable-rag-(bundle|workflows)-\w{6}/);
}, 120_000);

it('names a module of Node that a method imports', async () => {
  const folder = await folderOf();
  const method = await ownMethod(folder);
  await writeFile(join(folder, 'said.ts'), `export { sep as said } from 'node:path';\n`);
  await expect(bundleWorkflows({ methods: [method] })).rejects.toThrow(
    /^methods: .*said\.ts imports "node:path", and a workflow's sandbox has no modules of Node/,
  );
});

describe('a bundle made beforehand', () => {
  async function written(code: string): Promise<string> {
    const file = join(await folderOf(), 'workflow-bundle.js');
    await writeFile(file, code);
    return file;
  }

  it('is taken as it is', async () => {
    const file = await written(await readFile(BUNDLE_FILE, 'utf8'));
    expect(await givenBundle(pathToFileURL(file), {})).toEqual({ codePath: file });
  });

  it.each([
    ['is not there', async () => '/nowhere/bundle.js', {}],
    ['was not made by bundleWorkflows', () => written('exports.sure = () => {}'), {}],
    ['messages of failures unencrypted', async () => BUNDLE_FILE, { encoded: true }],
    ['lacks the interceptors', async () => BUNDLE_FILE, { interceptors: ['./traced.js'] }],
    [
      "version 1.9.0 of Temporal's SDK",
      async () =>
        written((await readFile(BUNDLE_FILE, 'utf8')).replace(/"sdk":"[\d.]+"/, '"sdk":"1.9.0"')),
      {},
    ],
  ])('is refused where it %s', async (why, file, worker) => {
    const refused = expect(givenBundle(await file(), worker)).rejects;
    await refused.toMatchObject({ type: 'BadInput', message: expect.stringContaining(why) });
  });
});
