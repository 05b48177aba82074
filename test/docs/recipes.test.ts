/** The endpoints of docs/adapters.md, each tried on a server that behaves as it does. */
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../core/failure.js';
import { checkedCompletion } from '../../llm/cache-entry.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { packageRoot } from '../../stores/package-root.js';
import { never, requestOf } from '../support/completion.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/listening.js';
import { pages } from './pages.js';

const KEY = 'of-this-endpoint-1';

interface Endpoint {
  host: string;
  /** Path and query of a call. */
  path: string;
  /** The header with the key. */
  key: [name: string, value: string];
  models: string[];
  answer: object;
  /** Status and body for another model, another key, another path. */
  refusals: Record<'model' | 'key' | 'path', [status: number, body: unknown]>;
}

const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };
const bearer: Endpoint['key'] = ['authorization', `Bearer ${KEY}`];
const choice = (message: object, more: object = {}) => ({
  object: 'chat.completion',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message }, ...more },
  ],
  usage,
});
const harmless = { violence: { filtered: false, severity: 'safe' } };
const azureAnswer = {
  ...choice({ content: 'Paris', refusal: null }, { content_filter_results: harmless }),
  model: 'gpt-4o-2024-11-20',
  system_fingerprint: 'fp_az',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: harmless }],
};
const azureRefusals: Endpoint['refusals'] = {
  model: [404, { error: { code: 'DeploymentNotFound', message: 'There is no such deployment.' } }],
  key: [401, { error: { code: '401', message: 'The subscription key is invalid.' } }],
  path: [404, { error: { code: '404', message: 'Resource not found' } }],
};

const vertexPath = '/v1/projects/PROJECT/locations/global/endpoints/openapi/chat/completions';
const googleError = (code: number, status: string, message: string): [number, unknown] => [
  code,
  [{ error: { code, status, message } }],
];

const ENDPOINTS: Record<string, Endpoint> = {
  Azure: {
    host: 'NAME.openai.azure.com',
    path: '/openai/v1/chat/completions',
    key: bearer,
    models: ['DEPLOYMENT'],
    answer: azureAnswer,
    refusals: azureRefusals,
  },
  'An Azure deployment': {
    host: 'NAME.openai.azure.com',
    path: '/openai/deployments/DEPLOYMENT/chat/completions?api-version=2024-10-21',
    key: ['api-key', KEY],
    models: ['DEPLOYMENT'],
    answer: azureAnswer,
    refusals: azureRefusals,
  },
  Bedrock: {
    host: 'bedrock-mantle.REGION.api.aws',
    path: '/v1/chat/completions',
    key: bearer,
    models: ['openai.gpt-oss-120b'],
    answer: choice({ content: 'Paris', reasoning: 'It is the capital.' }),
    refusals: {
      model: [404, { error: { code: 'model_not_found', message: 'There is no such model.' } }],
      key: [401, { error: { code: 'invalid_api_key', message: 'The key is wrong.' } }],
      path: [404, { message: 'Not found' }],
    },
  },
  "Bedrock's runtime": {
    host: 'bedrock-runtime.REGION.amazonaws.com',
    path: '/openai/v1/chat/completions',
    key: bearer,
    models: ['openai.gpt-oss-120b-1:0'],
    answer: choice({ content: '<reasoning>It is the capital.</reasoning>Paris' }),
    refusals: {
      model: [400, { message: 'The provided model identifier is invalid.' }],
      key: [403, { Message: 'Authentication failed: check the API key.' }],
      path: [404, { Output: { __type: 'UnknownOperationException' }, Version: '1.0' }],
    },
  },
  Vertex: {
    host: 'aiplatform.googleapis.com',
    path: vertexPath,
    key: bearer,
    models: ['google/gemini-2.5-flash'],
    answer: {
      ...choice({ content: 'Paris' }),
      model: 'google/gemini-2.5-flash',
      usage: { ...usage, extra_properties: { google: { traffic_type: 'ON_DEMAND' } } },
    },
    refusals: {
      model: googleError(404, 'NOT_FOUND', 'The publisher model was not found.'),
      key: googleError(401, 'UNAUTHENTICATED', 'The credentials are invalid.'),
      path: googleError(404, 'NOT_FOUND', 'There is no such method.'),
    },
  },
};

