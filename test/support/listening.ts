/** Servers of tests on a free local port. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Of HTTP, or of TCP, whose connections are their owner's to close. */
type Listener = Server & { closeAllConnections?(): void };

/** Waits until the server listens; its address is "127.0.0.1:1234". */
export async function listening(server: Listener) {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections?.();
      }),
  };
}

/** Starts an HTTP server for one test, and gives its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const { address, close } = await listening(createServer(listener));
  onTestFinished(close);
  return `http://${address}`;
}
