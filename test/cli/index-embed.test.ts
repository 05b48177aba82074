/** `durable-rag index --embed` as a person runs it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type CommandLine, commandLineOver } from '../support/command-line.js';
import type { ModelServer, ReplySpec } from '../support/model-server.js';
import { promptOf, telephoneReply, writeBells } from '../support/telephone.js';

let server: ModelServer;
let cli: CommandLine;
/** What stands in for the n-th request; vectors when it gives nothing. */
let instead: (n: number) => ReplySpec | undefined;
let file: string;

beforeEach(async () => {
  instead = () => undefined;
  const vectorOf = (text: string) => [1, text.length % 7, text.length % 5];
  ({ server, cli } = await commandLineOver(
    (request, n) =>
      instead(n) ??
      (request.messages
        ? telephoneReply(promptOf(request))
        : { vectors: (request.input as string[]).map(vectorOf) }),
  ));
  file = await writeBells(cli.home);
});

const index = (...flags: string[]) => ['index', file, '--into', 'mine', ...flags];
const manifest = async () =>
  JSON.parse(await readFile(join(cli.home, 'corpora', 'mine', 'manifest.json'), 'utf8')) as object;
const textsSent = () => server.requests.flatMap(({ body }) => body.input as string[]).length;

it('embeds with what the config file gives the workers, and keeps the vectors in its store', async () => {
  const config = join(cli.home, 'own.config.mjs');
  const store = join(cli.home, 'kept.txt');
  await writeFile(
    config,
    `import { appendFile } from 'node:fs/promises';
const embed = async (texts) => ({
  vectors: texts.map((text) => [1, text.length % 3]),
  usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 0 },
  costUsd: 0,
});
export default {
  embeddings: { model: 'lengths', embed },
  store: async (namespace) => ({
    get: async () => undefined,
    set: (key) => appendFile(${JSON.stringify(store)}, namespace + '\\n'),
    close: async () => {},
  }),
};
`,
  );
  const { code, stderr } = await cli.run(['--config', config, ...index('--embed')]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('embedded with lengths')]);
  expect(await manifest()).toMatchObject({ embedding: { model: 'lengths', dimensions: 2 } });
  expect(server.requests).toEqual([]);
  expect(new Set((await readFile(store, 'utf8')).trim().split('\n'))).toEqual(
    new Set(['embeddings']),
  );
});

it('embeds the passages at the configured endpoint, and questions search by them', async () => {
  const { stderr } = await cli.ok(index('--embed'));
  expect(stderr).toContain('mine: 200 passages, embedded with text-embedding-3-small');
  expect(stderr).not.toContain('sk-test-secret');
  expect(await manifest()).toMatchObject({ embedding: { dimensions: 3 } });
  // The passages, and one text that told whether the endpoint can be used at all.
  expect(textsSent()).toBe(201);

  const question = ['ask', 'Who got the patent?', '--method', 'base', '--corpus', 'mine'];
  expect(await cli.json([...question, '--mode', 'hybrid'])).toMatchObject({
    outcome: 'answered',
    steps: { embedTexts: { calls: 1, models: ['text-embedding-3-small'] }, read: { calls: 1 } },
  });
  const refused = await cli.run([...question, '--mode', 'fuzzy']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/--mode <mode>.*'fuzzy' is invalid.*bm25, dense, hybrid/);
});

it('interrupted, leaves the old index, and goes on where it was', async () => {
  await cli.ok(index());
  instead = (n) => (n === 3 ? 'hang' : undefined);
  const running = cli.begin(index('--embed'));
  await expect.poll(() => server.requests.length).toBe(4);
  running.interrupt();
  expect((await running.finished).code).toBe(130);
  expect(await manifest()).not.toHaveProperty('embedding');

  instead = () => undefined;
  const before = textsSent();
  await cli.ok(index('--embed'));
  expect(textsSent() - before).toBe(200 - 2 * 64);
});

it('says that it tries again while the endpoint does not answer', async () => {
  instead = (n) => (n < 2 ? { status: 503, headers: { 'retry-after': '1' } } : undefined);
  const { stderr } = await cli.ok(index('--embed'));
  expect(stderr.match(/cannot answer at the moment.*Trying again in \d+ s\./g)).toHaveLength(1);
});

it('tells what is wrong with the endpoint before it reads the file', async () => {
  instead = () => ({
    status: 501,
    body: { error: { message: 'This server does not support embeddings.' } },
  });
  const { code, stderr } = await cli.run(index('--embed'));
  expect(code).toBe(1);
  expect(stderr).toContain('It said: This server does not support embeddings.');
  expect(server.requests).toHaveLength(1);
});
