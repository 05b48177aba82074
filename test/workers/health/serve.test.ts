/** Health over HTTP, from parts that come and go. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setting } from '../../../core/settings.js';
import {
  type HealthParts,
  readinessCheck,
  serveHealth,
} from '../../../workers/health/worker-health.js';

const HERE = { host: '127.0.0.1', port: 0 };

async function serve(parts: HealthParts): Promise<string> {
  const { url, close } = await serveHealth(HERE, parts);
  onTestFinished(close);
  return url;
}

describe('readiness', () => {
  const fresh = { freshMs: 0, patienceMs: 30 };

  it('needs the worker and every part, and names what is away', async () => {
    let worker = true;
    let store: () => Promise<unknown> = async () => 1;
    const url = await serve({
      readiness: readinessCheck(
        () => worker,
        { temporal: async () => 1, store: () => store() },
        fresh,
      ),
    });
    const ready = async () => {
      const response = await fetch(`${url}/readyz`);
      return [response.status, ((await response.json()) as { parts: unknown }).parts];
    };
    expect(await ready()).toEqual([200, { worker: 'ok', temporal: 'ok', store: 'ok' }]);
    store = () => Promise.reject(new Error('redis://user:secret@there is gone'));
    expect(await ready()).toEqual([503, { worker: 'ok', temporal: 'ok', store: 'away' }]);
    store = () => new Promise(() => {});
    expect(await ready()).toEqual([503, { worker: 'ok', temporal: 'ok', store: 'away' }]);
    store = () => {
      throw new Error('at once');
    };
    expect(await ready()).toEqual([503, { worker: 'ok', temporal: 'ok', store: 'away' }]);
    store = async () => 1;
    worker = false;
    expect(await ready()).toEqual([503, { worker: 'stopping', temporal: 'ok', store: 'ok' }]);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
  });

  it('asks the parts once for many who ask at a time, and the worker each time', async () => {
    let asked = 0;
    let worker = true;
    const store = async () => {
      asked++;
      await sleep(5);
    };
    const readiness = readinessCheck(() => worker, { store }, { freshMs: 60_000 });
    const states = await Promise.all([readiness(), readiness(), readiness()]);
    expect(states.map(({ ready }) => ready)).toEqual([true, true, true]);
    worker = false;
    expect((await readiness()).ready).toBe(false);
    expect(asked).toBe(1);
  });
});

describe('the server', () => {
  const readiness = async () => ({ ready: true, parts: {} });

  it('serves metrics where there are some, and takes nothing but GET and HEAD', async () => {
    const url = await serve({ readiness, metrics: async () => 'a_total 1\n' });
    const metrics = await fetch(`${url}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await metrics.text()).toBe('a_total 1\n');
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${await serve({ readiness })}/metrics`)).status).toBe(404);
  });

  it('lives on where the metrics cannot be had', async () => {
    const url = await serve({ readiness, metrics: () => Promise.reject(new Error('no')) });
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('names the setting where something else listens', async () => {
    const port = Number(new URL(await serve({ readiness })).port);
    await expect(serveHealth({ ...HERE, port }, { readiness })).rejects.toThrow(
      new RegExp(`DURABLE_RAG_HTTP.*127\\.0\\.0\\.1:${port}: another process listens there`),
    );
  });
});

describe('DURABLE_RAG_HTTP', () => {
  const read = (text: string) => setting({ DURABLE_RAG_HTTP: text }, 'DURABLE_RAG_HTTP');

  it.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::]:9464', { host: '::', port: 9464 }],
    ['', undefined],
  ])('reads %s', (text, address) => {
    expect(read(text)).toEqual(address);
  });

  it.each(['there', '70000', 'http://127.0.0.1:9464', '::1:80', ':', '-1'])(
    'refuses %s',
    (text) => {
      expect(() => read(text)).toThrow(/DURABLE_RAG_HTTP \(--http\) must be a port, or a host/);
    },
  );
});
