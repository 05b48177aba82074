import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { download } from '../../files/download.js';
import type { Source } from '../../temporal-dev/artifacts.js';
import { obtainArtifact } from '../../temporal-dev/fetch.js';
import { DiskFullError } from '../../temporal-dev/setup-error.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/listening.js';
import { artifactOf, context } from './support.js';

const content = randomBytes(300_000);

/** What servers have, the first of them first. */
const from = (...servers: string[]): Source[] =>
  servers.map((url) => ({ kind: 'http', from: [`${url}/thing.bin`] }));

/** What has come so far of the file. */
const partOf = ({ home }: { home: string }) =>
  join(home, 'artifacts', 'thing-1.partial', 'http', 'thing.bin');

/** A folder with some of it. */
async function partIn(at: { home: string }, bytes: Buffer): Promise<void> {
  await mkdir(dirname(partOf(at)), { recursive: true });
  await writeFile(partOf(at), bytes);
}

const sizeOf = (file: string) =>
  stat(file)
    .then(({ size }) => size)
    .catch(() => 0);

/** A server with ranges, which sends what is left behind a start. */
function serverThat(
  sends: (response: ServerResponse, rest: Buffer, start: number) => void | Promise<void>,
): Promise<string> {
  return serve((request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': content.length - start });
    return sends(response, content.subarray(start), start);
  });
}

const goodServer = () => serverThat((response, rest) => void response.end(rest));

test('a file is fetched, checked and put in its place, with nothing left beside it', async () => {
  const at = await context();
  const file = await obtainArtifact(artifactOf(content, from(await goodServer())), at);

  expect(content.equals(await readFile(file))).toBe(true);
  expect(await readdir(join(at.home, 'artifacts'))).toEqual(['thing-1']);
  expect(at.reporter.lines).toEqual([
    `Thing: downloading Thing 1, 300 kB, from 127.0.0.1 to ${join(at.home, 'artifacts')}`,
  ]);
});

test('a connection cut again and again is continued where it stopped', async () => {
  const at = await context();
  // No connection brings more than a third of it, which is on the disk when it is cut.
  const url = await serverThat(async (response, rest, start) => {
    if (start === 200_000) return void response.end(rest);
    response.write(rest.subarray(0, 100_000));
    await expect.poll(() => sizeOf(partOf(at))).toBe(start + 100_000);
    response.socket?.end();
  });
  const file = await obtainArtifact(artifactOf(content, from(url)), at);

  expect(content.equals(await readFile(file))).toBe(true);
});

test('a server that ignores the range sends all, and all of it counts once', async () => {
  const url = await serve((_, response) => response.end(content));
  const file = join(await temporaryFolder(), 'thing.bin');
  await writeFile(file, content.subarray(0, 1_000));
  await download({ url, file, env: {}, onProgress() {} });

  expect(content.equals(await readFile(file))).toBe(true);
});

test('an old part of another file is thrown away and the file fetched whole', async () => {
  const at = await context();
  await partIn(at, randomBytes(5_000));
  const file = await obtainArtifact(artifactOf(content, from(await goodServer())), at);

  expect(content.equals(await readFile(file))).toBe(true);
});

test('what is not the pinned file is deleted, and the next source is tried', async () => {
  const wrong = await serve((_, response) => response.end(randomBytes(300_000)));
  const at = await context();
  const file = await obtainArtifact(artifactOf(content, from(wrong, await goodServer())), at);

  expect(content.equals(await readFile(file))).toBe(true);
  expect(at.reporter.lines.join('\n')).toContain('the downloaded file is not the pinned one');
});

test('when every source fails the error lists each with its reason and what to install', async () => {
  const missing = await serve((_, response) => response.writeHead(404).end());
  const wrong = await serve((_, response) => response.end('something else'));
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const at = await context();
  const sources = from(missing, wrong, nobody);
  sources.push({ kind: 'pip', from: ['a==1'], member: 'thing.bin' });
  const error = await obtainArtifact(artifactOf(content, sources), at).catch((reason) => reason);

  expect(error.message).toContain('Could not fetch Thing 1. Tried:');
  expect(error.message).toContain('404');
  expect(error.message).toContain('not the pinned one');
  expect(error.message).toContain('ECONNREFUSED');
  expect(error.message).toContain('neither Python with pip nor pip is on the PATH');
  expect(error.message).toContain('install Python 3 with pip');
  expect(await readdir(join(at.home, 'artifacts'))).not.toContain('thing-1');
});

test('a proxy that the environment names is asked', async () => {
  const server = new URL(await goodServer());
  const proxy = createServer().on('connect', (request: IncomingMessage, socket: Socket) => {
    expect(request.url).toBe('files.test:80');
    const there = connect(Number(server.port), '127.0.0.1');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(there).pipe(socket);
  });
  const port = await freePort();
  await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
  onTestFinished(() => void proxy.close());
  const at = await context({ env: { PATH: '', http_proxy: `http://127.0.0.1:${port}` } });
  const file = await obtainArtifact(artifactOf(content, from('http://files.test')), at);

  expect(content.equals(await readFile(file))).toBe(true);
});

