/** Questions about TCP ports of this machine. */
import { connect, createServer } from 'node:net';
import type { Reporter } from './reporter.js';

const CONNECT_TIMEOUT_MS = 1_000;

/** Whether something accepts connections on a port of 127.0.0.1. */
export function portAnswers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_TIMEOUT_MS });
    const finish = (answers: boolean) => {
      socket.destroy();
      done(answers);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}

/** A port of 127.0.0.1 that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') fail(new Error('no port was given'));
        else done(address.port);
      });
    });
  });
}

/** The port that is wanted, or with a warning another one where something has it. */
export async function freeOr(
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
