/** Ports that nothing listens on, no two the same, and small enough for Temporal's table of members. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Its column is a smallint; what systems give out by themselves begins behind it. */
const LARGEST = 32_767;
const SMALLEST = 20_000;

export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = SMALLEST + Math.floor(Math.random() * (LARGEST - SMALLEST + 1));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) held.set(port, server);
  }
  for (const server of held.values()) await new Promise((done) => server.close(done));
  return [...held.keys()];
}
