import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startLocalStack } from '../../temporal-dev/stack.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { findTemporal } from '../../temporal-dev/temporal.js';
import { obtainTemporalBinary } from '../../temporal-dev/temporal-server.js';
import { temporaryFolder } from '../support/folder.js';
import { serve } from '../support/listening.js';
import { temporalBinary } from '../support/temporal-binary.js';
import { context } from './support.js';

const binary = await temporalBinary();
const running = inject('temporalAddress');

/** A page that stands where a UI is looked for. */
async function page() {
  const url = await serve((_, response) => response.end('a web page'));
  return { url, port: new URL(url).port };
}

/** A home whose cache has the program already, so that nothing is downloaded. */
async function withCache() {
  const at = await context();
  await mkdir(join(at.home, 'artifacts'));
  await symlink(dirname(binary), join(at.home, 'artifacts', 'temporal-1.9.1'));
  return at;
}

async function programOnPath(script: string): Promise<string> {
  const bin = await temporaryFolder();
  await writeFile(join(bin, 'temporal'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'temporal'), 0o755);
  return bin;
}

test('TEMPORAL_ADDRESS is used as it is', async () => {
  const { url: uiUrl, port } = await page();
  const env = { PATH: '', TEMPORAL_ADDRESS: running, DURABLE_RAG_UI_PORT: port };
  const at = await context({ env });

  expect(await findTemporal(at)).toMatchObject({
    namespace: 'default',
    uiUrl,
    connectConfig: { address: running },
  });
  expect(at.reporter.lines).toEqual([
    `Temporal: ${running}, namespace default (configured), UI ${uiUrl}`,
  ]);
});

test('a server that answers on the port is used', async () => {
  const [, port] = running.split(':');
  const temporal = await findTemporal(
    await context({ env: { PATH: '', DURABLE_RAG_TEMPORAL_PORT: port } }),
  );

  expect(temporal.connectConfig).toMatchObject({ address: running });
  expect(temporal.child).toBeUndefined();
});

test('a configured server that does not answer, and a port of something else, are errors', async () => {
  const silent = createTcpServer(() => {});
  const port = await freePort();
  await new Promise<void>((done) => silent.listen(port, '127.0.0.1', done));
  onTestFinished(() => void silent.close());
  const away = { type: 'Connection', message: expect.stringMatching(/not answer.*_ADDRESS/) };
  const taken = {
    name: 'SetupError',
    message: expect.stringMatching(
      /in use by something that is not Temporal.*DURABLE_RAG_TEMPORAL_PORT/,
    ),
  };
  const cases: [NodeJS.ProcessEnv, object][] = [
    [{ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` }, away],
    [{ DURABLE_RAG_TEMPORAL_PORT: (await page()).port }, taken],
    [{ DURABLE_RAG_TEMPORAL_PORT: String(port) }, taken],
  ];
  // Each is asked for seconds.
  await Promise.all(
    cases.map(async ([env, error]) => {
      const finding = findTemporal(await context({ env: { PATH: '', ...env } }));
      await expect(finding).rejects.toMatchObject(error);
    }),
  );
});

test('the stack starts the cached program beside a UI port in use, and stops it', async () => {
  const at = await withCache();
  const port = await freePort();
  const { port: uiPort, url: uiUrl } = await page();
  const ports = { DURABLE_RAG_TEMPORAL_PORT: String(port), DURABLE_RAG_UI_PORT: uiPort };
  at.env = { PATH: '', ...ports, OPENAI_API_KEY: 'secret' };
  const stack = await startLocalStack(at);
  onTestFinished(() => stack.stop());

  expect(stack.temporal.connectConfig).toMatchObject({ address: `127.0.0.1:${port}` });
  expect(stack.model).toEqual({ baseUrl: undefined, model: undefined });
  expect(at.reporter.warnings.join()).toContain(`Port ${uiPort} is in use`);
  expect(stack.temporal.uiUrl).not.toBe(uiUrl);
  // The server is there before its UI is.
  const isThere = () => fetch(String(stack.temporal.uiUrl)).catch(() => undefined);
  await expect.poll(isThere).toMatchObject({ ok: true });
  expect(at.reporter.lines.join('\n')).toContain('(cached)');
  expect(at.reporter.lines.join('\n')).not.toContain('secret');

  await stack.stop();
  await stack.stop();
  expect(stack.temporal.child?.running).toBe(false);
});

test('the stack tells when a server that it started is gone', async () => {
  const at = await withCache();
  const port = await freePort();
  at.env = { PATH: '', DURABLE_RAG_TEMPORAL_PORT: String(port), OPENAI_API_KEY: 'secret' };
  // Stands in for the program: it serves until told to crash.
  const told = join(at.home, 'crash');
  const crash = [
    `[ "$1" = --version ] && exec ${binary} --version`,
    `${binary} "$@" &`,
    `while [ ! -e ${told} ]; do sleep 0.1; done`,
    'kill -9 $!; exit 7',
  ].join('\n');
  at.env.PATH = `${await programOnPath(crash)}:/usr/bin:/bin`;
  const stack = await startLocalStack(at);
  onTestFinished(() => stack.stop());

  expect(at.reporter.lines.join('\n')).toContain('(on the PATH)');
  await writeFile(told, '');
  expect(await stack.exited).toContain('Temporal ended by itself (exit code 7)');
});

test('a program on the PATH whose server is too old is passed over, and said so', async () => {
  const old = 'echo "temporal version 1.1.0 (Server 1.25.0, UI 2.30.0)"';
  const at = await withCache();
  at.env = { PATH: await programOnPath(old) };
  const found = await obtainTemporalBinary(at);

  expect(found).toMatchObject({ origin: 'cached', serverVersion: '1.32.0' });
  expect(at.reporter.warnings.join()).toContain('its server 1.25.0 is older than 1.29');
});
