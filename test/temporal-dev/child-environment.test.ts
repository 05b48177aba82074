/** No key reaches the programs of the local stack. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { obtainArtifact } from '../../temporal-dev/fetch.js';
import { childEnvironment, fetchingEnvironment } from '../../temporal-dev/find-program.js';
import { obtainModelServer } from '../../temporal-dev/model-server.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { temporaryFolder } from '../support/folder.js';
import { artifactOf, context, fakePip, zipOf } from './support.js';

/** As people set them, by the names of many tools. */
const KEYS = {
  OPENAI_API_KEY: 'secret-1',
  OPENAI_EMBEDDING_API_KEY: 'secret-2',
  ELASTICSEARCH_PASSWORD: 'secret-3',
  DURABLE_RAG_STORE: 'redis://:secret-4@there',
  DURABLE_RAG_ENCRYPTION_KEYS: 'a:secret-5',
  TEMPORAL_API_KEY: 'secret-6',
  AWS_SECRET_ACCESS_KEY: 'secret-7',
  GITHUB_TOKEN: 'secret-8',
  LLAMA_API_KEY: 'secret-9',
  DATABASE_URL: 'postgres://u:secret-10@there',
  TOKEN: 'secret-11',
};
const PROXY = { HTTPS_PROXY: 'http://u:secret-12@proxy' };

test('programs are given what they run by, and nothing else', () => {
  const needed = { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C.UTF-8', TMPDIR: '/tmp/x' };
  expect(childEnvironment({ ...needed, ...KEYS, ...PROXY })).toEqual(needed);
  const index = { PIP_INDEX_URL: 'https://index.test/simple', ...PROXY };
  expect(fetchingEnvironment({ ...needed, ...index, ...KEYS })).toEqual({ ...needed, ...index });
});

/** A program that writes its environment beside itself, and what was written. */
async function telltale(name: string): Promise<{ bin: string; told(): Promise<string> }> {
  const bin = await temporaryFolder();
  const file = join(bin, name);
  await writeFile(file, `#!/bin/sh\n/usr/bin/env >> '${join(bin, 'told')}'\n`);
  await chmod(file, 0o755);
  return { bin, told: () => readFile(join(bin, 'told'), 'utf8') };
}

test('the Temporal server has no key, and collects garbage as often as the environment says', async () => {
  const { bin, told } = await telltale('temporal');
  const started = (env: NodeJS.ProcessEnv) =>
    startTemporalServer({
      binary: join(bin, 'temporal'),
      port: 1,
      uiPort: null,
      logFile: join(bin, 'log'),
      env: { PATH: '/bin:/usr/bin', ...env },
    });
  await expect(started({ ...KEYS, ...PROXY })).rejects.toThrow('ended as it started');
  await expect(started({ GOGC: '50' })).rejects.toThrow('ended as it started');
  expect(await told()).toContain('PATH=/bin:/usr/bin');
  expect(await told()).not.toContain('secret');
  expect((await told()).match(/GOGC=.*/g)).toEqual(['GOGC=300', 'GOGC=50']);
});

test('the model server of the PATH starts without a key', async () => {
  const { bin } = await telltale('llama-server');
  const { env } = await obtainModelServer(await context({ env: { PATH: bin, ...KEYS, ...PROXY } }));
  expect(env).toEqual({ PATH: bin });
});

test('pip has its index and its proxy, and no key', async () => {
  const content = Buffer.from('thing');
  const pip = await fakePip({ 'a==1': zipOf({ 'thing.bin': content }) });
  const source = { kind: 'pip', from: ['a==1'], member: 'thing.bin' } as const;
  const told = join(pip.folder, 'told');
  const bin = join(pip.folder, 'tells');
  await mkdir(bin);
  const python = `#!/bin/sh\n/usr/bin/env >> '${told}'\nexec '${pip.env.PATH}/python3' "$@"\n`;
  await writeFile(join(bin, 'python3'), python);
  await chmod(join(bin, 'python3'), 0o755);
  const index = { PIP_INDEX_URL: 'https://index.test/simple' };
  const env = { ...pip.env, ...index, ...KEYS, PATH: `${bin}:/bin:/usr/bin` };
  await obtainArtifact(artifactOf(content, [source]), await context({ env }));
  expect(await readFile(told, 'utf8')).toContain('PIP_INDEX_URL=https://index.test/simple');
  expect(await readFile(told, 'utf8')).not.toContain('secret');
});
