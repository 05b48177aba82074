import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MODELS } from '../../temporal-dev/artifacts.js';
import { findModel } from '../../temporal-dev/local-model.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { serve } from '../support/listening.js';
import { context, pretend } from './support.js';

/** Stands where llama-server would: loads for a moment, then answers as it does. */
const FAKE_LLAMA = `#!${process.execPath}
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const readyAt = Date.now() + 300;
require('node:http').createServer((request, response) => {
  if (Date.now() < readyAt) response.writeHead(503).end('{"error":{"message":"Loading model"}}');
  else if (request.url === '/health') response.end('{"status":"ok"}');
  else response.end(JSON.stringify({ data: [{ id: option('--alias') }] }));
}).listen(Number(option('--port')), option('--host'));
`;

/** A home in which the 0.5B counts as fetched (a file with a hole), and a llama-server on the PATH. */
async function ready() {
  const at = await context();
  await pretend(MODELS['0.5b'], at.home);
  const bin = join(at.home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'llama-server'), FAKE_LLAMA);
  await chmod(join(bin, 'llama-server'), 0o755);
  const port = await freePort();
  at.env = {
    PATH: bin,
    DURABLE_RAG_LOCAL_MODEL: '0.5b',
    DURABLE_RAG_MODEL_PORT: String(port),
  };
  return { at, port };
}

test('a key or an address of an API is used, and nothing is started', async () => {
  const at = await context({ env: { OPENAI_API_KEY: 'secret' } });
  expect(await findModel(at)).toEqual({ baseUrl: undefined, model: undefined });

  at.env = { OPENAI_BASE_URL: 'https://user:secret@example.com/v1?key=secret' };
  expect(await findModel(at)).toMatchObject({ baseUrl: at.env.OPENAI_BASE_URL });
  expect(at.reporter.lines).toEqual([
    'Model: OpenAI (configured)',
    'Model: example.com/v1 (configured)',
  ]);
});

test('the local model is started, waited for, found again by a second start and stopped', async () => {
  const { at, port } = await ready();
  const first = await findModel(at);
  onTestFinished(() => first.child?.stop());
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const model = 'qwen2.5-coder-0.5b-instruct';
  expect(first).toMatchObject({ child: expect.anything(), baseUrl, model });
  expect((await fetch(`${baseUrl}/models`)).ok).toBe(true);

  const second = await findModel(at);
  expect(second).toEqual({ baseUrl, model });

  await first.child?.stop();
  await expect(fetch(`${baseUrl}/models`)).rejects.toThrow();
});

test('a port that something else has is passed by with a warning', async () => {
  const { at } = await ready();
  const taken = new URL(await serve((_, response) => response.end('a web page'))).port;
  at.env.DURABLE_RAG_MODEL_PORT = taken;
  const model = await findModel(at);
  onTestFinished(() => model.child?.stop());

  expect(model.child?.running).toBe(true);
  expect(model.baseUrl).not.toContain(taken);
  expect(at.reporter.warnings.join()).toContain(`Port ${taken} is in use`);
});

test('without Python and without network the error says what can be done', async () => {
  const { at } = await ready();
  at.env.PATH = '';
  const error = await findModel(at).catch((reason) => reason);

  expect(error.message).toContain('llama-server is not on the PATH');
  expect(error.message).toContain('OPENAI_BASE_URL');
});

test('a size that does not exist is refused by name', async () => {
  const at = await context({ env: { DURABLE_RAG_LOCAL_MODEL: '70b' } });

  await expect(findModel(at)).rejects.toThrow('DURABLE_RAG_LOCAL_MODEL must be 1.5b or 0.5b');
});
