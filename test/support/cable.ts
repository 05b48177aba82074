/** A TCP connection to a server that can be cut, and mended. */
import { connect, createServer, type Socket } from 'node:net';

/** @param to "127.0.0.1:7233" */
export async function cableTo(to: string) {
  const [host = '', port = ''] = to.split(':');
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect({ host, port: Number(port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    /** Where it is plugged in: "127.0.0.1:1234". */
    address: `127.0.0.1:${address.port}`,
    /** Breaks every connection, and takes none until it is mended. */
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    close: () =>
      new Promise<void>((done) => {
        breakAll();
        server.close(() => done());
      }),
  };
}
