/** An Elasticsearch behind a certificate of its own: trusted by file or fingerprint, else refused. */
import { createServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ElasticsearchConfig } from '../../../retrieval/elasticsearch/connection.js';
import { openSearch } from '../../../retrieval/open-search.js';
import { findProgram } from '../../../temporal-dev/find-program.js';
import {
  type Certified,
  certificateOf,
  certificates,
  fingerprintOf,
  keyOf,
} from '../../support/certificates.js';
import { failureOf } from '../../support/failure-of.js';
import { temporaryFolder } from '../../support/folder.js';
import { GET, isHere } from '../../support/is-here.js';
import { listening } from '../../support/listening.js';

const openssl = await findProgram('openssl', process.env);
const HERE = 'IP:127.0.0.1';

/** A server without any corpus that sends these certificates, its own first, and notes the keys. */
async function serve(own: Certified, ...others: Certified[]) {
  const keys: (string | undefined)[] = [];
  const cert = [own, ...others].map(certificateOf).join('');
  const server = createServer({ key: keyOf(own), cert }, (request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const { address, close } = await listening(server);
  onTestFinished(close);
  return { keys, url: `https://${address}` };
}

const open = (elasticsearch: ElasticsearchConfig) =>
  openSearch({ corpora: '', elasticsearch: { apiKey: 'the-key', ...elasticsearch } });

async function expectRefused(config: ElasticsearchConfig, keys: unknown[]) {
  const failure = await failureOf(open(config));
  expect(failure).toMatchObject({ type: 'Connection', retryable: false });
  expect(failure.message).toContain(`Elasticsearch at ${config.url} is not trusted`);
  expect(failure.message).toContain('ELASTICSEARCH_CA_FILE or ELASTICSEARCH_CA_FINGERPRINT');
  expect(keys, 'nobody was given the key').toEqual([]);
}

async function expectTrusted(config: ElasticsearchConfig, keys: unknown[]) {
  const engine = await open(config);
  expect(await engine.corpora.list()).toEqual([]);
  await engine.close();
  expect(new Set(keys)).toEqual(new Set(['ApiKey the-key']));
}

if (isHere(openssl, GET.openssl)) {
  const make = certificates(openssl, await temporaryFolder());
  const authority = make.authority('Elasticsearch security auto-configuration HTTP CA');
  const caFingerprint = fingerprintOf(authority);

  const node = make.signedBy(authority, 'node', HERE);

  describe('a server is trusted', () => {
    test('with its authority in a file, or by its fingerprint in either form', async () => {
      const plain = caFingerprint.replaceAll(':', '').toLowerCase();
      const { url, keys } = await serve(node, authority);
      for (const trust of [
        { caFile: authority.certFile },
        { caFingerprint },
        { caFingerprint: plain },
      ])
        await expectTrusted({ url, ...trust }, keys);
    });

    test('through an authority that the named one has signed', async () => {
      const between = make.signedBy(authority, 'between', 'authority');
      const below = make.signedBy(between, 'below', HERE);
      const { url, keys } = await serve(below, between, authority);
      await expectTrusted({ url, caFingerprint }, keys);
    });

    test('where its own certificate, signed by itself, is the one that is named', async () => {
      const alone = make.authority('localhost', HERE);
      const { url, keys } = await serve(alone);
      for (const trust of [{ caFile: alone.certFile }, { caFingerprint: fingerprintOf(alone) }])
        await expectTrusted({ url, ...trust }, keys);
    });
  });

  describe('a server is refused, and never given the key', () => {
    test('without a word about its authority, or with another fingerprint', async () => {
      const other = caFingerprint.replaceAll(/[0-9]/g, '0');
      const { url, keys } = await serve(node, authority);
      for (const trust of [{}, { caFingerprint: other }])
        await expectRefused({ url, ...trust }, keys);
    });

    test('when its certificate is forged and only sent with that of the authority', async () => {
      // Of the same name, so that the authority looks like the issuer; signed by another key.
      const forger = make.authority('Elasticsearch security auto-configuration HTTP CA');
      const { url, keys } = await serve(make.signedBy(forger, 'node', HERE), authority);
      await expectRefused({ url, caFingerprint }, keys);
    });

    test('when its certificate is signed by itself and sent with that of the authority', async () => {
      const forged = make.authority('localhost', HERE);
      const { url, keys } = await serve(forged, authority);
      await expectRefused({ url, caFingerprint }, keys);
    });

    test('when its certificate is for another host', async () => {
      const elsewhere = make.signedBy(authority, 'node', 'DNS:other.test');
      const { url, keys } = await serve(elsewhere, authority);
      await expectRefused({ url, caFingerprint }, keys);
    });
  });
}