test('a server that never answers is given up', async () => {
  const url = await serve(() => {});
  const file = join(await temporaryFolder(), 'thing.bin');
  const attempt = download({ url, file, env: {}, answerTimeoutMs: 100, onProgress() {} });

  await expect(attempt).rejects.toThrow('not reachable (Headers Timeout Error)');
});

test('the second start trusts the first check, and fetches again only what changed its size', async () => {
  const at = await context();
  const artifact = artifactOf(content, from(await goodServer()));
  const file = await obtainArtifact(artifact, at);
  const sameSize = randomBytes(content.length);
  await writeFile(file, sameSize);
  await obtainArtifact({ ...artifact, sources: [] }, at);
  expect(await readFile(file)).toEqual(sameSize);

  await truncate(file, 10);
  await obtainArtifact(artifact, at);
  expect(content.equals(await readFile(file))).toBe(true);
});

test('a process killed while it checked a whole file leaves it to be checked', async () => {
  const at = await context();
  await partIn(at, content);
  const url = await serve((_, response) =>
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end(),
  );
  const file = await obtainArtifact(artifactOf(content, from(url)), at);

  expect(content.equals(await readFile(file))).toBe(true);
});

test('two at once fetch once', async () => {
  let answers = 0;
  const at = await context();
  const said = () => at.reporter.lines.join('\n');
  const url = await serve(async (_, response) => {
    if (answers++ > 0) return void response.writeHead(500).end();
    await expect.poll(said).toContain('waiting for Thing 1');
    response.end(content);
  });
  const artifact = artifactOf(content, from(url));
  const files = await Promise.all([obtainArtifact(artifact, at), obtainArtifact(artifact, at)]);

  const file = join(at.home, 'artifacts/thing-1/thing.bin');
  expect(files).toEqual([file, file]);
});

test('the lock of a killed process is taken over', async () => {
  const at = await context();
  const lock = join(at.home, 'artifacts', 'thing-1.lock');
  await mkdir(lock, { recursive: true });
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  const file = await obtainArtifact(artifactOf(content, from(await goodServer())), at);

  expect(content.equals(await readFile(file))).toBe(true);
});

test('too little room is said before anything is downloaded', async () => {
  const at = await context({ freeBytes: async () => 1_000 });
  const artifact = artifactOf(content, from(await goodServer()));
  const error = await obtainArtifact(artifact, at).catch((reason) => reason);

  expect(error).toBeInstanceOf(DiskFullError);
  expect(error.message).toContain(at.home);
  expect(error.message).toContain('300 kB are needed and 1 kB are free');
  expect(error.message).toContain('DURABLE_RAG_HOME');
});

test.skipIf(!existsSync('/dev/full'))(
  'a disk that fills up on the way is explained, and no other source is tried',
  async () => {
    const at = await context();
    await mkdir(dirname(partOf(at)), { recursive: true });
    await symlink('/dev/full', partOf(at));
    const artifact = artifactOf(content, from(await goodServer(), await goodServer()));
    const error = await obtainArtifact(artifact, at).catch((reason) => reason);

    expect(error).toBeInstanceOf(DiskFullError);
    expect(error.message).toContain('The disk is full');
    expect(error.message).toContain('DURABLE_RAG_HOME');

    await rm(partOf(at));
    expect(content.equals(await readFile(await obtainArtifact(artifact, at)))).toBe(true);
  },
);

test('stopped in the middle it keeps what it has, and the next start goes on from there', async () => {
  const starts: number[] = [];
  const halfway = new AbortController();
  const url = await serverThat((response, rest, start) => {
    starts.push(start);
    if (start > 0) response.end(rest);
    else response.write(rest.subarray(0, 200_000));
  });
  const at = await context();
  const artifact = artifactOf(content, from(url, url));
  const stopped = expect(obtainArtifact(artifact, { ...at, signal: halfway.signal })).rejects;
  await expect.poll(() => sizeOf(partOf(at))).toBe(200_000);
  halfway.abort(new Error('Ctrl-C'));
  await stopped.toThrow('Ctrl-C');
  const file = await obtainArtifact(artifact, at);

  expect(content.equals(await readFile(file))).toBe(true);
  expect(starts).toEqual([0, 200_000]);
});

test('a home that cannot be written to is named', async () => {
  const home = join(await temporaryFolder(), 'file');
  await writeFile(home, '');
  const attempt = obtainArtifact(artifactOf(content, []), await context({ home }));

  await expect(attempt).rejects.toThrow(/Cannot write to .*file.*DURABLE_RAG_HOME/);
});
