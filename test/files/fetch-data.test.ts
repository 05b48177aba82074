import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { download } from '../../files/download.js';
import { fetchData } from '../../files/fetch-data.js';
import { temporaryFolder } from '../support/folder.js';
import { type HubFile, startHub } from '../support/hub.js';
import { serve } from '../support/listening.js';

const LINES = Buffer.from(
  '{"id":"1","question":"Which sea is it?","golden_answers":["the North Sea"]}\n',
);
const NAMED = 'hf:ann/birds/dev.jsonl';

async function begun(files: Record<string, HubFile>) {
  const hub = await startHub(files);
  const home = await temporaryFolder();
  const env = { DURABLE_RAG_HOME: home, HF_ENDPOINT: hub.url };
  const said: string[] = [];
  const onStart = (what: string) => void said.push(what);
  const fetching = (named: string, more: NodeJS.ProcessEnv = {}, others = {}) =>
    fetchData(named, { env: { ...env, ...more }, onStart, ...others });
  const left = async () => (await readdir(join(home, 'data')).catch(() => [])).sort();
  return { hub, home, said, fetching, left };
}

it('fetches a file of the hub once, and says from where', async () => {
  const { hub, fetching, left, said } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const { file, source } = await fetching(NAMED);
  expect(await readFile(file)).toEqual(LINES);
  expect(source).toMatchObject({
    address: NAMED,
    revision: '5f0a3c21b7',
    bytes: LINES.length,
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(said).toEqual([
    expect.stringMatching(/^downloading hf:ann\/birds\/dev\.jsonl, 1 kB, to /),
  ]);

  hub.asked.length = 0;
  // The server is as good as gone: what was fetched is used.
  expect(await fetching(NAMED)).toEqual({ file, source });
  expect(hub.asked).toEqual([]);
  expect(await left()).toHaveLength(1);
});

it('fetches another revision beside the first', async () => {
  const { fetching, left } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const first = await fetching(NAMED);
  const second = await fetching(`${NAMED}@v2`);
  expect(second.file).not.toBe(first.file);
  expect(await left()).toHaveLength(2);
});

it('goes on where the connection broke, in this call and in the next one', async () => {
  const content = randomBytes(500_000);
  const files = { 'ann/birds/dev.jsonl': { content, breaksAfter: 200_000 } };
  const { hub, fetching } = await begun(files);
  const stopped = new AbortController();
  const begun1 = fetching(
    NAMED,
    {},
    {
      signal: stopped.signal,
      onProgress: (done: number) => done > 200_000 && stopped.abort(new Error('Ctrl-C')),
    },
  );
  await expect(begun1).rejects.toThrow('Ctrl-C');
  const { file } = await fetching(NAMED);
  expect(content.equals(await readFile(file))).toBe(true);
  const ranges = hub.asked
    .filter((line) => line.startsWith('store'))
    .map((line) => line.split(' ')[2]);
  // The first asks for all of it, and the last for what was left.
  expect(ranges[0]).toBeUndefined();
  expect(ranges.at(-1)).toMatch(/^bytes=[1-9]/);
});

it('begins anew if the file has changed in between', async () => {
  const old = randomBytes(300_000);
  const { hub, fetching } = await begun({ 'ann/birds/dev.jsonl': { content: old, commit: 'aaa' } });
  const stopped = new AbortController();
  const first = fetching(
    NAMED,
    {},
    {
      signal: stopped.signal,
      onProgress: (done: number) => done > 0 && stopped.abort(new Error('Ctrl-C')),
    },
  );
  await expect(first).rejects.toThrow('Ctrl-C');
  const content = randomBytes(310_000);
  hub.files.set('ann/birds/dev.jsonl', { content, commit: 'bbb' });
  const { file, source } = await fetching(NAMED);
  expect(content.equals(await readFile(file))).toBe(true);
  expect(source.revision).toBe('bbb');
});

it('two at once fetch once', async () => {
  const { hub, fetching } = await begun({
    'ann/birds/dev.jsonl': { content: randomBytes(100_000) },
  });
  const [one, two] = await Promise.all([fetching(NAMED), fetching(NAMED)]);
  expect(one).toEqual(two);
  expect(hub.asked.filter((line) => line.startsWith('store'))).toHaveLength(1);
});

it('sends the token to the hub alone, and never behind a redirect', async () => {
  const { hub, fetching } = await begun({
    'ann/birds/dev.jsonl': { content: LINES, token: 'hf_abc' },
  });
  await expect(fetching(NAMED)).rejects.toThrow(/refuses it \(HTTP 401\)\. Set HF_TOKEN/);
  await fetching(NAMED, { HF_TOKEN: 'hf_abc' });
  const withToken = hub.asked.filter((line) => line.includes('Bearer'));
  expect(withToken).toEqual(['hub /datasets/ann/birds/resolve/main/dev.jsonl Bearer hf_abc']);
  const plain = await serve((request, response) =>
    response.end(request.headers.authorization ? 'token!' : 'none'),
  );
  const other = await fetching(`${plain}/x.csv`, { HF_TOKEN: 'hf_abc' });
  expect(await readFile(other.file, 'utf8')).toBe('none');
});

it.each([
  ['hf:ann/birds/none.jsonl', 'no such file in this data set (HTTP 404)'],
  ['hf:ann/fish/none.jsonl', 'no such data set, or one that needs HF_TOKEN (HTTP 404)'],
  ['hf:ann/birds/dev.jsonl@gone', 'no such revision (HTTP 404)'],
])('says of %s that there is %s', async (named, what) => {
  const { fetching } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  await expect(fetching(named)).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining(what),
  });
});