/** Sends what goes to the endpoint's host to a server that behaves like it; gives what it got. */
async function stand(endpoint: Endpoint) {
  const got: { headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
  const url = await serve(async (request, response) => {
    const body = (await json(request)) as { model: string };
    got.push({ headers: request.headers, body });
    const [name, value] = endpoint.key;
    const refused =
      request.url !== endpoint.path
        ? endpoint.refusals.path
        : request.headers[name] !== value
          ? endpoint.refusals.key
          : endpoint.models.includes(body.model)
            ? undefined
            : endpoint.refusals.model;
    const [status, said] = refused ?? [200, endpoint.answer];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  const really = globalThis.fetch;
  vi.stubGlobal('fetch', (to: string | URL, init?: RequestInit) => {
    const { host, pathname, search } = new URL(to);
    expect(host).toBe(endpoint.host.toLowerCase());
    return really(`${url}${pathname}${search}`, init);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return got;
}

const page = pages.find(({ path }) => path === 'docs/adapters.md');
const rows = [...(page?.text ?? '').matchAll(/^\| (.+?) \| `(https:.+?)` \| (.+?) \|$/gm)].map(
  ([, name = '', baseUrl = '', model = '']) => ({ name, baseUrl, model }),
);

/** Asks as a step does, which reads what is behind the thoughts. */
async function ask(model: LanguageModel, name: string) {
  const request = requestOf('What is the capital of France?', { model: name, seed: 3 });
  return checkedCompletion('LanguageModel.complete', await model.complete(request, never()));
}

async function typeOf(asking: Promise<unknown>): Promise<string> {
  const failure = await asking.catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw new Error('It did not fail.');
  expect(`${failure.message}${failure.cause}`).not.toContain(KEY);
  return failure.type;
}

test('every endpoint of the table has a server here', () => {
  expect(rows.map(({ name }) => name)).toEqual(['Azure', 'Bedrock', "Bedrock's runtime", 'Vertex']);
});

test.each(rows)('$name: address, key and model of the table', async ({ name, baseUrl, model }) => {
  const endpoint = ENDPOINTS[name];
  if (!endpoint) throw new Error(`There is no ${name}.`);
  const [known = ''] = endpoint.models;
  // Azure's is the name of the deployment, which everybody chooses.
  if (name !== 'Azure') expect(model).toBe(`\`${known}\``);
  const got = await stand(endpoint);
  const at = (apiKey: string, address = baseUrl) =>
    createOpenAiModel({ apiKey, baseUrl: address, timeoutMs: 10_000, prices: new Map() });
  const expected = {
    text: 'Paris',
    end: 'finished',
    usage: { promptTokens: 20, completionTokens: 9 },
  };
  expect(await ask(at(KEY), known)).toMatchObject(expected);
  // As the console of the provider shows it.
  expect(await ask(at(KEY, `${baseUrl}/chat/completions`), known)).toMatchObject(expected);
  expect(got[0]?.body).toMatchObject({ model: known, max_tokens: 10, temperature: 0, seed: 3 });
  expect(await typeOf(ask(at(KEY), 'another'))).toBe('UnknownModel');
  expect(await typeOf(ask(at('another-key-1'), known))).toMatch(/^(Authentication|Permission)$/);
});

/** Loads a program of the page that holds this. */
async function load(holding: string): Promise<Record<string, unknown>> {
  const block = page?.blocks.find(({ text }) => text.includes(holding));
  const source = (name: string) => `'${join(packageRoot(), name)}'`;
  const file = join(await temporaryFolder(), 'shown.ts');
  const text = (block?.text ?? '')
    .replace("'durable-rag/config'", source('workers/define-config.ts'))
    .replace("'durable-rag/openai'", source('llm/openai/index.ts'))
    .replace(/declare const accessToken.*/, `const accessToken = async () => '${KEY}';`);
  await writeFile(file, text);
  return import(file);
}

test('an Azure deployment: path, version and header of the program', async () => {
  const endpoint = ENDPOINTS['An Azure deployment'] as Endpoint;
  vi.stubEnv('AZURE_OPENAI_API_KEY', KEY);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model, defaultModel } = (await load('/openai/deployments/')).default as {
    model: LanguageModel;
    defaultModel: string;
  };
  const got = await stand(endpoint);
  expect(await ask(model, defaultModel)).toMatchObject({ text: 'Paris', fingerprint: 'fp_az' });
  expect(got[0]?.headers).not.toHaveProperty('authorization');
  expect(await typeOf(ask(model, 'another'))).toBe('UnknownModel');
});

test('Vertex: the token of the program is renewed with every call', async () => {
  const { model } = (await load('accessToken()')) as { model: LanguageModel };
  const got = await stand(ENDPOINTS.Vertex as Endpoint);
  expect(await ask(model, 'google/gemini-2.5-flash')).toMatchObject({ text: 'Paris' });
  expect(got[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(await typeOf(ask(model, 'google/another'))).toBe('UnknownModel');
});
