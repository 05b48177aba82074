/** The page that a server is behind: it says whether runs are under way, and takes marks. */
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { methodRegistry } from '../../interpreters/methods.js';
import { writeReport } from '../../report/write-report.js';
import { example, findChromium, launchChromium } from '../support/report-pages.js';
import { textsOf } from '../support/runs/example-runs.js';

const ORIGIN = 'http://report.test';
const executable = await findChromium();

/** What a server says, and what it was told. */
interface Server {
  version: string;
  hasEnded: boolean;
  refusal?: string;
  marks: unknown[];
  visits: number;
}

async function serve(route: Route, html: string, server: Server): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const { version, hasEnded, refusal } = server;
  if (pathname === '/version') return route.fulfill({ json: { version, hasEnded } });
  if (pathname === '/mark' && refusal !== undefined) {
    return route.fulfill({ status: 400, json: { message: refusal } });
  }
  if (pathname === '/mark') {
    server.marks.push(route.request().postDataJSON());
    return route.fulfill({ json: {} });
  }
  server.visits++;
  return route.fulfill({ contentType: 'text/html', body: html });
}

async function visit(server: Server, look: (page: Page) => Promise<void>): Promise<void> {
  const pieces: string[] = [];
  await writeReport([example('by-sure', 'sure')], {
    texts: textsOf(120),
    write: async (text) => void pieces.push(text),
    methods: methodRegistry(),
    isServed: true,
  });
  const browser = await launchChromium(executable ?? '');
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, (route) => serve(route, pieces.join(''), server));
    await page.goto(`${ORIGIN}/#q=bridge-3`);
    await look(page);
  } finally {
    await browser.close();
  }
}

test.runIf(executable)('marks are kept, taken back and noted, and refusals are told', async () => {
  // Of runs that have ended it looks seldom, so that what it says of a mark stays to be read.
  const server: Server = { version: '1', hasEnded: true, marks: [], visits: 0 };
  await visit(server, async (page) => {
    const status = page.locator('header output');
    const right = page.getByRole('button', { name: 'right', exact: true });
    await right.click();
    await expect.poll(() => right.getAttribute('aria-pressed')).toBe('true');
    await right.click();
    await expect.poll(() => right.getAttribute('aria-pressed')).toBe('false');
    await page.getByLabel('Note').fill(' by hand ');
    await page.getByLabel('Note').blur();
    await expect
      .poll(() => server.marks)
      .toMatchObject([
        { run: 'by-sure', id: 'bridge-3', says: 'right', note: '' },
        { says: null },
        { says: null, note: 'by hand' },
      ]);
    server.refusal = 'The answer is another one.';
    await page.getByRole('button', { name: 'wrong', exact: true }).click();
    await expect.poll(() => status.textContent()).toContain('The answer is another one.');
  });
});

test.runIf(executable)('it loads again where the runs have more', async () => {
  const server: Server = { version: '1', hasEnded: false, marks: [], visits: 0 };
  await visit(server, async (page) => {
    await expect.poll(() => page.locator('header output').textContent()).toBe('under way');
    server.version = '2';
    await expect.poll(() => server.visits).toBe(2);
  });
});