it('refuses what is too large, or has no room, before a byte of it comes', async () => {
  const content = randomBytes(400_000);
  const { fetching, left } = await begun({ 'ann/birds/dev.jsonl': { content } });
  await expect(fetching(NAMED, { DURABLE_RAG_FETCH_LIMIT: '0.0003' })).rejects.toThrow(
    `${NAMED} has more than 300 kB: raise DURABLE_RAG_FETCH_LIMIT (in GB) if you want it.`,
  );
  const little = { freeBytes: async () => 1000 };
  await expect(fetching(NAMED, {}, little)).rejects.toThrow(/needs 400 kB in .* and 1 kB are free/);
  expect((await left()).every((name) => name.endsWith('.partial'))).toBe(true);
});

it('stops a body of unknown length at the limit', async () => {
  const endless = await serve((_, response) => {
    const more = () => response.write(randomBytes(50_000), () => response.destroyed || more());
    more();
  });
  const { fetching } = await begun({});
  await expect(
    fetching(`${endless}/x.jsonl`, { DURABLE_RAG_FETCH_LIMIT: '0.001' }),
  ).rejects.toThrow('has more than 1 MB');
});

it.each([
  ['gzip', gzipSync(LINES), 'dev.jsonl.gz'],
  ['a zip with one file', Buffer.from(zipSync({ 'a/dev.jsonl': LINES })), 'dev.zip'],
  ['a zip whose name is another', Buffer.from(zipSync({ 'x.jsonl': LINES })), 'dev.jsonl'],
])('unpacks %s', async (_, content, name) => {
  const { fetching } = await begun({ [`ann/birds/${name}`]: { content } });
  const { file, source } = await fetching(`hf:ann/birds/${name}`);
  expect(await readFile(file)).toEqual(LINES);
  expect(source.bytes).toBe(content.length);
});

const bomb = Buffer.alloc(5_000_000);

it.each([
  ['two files', Buffer.from(zipSync({ a: LINES, b: LINES })), 'more than one file in it'],
  ['no file', Buffer.from(zipSync({ 'a/': new Uint8Array() })), /no file in it|cannot be unpacked/],
  ['a name that leads out', Buffer.from(zipSync({ '../../evil': LINES })), 'cannot be unpacked'],
  ['a bomb', Buffer.from(zipSync({ a: bomb })), 'has more than 1 MB'],
  ['a gzip bomb', gzipSync(bomb), 'has more than 1 MB'],
  ['cut gzip', gzipSync(randomBytes(50_000)).subarray(0, 20_000), 'it is damaged'],
])('refuses %s, and leaves nothing outside of its folder', async (_, content, what) => {
  const { fetching, home, left } = await begun({ 'ann/birds/x.zip': { content } });
  await expect(
    fetching('hf:ann/birds/x.zip', { DURABLE_RAG_FETCH_LIMIT: '0.001' }),
  ).rejects.toThrow(what);
  expect(existsSync(join(home, 'evil'))).toBe(false);
  expect((await left()).every((name) => name.endsWith('.partial'))).toBe(true);
});

