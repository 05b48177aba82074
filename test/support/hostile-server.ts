/** A server whose answers never end, are far larger than they look, or send elsewhere. */
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listening } from './listening.js';

/** A `drip` is a byte now and then. */
export type Hostility =
  | 'flood'
  | 'flooded error'
  | 'bomb'
  | 'drip'
  | { redirect: string; status: number };

/** An end after all, so that a client without a bound fails its test and not the machine. */
const MOST_BYTES = 400_000_000;
const DRIP_MS = 20;

const HEADERS = {
  'content-type': 'application/json',
  'x-elastic-product': 'Elasticsearch',
};

export async function startHostileServer(how: Hostility) {
  let sent = 0;
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => answer(response));
  });

  function answer(response: ServerResponse): void {
    response.on('error', () => {});
    if (typeof how === 'object') {
      response.writeHead(how.status, { ...HEADERS, location: how.redirect });
      return void response.end('{"error":{"message":"of the one that sends elsewhere"}}');
    }
    const status = how === 'flooded error' ? 500 : 200;
    const packed = how === 'bomb' ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(status, { ...HEADERS, ...packed });
    response.write(how === 'bomb' ? gzipSync('{"text":"') : '{"text":"');
    if (how === 'drip') drip(response);
    else flood(response);
  }

  function flood(response: ServerResponse): void {
    const plain = Buffer.alloc(1_000_000, 'x');
    const block = how === 'bomb' ? gzipSync(plain) : plain;
    let left = MOST_BYTES / plain.length;
    const more = () => {
      while (!response.destroyed && left > 0) {
        left -= 1;
        sent += block.length;
        if (!response.write(block)) return void response.once('drain', more);
      }
      response.destroy();
    };
    more();
  }

  function drip(response: ServerResponse): void {
    const timer = setInterval(() => response.write('x'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  }

  const { address, close } = await listening(server);
  return {
    url: `http://${address}`,
    /** Bytes of bodies that were handed to the connection. */
    get sent() {
      return sent;
    },
    close,
  };
}
