/** A TCP connection to a server, or to the next of several that takes it, which can be cut and mended. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listening } from './listening.js';

/** @param to "127.0.0.1:7233" */
export async function cableTo(...to: readonly string[]) {
  const open = new Set<Socket>();
  let isCut = false;
  let next = 0;
  const server = createServer(async (near) => {
    kept(near);
    const far = isCut ? undefined : await firstThere(to, next++);
    if (!far || isCut || near.destroyed) {
      far?.destroy();
      return void near.destroy();
    }
    kept(far);
    near.once('close', () => far.destroy()).pipe(far);
    far.once('close', () => near.destroy()).pipe(near);
  });
  function kept(socket: Socket): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
  }
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  const { address, close } = await listening(server);
  return {
    /** Where it is plugged in: "127.0.0.1:1234". */
    address,
    /** Breaks every connection, and takes none until it is mended. */
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    close() {
      breakAll();
      return close();
    },
  };
}

/** A connection to one of them, beginning with the one at `from`; undefined where none takes it. */
async function firstThere(to: readonly string[], from: number): Promise<Socket | undefined> {
  for (let k = 0; k < to.length; k++) {
    const [host, port] = to[(from + k) % to.length]?.split(':') ?? [];
    const socket = connect(Number(port), host);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
  }
  return undefined;
}
