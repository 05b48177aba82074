/** What watches a worker: a collector that counts what it gets, and a scraper. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Collector {
  endpoint: string;
  /** Requests and bytes of spans so far. */
  received(): { requests: number; bytes: number };
  close(): void;
}

/** Takes whatever it is sent, as a collector of OpenTelemetry does. */
export async function startCollector(): Promise<Collector> {
  let requests = 0;
  let bytes = 0;
  const server = createServer(async (request, response) => {
    bytes += (await buffer(request)).length;
    requests++;
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => ({ requests, bytes }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Scraped {
  ready: boolean;
  /** Samples on the page. */
  samples: number;
  ms: number;
  /** The sum of a series over its labels. */
  total(name: string): number;
}

/** @throws when the worker does not answer as it should. */
export async function scrape(healthUrl: string): Promise<Scraped> {
  const start = performance.now();
  const response = await fetch(`${healthUrl}/metrics`);
  if (!response.ok) throw new Error(`/metrics answers ${response.status}.`);
  const text = await response.text();
  const ms = performance.now() - start;
  const ready = (await fetch(`${healthUrl}/readyz`)).ok;
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { ready, samples: samples.length, ms, total: (name) => totalOf(samples, name) };
}

export function totalOf(samples: readonly string[], name: string): number {
  const own = samples.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return own.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
