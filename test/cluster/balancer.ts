/** What stands before several frontends: a connection goes to the next one that takes it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  address: string;
  close(): Promise<void>;
}

/** @param ports Of 127.0.0.1. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    kept(client);
    void behind(ports, next++).then((frontend) => {
      if (!frontend || client.destroyed) {
        frontend?.destroy();
        return client.destroy();
      }
      kept(frontend);
      client.once('close', () => frontend.destroy()).pipe(frontend);
      frontend.once('close', () => client.destroy()).pipe(client);
    });
  });
  function kept(socket: Socket): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A connection to one of them, beginning with the one at `from`; undefined where none takes it. */
async function behind(ports: readonly number[], from: number): Promise<Socket | undefined> {
  for (let k = 0; k < ports.length; k++) {
    const port = ports[(from + k) % ports.length] ?? 0;
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
  }
  return undefined;
}
