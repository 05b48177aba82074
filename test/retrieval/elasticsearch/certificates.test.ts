/** An Elasticsearch behind a certificate of its own: trusted by file or fingerprint, else refused. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ElasticsearchConfig } from '../../../retrieval/elasticsearch/connection.js';
import { openSearch } from '../../../retrieval/open-search.js';
import { findProgram } from '../../../temporal-dev/find-program.js';
import { failureOf } from '../contract.js';
import { temporaryFolder } from '../helpers.js';

const openssl = await findProgram('openssl', process.env);

/** A server without any corpus; gives its address and its certificate. */
async function serve(program: string) {
  const folder = await temporaryFolder();
  const [keyFile, caFile] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', keyFile, '-out', caFile];
  execFileSync(
    program,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject],
    { stdio: 'pipe' },
  );
  const cert = readFileSync(caFile);
  const server = createServer({ key: readFileSync(keyFile), cert }, (_, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, caFile, fingerprint: new X509Certificate(cert).fingerprint256 };
}

const open = (elasticsearch: ElasticsearchConfig) => openSearch({ corpora: '', elasticsearch });

test('is trusted with its file or its fingerprint only', async ({ skip }) => {
  if (openssl === undefined) return skip('There is no openssl on the PATH to make a certificate.');
  const { url, caFile, fingerprint } = await serve(openssl);
  for (const trust of [{ caFile }, { caFingerprint: fingerprint }]) {
    const engine = await open({ url, ...trust });
    expect(await engine.corpora.list()).toEqual([]);
    await engine.close();
  }
  const other = fingerprint.replaceAll(/[0-9]/g, '0');
  for (const trust of [{}, { caFingerprint: other }]) {
    const failure = await failureOf(open({ url, ...trust }));
    expect(failure).toMatchObject({ type: 'Connection', retryable: false });
    expect(failure.message).toContain(`Elasticsearch at ${url} is not trusted`);
    expect(failure.message).toContain('ELASTICSEARCH_CA_FILE or ELASTICSEARCH_CA_FINGERPRINT');
  }
});
