/** `doctor` says what is there and what is missing, how to mend it, and never a value of a setting. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { doctor } from '../../cli/doctor.js';
import { printOutput } from '../../cli/print-output.js';
import type { PartFinding } from '../../temporal-dev/findings.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { cliContext, printedBy } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/listening.js';
import { startModelServer } from '../support/model-server.js';

/** What is printed where nothing of this machine is on the PATH, and what the command ends with. */
async function told(
  env: NodeJS.ProcessEnv,
  { json = false, ...flags }: { json?: boolean; probe?: boolean } = {},
): Promise<{ code: number; text: string }> {
  const context = cliContext({
    home: await temporaryFolder(),
    json,
    env: {
      PATH: '',
      DURABLE_RAG_TEMPORAL_PORT: String(await freePort()),
      DURABLE_RAG_MODEL_PORT: String(await freePort()),
      ...env,
    },
  });
  const { result, text } = await printedBy(async () =>
    printOutput(context, await doctor(flags, context)),
  );
  return { code: result, text };
}

async function findings(env: NodeJS.ProcessEnv, probe = false) {
  const { code, text } = await told(env, { json: true, probe });
  const { ok, findings, probe: probed } = JSON.parse(text);
  const of = (part: string) => findings.filter((one: PartFinding) => one.part === part);
  return { code, ok, of, probed: probed as PartFinding[] | undefined, text };
}

it('names what is missing, with the way to mend it', async () => {
  const { code, ok, of } = await findings({});
  expect([code, ok]).toEqual([1, false]);
  expect(of('Temporal')).toMatchObject([
    { state: 'fetched', bytes: 45_000_000, text: expect.stringMatching(/45 MB to fetch$/) },
  ]);
  expect(of('Model')).toMatchObject([
    { state: 'fetched', text: expect.stringMatching(/1\.1 GB to fetch/) },
  ]);
  expect(of('Model server')).toEqual([
    {
      part: 'Model server',
      state: 'missing',
      text: 'neither llama-server nor a Python is on the PATH',
      mend: 'install llama.cpp or Python 3.10, or set OPENAI_API_KEY or OPENAI_BASE_URL',
    },
  ]);
  const { code: same, text } = await told({});
  expect(same).toBe(1);
  expect(text).toMatch(/^MISSING {2}Model server .*\n +fix: install llama\.cpp/m);
  expect(text).toMatch(/^ok +Node +\d+\./m);
});

it('ends with 0 where everything is there or would be fetched', async () => {
  const address = await serve((_, response) => response.end());
  const { port } = new URL(address);
  const { code, ok, of } = await findings({
    OPENAI_BASE_URL: `${address}/v1`,
    DURABLE_RAG_TEMPORAL_PORT: port,
  });
  expect([code, ok]).toEqual([0, true]);
  expect(of('Temporal')).toMatchObject([{ state: 'there', text: `127.0.0.1:${port} answers` }]);
  expect(of('Model')).toMatchObject([{ state: 'there', text: `127.0.0.1:${port} answers` }]);
  expect(of('Search')).toMatchObject([{ state: 'there' }]);
  const local = await findings({ DURABLE_RAG_MODEL_PORT: port });
  expect(local.of('Model')).toMatchObject([{ state: 'there', text: `127.0.0.1:${port} answers` }]);
});

