/** A report that is served: who may ask, what a page can do, and marks that stay with the run. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveReport } from '../../../client/report-server.js';
import type { Mark } from '../../../stores/runs/run-store.js';
import { commandLineOver } from '../../support/command-line.js';
import { gate, soon } from '../../support/run.js';
import { promptOf } from '../../support/telephone.js';

const NONE = { raw: async () => [], mark: async () => {} };

/** Asks with headers that fetch does not let anybody set. */
function asked(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('answers the page that has the token, and no other page or host', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let written = 0;
  const write = async (put: (text: string) => Promise<void>) => {
    await put(`page ${++written}`);
    return { version: 'v', hasEnded: false };
  };
  const marks: Mark[] = [];
  const served = await serveReport(
    { ...NONE, write, mark: async (_, mark) => void marks.push(mark) },
    0,
  );
  onTestFinished(() => served.close());
  const { origin, host, port } = new URL(served.url);
  expect(await (await fetch(served.url)).text()).toBe('page 1');
  // It is made again when it has aged, not for each that asks.
  expect(await (await fetch(`${served.url}version`)).json()).toEqual({
    version: 'v',
    hasEnded: false,
  });
  expect(written).toBe(1);
  expect((await fetch(`${origin}/`)).status).toBe(403);
  expect((await fetch(`${origin}/${'0'.repeat(32)}/version`)).status).toBe(403);
  expect(await asked(served.url, { host: `rebound.example:${port}` })).toBe(403);
  expect(await asked(served.url, { host, origin: 'https://elsewhere.example' })).toBe(403);
  expect(await asked(served.url, { host, origin })).toBe(200);
  expect(await asked(`${served.url}nothing`, { host })).toBe(404);

  const mark = { run: 'r', id: 'q', of: '2026-01-01T00:00:00.000Z', says: 'wrong', note: 'No.' };
  const send = (body: unknown, type = 'application/json') =>
    fetch(`${served.url}mark`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': type },
    });
  expect((await send(mark, 'text/plain')).status).toBe(415);
  const refused = await send({ ...mark, says: 'maybe' });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({ message: expect.stringContaining('says') });
  expect((await send('no object')).status).toBe(400);
  expect(marks).toEqual([]);
  expect((await send(mark)).status).toBe(200);
  const { run: _, ...kept } = mark;
  expect(marks).toEqual([{ ...kept, at: expect.any(String) }]);
  expect(await (await fetch(served.url)).text()).toBe('page 2');
  vi.setSystemTime(Date.now() + 3000);
  expect(await (await fetch(served.url)).text()).toBe('page 3');

  await expect(serveReport({ ...NONE, write }, Number(port))).rejects.toThrow(
    /--port: cannot listen on/,
  );
});

test('follows a run, shows what it asked, and keeps marks beside it', async () => {
  const { opened, open } = gate();
  const { cli } = await commandLineOver(async (asked) => {
    if (promptOf(asked).includes('grass')) await opened;
    return { text: 'azure' };
  });
  const line = { id: 'sky', question: 'What colour has the sky?', answers: ['blue'] };
  const slow = { id: 'grass', question: 'What colour has grass?', answers: ['green'] };
  const dataset = await cli.write('sky.jsonl', line, slow);
  const evaluating = ['eval', '--method', 'noRetrieval', '--dataset', dataset, '--name', 'served'];
  const evaluation = cli.begin(evaluating);
  await evaluation.says('1 of 2 done');

  const serve = async () => {
    const serving = cli.begin(['report', 'served', '--serve']);
    await serving.says('Ctrl-C stops it');
    const [url = ''] = /http:\S+/.exec(serving.said()) ?? [];
    const page = await (await fetch(url)).text();
    return { serving, url, page };
  };
  const { serving, url, page } = await serve();
  const version = async () =>
    (await (await fetch(`${url}version`)).json()) as { version: string; hasEnded: boolean };
  const before = await version();
  expect(before.hasEnded).toBe(false);
  open();
  expect(await evaluation.finished).toMatchObject({ code: 0 });
  const after = await soon(async () => {
    const now = await version();
    expect(now.hasEnded).toBe(true);
    return now;
  });
  expect(after.version).not.toBe(before.version);
  expect(page).toContain('connect-src &#39;self&#39;');
  const data = (name: string) =>
    new RegExp(`data-${name}="([^"]+)"`).exec(shownIn(page))?.[1] ?? '';
  const search = new URLSearchParams({ run: 'served', id: 'sky', call: data('call') });
  const raw = await (await fetch(`${url}raw?${search}`)).json();
  expect(raw).toEqual([{ prompt: expect.stringContaining(line.question), reply: 'azure' }]);

  const mark = (of: string) =>
    fetch(`${url}mark`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ run: 'served', id: 'sky', of, says: 'right', note: 'Pale blue.' }),
    });
  expect((await mark('2026-01-01T00:00:00.000Z')).status).toBe(400);
  expect((await mark(data('of'))).status).toBe(200);
  serving.interrupt();
  expect(await serving.finished).toMatchObject({ code: 0 });

  // It is there for whoever looks next, in a file as well, and on another machine.
  const again = await serve();
  expect(shownIn(again.page)).toMatch(
    /data-says="right" data-note="Pale blue."[\s\S]*marked right[\s\S]*EM, F1, Has answer/,
  );
  again.serving.interrupt();
  await again.serving.finished;
  const archive = join(cli.home, 'served.tar.gz');
  await cli.ok(['runs', 'export', 'served', archive]);
  await cli.ok(['runs', 'import', archive, '--name', 'there']);
  const out = join(cli.home, 'report.html');
  await cli.ok(['report', 'there', '--out', out]);
  const file = await readFile(out, 'utf8');
  expect(file).toContain('1 answer marked by a person; a metric contradicts 1.');
  expect(file).not.toContain('connect-src');

  expect(await cli.run(['report', 'served', '--port', '1'])).toMatchObject({ code: 2 });
  expect(await cli.run(['report', 'azurr', '--serve'])).toMatchObject({ code: 6 });
  expect((await cli.run(['report', 'served', '--serve', '--out', out])).code).toBe(2);
});

/** The first question, as the page shows it. */
function shownIn(html: string): string {
  const [, packed = ''] = /class="pages"[^>]*>([^<]+)</.exec(html) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())[0].markup;
}
