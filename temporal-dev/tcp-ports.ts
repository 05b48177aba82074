/** Checks and finds TCP ports of this machine. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Reporter } from './reporter.js';

const CONNECT_TIMEOUT_MS = 1_000;

/** Returns whether a program accepts connections on a port of 127.0.0.1, within a second. */
export async function portAnswers(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Returns the number of a free port of 127.0.0.1. Another program may take it before it is used.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Returns the wanted port if no program uses it; otherwise warns and returns the number of a free
 * port.
 *
 * @param variable Environment variable that sets the port, for the warning.
 * @param what Name of the server, for the warning.
 */
export async function freePortLike(
  wanted: number,
  variable: string,
  what: string,
  { warn }: Reporter,
): Promise<number> {
  if (!(await portAnswers(wanted))) return wanted;
  const other = await freePort();
  warn(`Port ${wanted} is in use, so ${what} is on ${other}. ${variable} chooses another.`);
  return other;
}