it.each([
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.7/x',
  'http://[::ffff:10.0.0.7]/x',
  'http://2130706434/x',
  'ftp://files.example/x',
  'file:///etc/passwd',
])('follows no redirect to %s', async (location) => {
  const url = await serve((_, response) => response.writeHead(302, { location }).end());
  const { fetching } = await begun({});
  await expect(fetching(`${url}/x.csv`)).rejects.toThrow(/is not fetched: it redirects to /);
});

it('gives up a circle of redirects', async () => {
  const url = await serve((request, response) =>
    response.writeHead(302, { location: request.url ?? '' }).end(),
  );
  const { fetching } = await begun({});
  await expect(fetching(`${url}/x.csv`)).rejects.toThrow('more than 5 redirects');
});

it('refuses a file whose hash is not the one that the hub states', async () => {
  const { hub, fetching } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const changed = Buffer.from(String(LINES).replace('North', 'South'));
  const store = await serve((_, response) => response.end(changed));
  const liar = await serve((_, response) =>
    response
      .writeHead(302, { location: `${store}/x`, 'x-linked-etag': `"${'a'.repeat(64)}"` })
      .end(),
  );
  await expect(fetching(NAMED, { HF_ENDPOINT: liar })).rejects.toThrow(
    'does not have the hash that the hub names; it was deleted',
  );
  hub.asked.length = 0;
  await fetching(NAMED);
  expect(hub.asked).toHaveLength(2);
});

it('fetches again what somebody has changed in the home', async () => {
  const { hub, fetching } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const { file } = await fetching(NAMED);
  await writeFile(file, 'cut');
  hub.asked.length = 0;
  await fetching(NAMED);
  expect(await readFile(file)).toEqual(LINES);
  expect(hub.asked).toHaveLength(2);
});

it('says what to do if nobody answers', async () => {
  const { fetching } = await begun({});
  await expect(fetching('http://127.0.0.1:1/x.csv')).rejects.toMatchObject({
    type: 'Connection',
    message: expect.stringMatching(/could not be fetched from 127\.0\.0\.1:1: not reachable/),
  });
});

it.each([
  ['ENOSPC', /^The disk is full: .* could not be written/],
  [
    'EACCES',
    /could not be written to .* \(EACCES: no\)\. Make the folder writable, or set DURABLE_RAG/,
  ],
  ['EIO', /could not be written to .* \(EIO: no\)/],
])('tells %s of the disk from a damaged file', async (code, message) => {
  const { fetching } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const freeBytes = async () => {
    throw Object.assign(new Error(`${code}: no`), { code, syscall: 'open' });
  };
  await expect(fetching(NAMED, {}, { freeBytes })).rejects.toMatchObject({
    type: 'Conflict',
    message: expect.stringMatching(message),
  });
});

it('names the address and DURABLE_RAG_HOME if its folder cannot be created', async () => {
  const { fetching, home } = await begun({ 'ann/birds/dev.jsonl': { content: LINES } });
  const file = join(home, 'no-folder');
  await writeFile(file, '');
  await expect(fetching(NAMED, { DURABLE_RAG_HOME: file })).rejects.toMatchObject({
    type: 'Conflict',
    message: expect.stringMatching(
      /^hf:ann\/birds\/dev\.jsonl could not be written to .* set DURABLE_RAG_HOME to another one/,
    ),
  });
});

it('asks once, and not again, when the file cannot be written', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked++;
    response.end('lines');
  });
  const file = join(await temporaryFolder(), 'missing', 'body');
  const fetching = download({ url, file, env: {}, onProgress: () => {} });
  await expect(fetching).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
  expect(asked).toBe(1);
});
