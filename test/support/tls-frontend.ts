/** A door to the test run's Temporal server as Temporal Cloud has it: TLS, and who may come in. */
import {
  connect,
  createSecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { pipeline } from 'node:stream';
import { type Certified, certificateOf, keyOf } from './certificates.js';
import { listening } from './listening.js';

export interface TlsFrontendOptions {
  /** Of the Temporal server, without TLS. */
  address: string;
  certificate: Certified;
  /** The authority of the certificates that clients have to show; undefined if they need none. */
  clients?: Certified | undefined;
  /** What clients have to send as a bearer token; undefined if they need none. */
  apiKey?: string | undefined;
}

/** Starts it; it passes every call on, as it is. */
export async function startTlsFrontend(options: TlsFrontendOptions) {
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
