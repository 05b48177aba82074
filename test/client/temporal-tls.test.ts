/** Worker and commands at a Temporal server behind TLS, configured as for Temporal Cloud. */

import {
  connect,
  createSecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { pipeline } from 'node:stream';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { findProgram } from '../../temporal-dev/find-program.js';
import { type Certified, certificateOf, certificates, keyOf } from '../support/certificates.js';
import { commandLineOver } from '../support/command-line.js';
import { temporaryFolder } from '../support/folder.js';
import { GET, isHere } from '../support/is-here.js';
import { listening } from '../support/listening.js';

interface TlsFrontendOptions {
  /** Of the Temporal server, without TLS. */
  address: string;
  certificate: Certified;
  /** The authority of the certificates that clients have to show; undefined if they need none. */
  clients?: Certified | undefined;
  /** What clients have to send as a bearer token; undefined if they need none. */
  apiKey?: string | undefined;
}

/** Starts it; it passes every call on, as it is. */
async function startTlsFrontend(options: TlsFrontendOptions) {
  const { address, certificate, clients, apiKey } = options;
  const behind = connect(`http://${address}`);
  const server = createSecureServer({
    key: keyOf(certificate),
    cert: certificateOf(certificate),
    ...(clients && { ca: certificateOf(clients), requestCert: true, rejectUnauthorized: true }),
  });
  server.on('stream', (call: ServerHttp2Stream, headers) => {
    call.on('error', () => {});
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      const refused = { 'grpc-status': '16', 'grpc-message': 'Request unauthorized.' };
      const trailers = { ':status': 200, 'content-type': 'application/grpc', ...refused };
      return call.respond(trailers, { endStream: true });
    }
    const { authorization, ...others } = headers;
    const passed = behind.request(others);
    passed.on('response', ({ ':status': status, ...answered }) => {
      call.respond({ ...answered, ':status': status }, { waitForTrailers: true });
      pipeline(passed, call, () => {});
    });
    let trailers = {};
    passed.on('trailers', (sent) => {
      trailers = sent;
    });
    call.on('wantTrailers', () => call.sendTrailers(trailers));
    passed.on('error', () => call.destroy());
    call.on('close', () => passed.close());
    pipeline(call, passed, () => {});
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  const door = await listening(server);
  return {
    address: door.address,
    async close() {
      behind.destroy();
      for (const session of sessions) session.destroy();
      await door.close();
    },
  };
}

const openssl = await findProgram('openssl', process.env);
const KEY = 'key-of-the-namespace';

describe('a Temporal server behind TLS', () => {
  if (!isHere(openssl, GET.openssl)) return;

  async function made() {
    const { authority, signedBy } = certificates(openssl as string, await temporaryFolder());
    const own = authority('Authority');
    const certificate = signedBy(own, 'frontend', 'IP:127.0.0.1,DNS:frontend');
    const clients = authority('Clients');
    return { own, certificate, clients, client: signedBy(clients, 'client', 'DNS:client') };
  }

  async function door(options: Omit<TlsFrontendOptions, 'address'>, authority: Certified) {
    const { address, close } = await startTlsFrontend({
      address: inject('temporalAddress'),
      ...options,
    });
    onTestFinished(close);
    return {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.certFile,
      TEMPORAL_TLS_SERVER_NAME: 'frontend',
    };
  }

  async function commands() {
    const { cli } = await commandLineOver(() => ({ text: 'Paris' }));
    const passages = [{ title: 'France', text: 'Its capital is Paris.' }];
    const input = await cli.write('input.json', { retrieval: { passages } });
    return { cli, asks: ['ask', 'Capital?', '--method', 'base', '--json', '--input', input] };
  }

  /** Asks a question of a worker, both with this environment. */
  async function answers(env: NodeJS.ProcessEnv) {
    const { cli, asks } = await commands();
    await cli.worker(env);
    const { stdout } = await cli.ok(asks, env);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'answered', answer: 'Paris' });
  }

  /** What a command and a worker say that are refused. */
  async function refused(env: NodeJS.ProcessEnv) {
    const { cli } = await commands();
    const ended = await Promise.all([cli.run(['deploy', 'status'], env), cli.run(['worker'], env)]);
    for (const { code } of ended) expect(code).not.toBe(0);
    return ended.map(({ stderr }) => stderr);
  }

  it('answers who has a certificate, named by files or given as text, and nobody else', async () => {
    const { own, certificate, clients, client } = await made();
    const env = await door({ certificate, clients }, own);
    await answers({
      ...env,
      TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
      TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyFile,
    });
    await answers({
      ...env,
      TEMPORAL_TLS_CLIENT_CERT_DATA: certificateOf(client),
      TEMPORAL_TLS_CLIENT_KEY_DATA: keyOf(client).toString(),
    });
    for (const said of await refused(env)) {
      expect(said).toContain(env.TEMPORAL_ADDRESS);
      expect(said).toContain('TEMPORAL_TLS_CLIENT_CERT_PATH');
    }
  });

  it('answers who has the API key, and tells who has another one', async () => {
    const { own, certificate } = await made();
    const env = await door({ certificate, apiKey: KEY }, own);
    await answers({ ...env, TEMPORAL_API_KEY: KEY });
    for (const said of await refused({ ...env, TEMPORAL_API_KEY: 'another-key' })) {
      expect(said).toContain(`${env.TEMPORAL_ADDRESS} refuses`);
      expect(said).toContain('TEMPORAL_API_KEY');
      expect(said).not.toContain('another-key');
    }
  });
});