it.each([
  ['Temporal', 'TEMPORAL_ADDRESS', (port: number) => ({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` })],
  ['Model', 'OPENAI_BASE_URL', (port: number) => ({ OPENAI_BASE_URL: urlAt(port) })],
  [
    'Embeddings',
    'OPENAI_EMBEDDING_BASE_URL',
    (port: number) => ({ OPENAI_EMBEDDING_BASE_URL: urlAt(port) }),
  ],
  [
    'Reranker',
    'DURABLE_RAG_RERANK_URL',
    (port: number) => ({ DURABLE_RAG_RERANK_URL: urlAt(port), DURABLE_RAG_RERANK_MODEL: 'm' }),
  ],
  ['Search', 'ELASTICSEARCH_URL', (port: number) => ({ ELASTICSEARCH_URL: urlAt(port) })],
  [
    'Store',
    'DURABLE_RAG_STORE',
    (port: number) => ({ DURABLE_RAG_STORE: `postgres://user:secret-1@127.0.0.1:${port}/x` }),
  ],
])('says that a configured %s does not answer, and what to check', async (part, variable, env) => {
  const port = await freePort();
  const { code, of, text } = await findings(env(port));
  expect(code).toBe(1);
  expect(of(part)).toContainEqual({
    part,
    state: 'missing',
    text: expect.stringContaining(`127.0.0.1:${port}`),
    mend: expect.stringContaining(variable),
  });
  expect(text).not.toContain('secret-1');
});

const urlAt = (port: number) => `http://127.0.0.1:${port}`;

it('says that an endpoint refuses the key, and takes any other answer for a sign of life', async () => {
  const asked: string[] = [];
  const address = await serve((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(request.headers.authorization === 'Bearer right' ? 404 : 401).end();
  });
  const withKey = (key: string) =>
    findings({ OPENAI_BASE_URL: `${address}/v1/chat/completions`, OPENAI_API_KEY: key });
  const right = await withKey('right');
  const wrong = await withKey('wrong');
  expect(right.of('Model')).toMatchObject([{ state: 'there' }]);
  expect(wrong.of('Model')).toMatchObject([
    { state: 'missing', text: expect.stringContaining('refuses the key (401)') },
  ]);
  expect(asked).toEqual(['/v1/models Bearer right', '/v1/models Bearer wrong']);
});

it('names variables that nothing reads', async () => {
  const { code, of } = await findings({ DURABLE_RAG_FOO: 'secret-1', TEMPORAL_ADRESS: 'x' });
  expect(code).toBe(1);
  // The rest is looked at all the same.
  expect(of('Prices')).toHaveLength(1);
  const texts = of('Settings').map(({ text }: PartFinding) => text);
  expect(texts.slice(1)).toEqual([
    'DURABLE_RAG_FOO: there is no such variable; unset it',
    'TEMPORAL_ADRESS: there is no such variable; did you mean TEMPORAL_ADDRESS?',
  ]);
  expect(texts.join()).not.toContain('secret-1');
});

it.each(['nonsense', 'a:b', `a:${'x'.repeat(64)}`, 'a:'])(
  'tells encryption keys that are none: %s',
  async (keys) => {
    const { code, of } = await findings({ DURABLE_RAG_ENCRYPTION_KEYS: keys });
    expect(code).toBe(1);
    expect(of('Settings')).toContainEqual(
      expect.objectContaining({ state: 'missing', text: expect.stringContaining('is not ID:KEY') }),
    );
  },
);

it('names the keys and settings that are set, and never what they hold', async () => {
  const secrets = {
    OPENAI_API_KEY: 'sk-of-mine-1234',
    TEMPORAL_API_KEY: 'temporal-key-5678',
    DURABLE_RAG_ENCRYPTION_KEYS: 'a:c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=',
  };
  const { of, text } = await findings(secrets);
  const [{ text: set }] = of('Settings');
  for (const name of Object.keys(secrets)) expect(set).toContain(name);
  for (const said of [text, (await told(secrets)).text]) {
    expect(said).not.toMatch(/sk-of-mine|temporal-key|c2Vjcm/);
  }
});

it('tells a wrong setting as a finding', async () => {
  const { code, of } = await findings({ DURABLE_RAG_CONCURRENCY: 'many' });
  expect(code).toBe(1);
  expect(of('Settings')).toContainEqual({
    part: 'Settings',
    state: 'missing',
    mend: 'change the variable named in the message',
    text: expect.stringContaining('DURABLE_RAG_CONCURRENCY'),
  });
});

it('probes the endpoint with one small call of each kind', async () => {
  const server = await startModelServer({ reply: () => ({ text: 'Bell' }) });
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-of-mine-1234' };
  const { code, probed, text } = await findings(env, true);
  expect(code).toBe(0);
  expect(Object.fromEntries(probed?.map(({ part, state }) => [part, state]) ?? [])).toMatchObject({
    plain: 'there',
    seed: 'there',
    temperature: 'there',
    'long prompt': 'there',
    logprobs: 'unused',
    schema: 'unused',
    thinking: 'unused',
    batch: 'unused',
  });
  expect(server.requests).toHaveLength(7);
  expect(text).not.toContain('sk-of-mine');
});

it('ends with 8 where the endpoint does not answer a plain call', async () => {
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`, OPENAI_API_KEY: 'k' };
  const { code, probed } = await findings(env, true);
  expect(code).toBe(8);
  expect(probed).toMatchObject([
    {
      part: 'plain',
      state: 'missing',
      mend: 'check OPENAI_BASE_URL, OPENAI_API_KEY and the model',
    },
  ]);
});

it('says how old the price table is, with prices of your own in it', async () => {
  const day = new Date(Date.now() - 400 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  const { of } = await findings({});
  expect(of('Prices')[0].text).toMatch(/^\d+ models, of 20\d\d-\d\d-\d\d \d+ days? ago$/);

  const file = join(await temporaryFolder(), 'prices.json');
  const price = { prompt: 1, completion: 2 };
  await writeFile(file, JSON.stringify({ mine: { ...price, asOf: day }, other: price }));
  const own = await findings({ DURABLE_RAG_PRICES: file });
  expect(own.of('Prices')[0].text).toMatch(
    new RegExp(`, of ${day} to 20.*, the oldest 400 days ago; 1 of your own without a date`),
  );

  await writeFile(file, '{"acme":{"budgetUsdPerDay":2},"*":{}}');
  const tenants = await findings({ DURABLE_RAG_TENANTS: file });
  expect(tenants.of('Tenants')[0].text).toBe('terms of 2 tenants, 1 with a daily budget');
  await writeFile(file, '{"acme":{"weight":"2"}}');
  expect((await findings({ DURABLE_RAG_TENANTS: file })).of('Settings')).toContainEqual(
    expect.objectContaining({ state: 'missing', text: expect.stringMatching(/acme\.weight/) }),
  );

  await writeFile(file, '{"mine":{"prompt":-1,"completion":2}}');
  const wrong = await findings({ DURABLE_RAG_PRICES: file });
  expect(wrong.of('Settings')).toContainEqual(
    expect.objectContaining({ state: 'missing', text: expect.stringMatching(/mine\.prompt/) }),
  );
});
