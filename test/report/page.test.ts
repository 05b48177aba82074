/** The report in a real browser: its figures, and the screens it is looked at on. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, heading, METHODS } from '../support/report-pages.js';
import { studyRuns } from '../support/runs/example-runs.js';

/** What the test reads of an element: the types of the browser are not those of Node. */
interface Named {
  ariaLabel: string | null;
  textContent: string;
  labels?: { length: number } | null;
  outerHTML: string;
}

const STUDY = studyRuns(48, 30);
/** What is wider than the page, by its class. */
const WIDER = `[...document.querySelectorAll('#figures *')]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.tagName + '.' + one.className)`;

const scrolls = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describeInBrowser('the page', (visit) => {
  test('the figures: a row a cell, and the means that are asked for', async () => {
    await visit('', async (page) => {
      const rows = page.locator('#data-1 > table tbody tr');
      expect(await rows.count()).toBe(METHODS.length);
      const mean = () => rows.first().locator('b:visible').first();
      const withFailed = Number(await mean().textContent());
      await page.getByText('Answered only').click();
      expect(Number(await mean().textContent())).toBeGreaterThan(withFailed);
      for (const id of ['metrics', 'differences', 'outcomes', 'effort', 'steps']) {
        await page.locator(`#data-1-${id} summary`).first().click();
        expect(await page.locator(`#data-1-${id} table`).first().isVisible()).toBe(true);
      }
      expect(await page.locator('#failures').textContent()).toContain('ContextTooLong');
    });
  });

  test.each([1280, 390])(
    '48 runs at %i pixels: by data set, without holes, not wider',
    async (width) => {
      await visit({ runs: STUDY, viewport: { width, height: 900 } }, async (page) => {
        const heights: number[] = [];
        const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
        heights.push(await height());
        for (const data of ['data-1', 'data-2']) {
          const section = page.locator(`#${data}`);
          expect(await section.locator('> table tbody tr').count()).toBe(8);
          expect(await section.locator('> table').textContent()).toContain('sure · gpt-5-nano');
          expect(await section.locator('> table .empty').count()).toBe(0);
          expect(await section.locator('.forest').getAttribute('aria-label')).toMatch(
            /allies · gpt/,
          );
        }
        await page.evaluate('for (const d of document.querySelectorAll("details")) d.open = true');
        expect(await page.locator('table .empty').count()).toBeLessThan(60);
        expect(await page.evaluate(WIDER)).toEqual([]);
        expect(heights[0]).toBeLessThan(width === 1280 ? 5000 : 7000);
        await page.click('#to-questions');
        expect(await scrolls(page)).toBe(false);
        await page.locator('#list a').first().click();
        await expect.poll(() => page.locator('#question select').count()).toBe(1);
        expect(await scrolls(page)).toBe(false);
      });
    },
  );

  test('what is chosen stands in the address, and comes back from it', async () => {
    await visit(
      { hash: `#questions&run=${STUDY[30]?.manifest.run}&state=wrong&find=bridge`, runs: STUDY },
      async (page) => {
        expect(await page.locator('#list .asked').first().textContent()).toMatch(/Bridge/);
        expect(await page.locator('.states input[value=wrong]').isChecked()).toBe(true);
        await page.fill('#search', '');
        await page.locator('.states .wrong span').first().click();
        await page.selectOption('#order', 'file');
        const hash = new URL(page.url()).hash;
        expect(hash).toBe(`#questions&run=${STUDY[30]?.manifest.run}&order=file`);
        await page.locator('#list a').first().click();
        await expect.poll(() => new URL(page.url()).hash).toMatch(/^#q=2%3Abridge-0&run=/);
      },
    );
  });

  test('a table is kept as CSV and a picture as SVG', async () => {
    await visit('', async (page) => {
      const kept = async (title: string) => {
        const waiting = page.waitForEvent('download');
        await page.getByTitle(title).click();
        return readFile(await (await waiting).path(), 'utf8');
      };
      const csv = await kept('Keep as scores-data-1.csv');
      expect(csv.split('\r\n')).toHaveLength(METHODS.length + 2);
      expect(csv).toContain('"1 sure","');
      const svg = await kept('Keep as data-1-cost.svg');
      expect(svg).toMatch(/^<svg .*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      expect(svg).toContain('fill:');
    });
  });

  test('light or dark as the system says, and as the button says', async () => {
    const paper = (page: Page) =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const seen: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit({ colorScheme }, async (page) => {
        seen.push(await paper(page));
        await page.click('#theme');
        seen.push(await paper(page));
        // Chromium keeps what a page stores a moment later: one that is read anew at once may miss it.
        const anew = async () => {
          await page.reload();
          return paper(page);
        };
        await expect.poll(anew).toBe(seen.at(-1));
      });
    }
    const [light, dark] = seen;
    expect(dark).not.toBe(light);
    expect(seen).toEqual([light, dark, dark, light]);
  });

  test('on a phone nothing is wider than the screen, and a question takes the place of the list', async () => {
    const viewport = { width: 360, height: 740 };
    await visit({ viewport, isMobile: true, hasTouch: true }, async (page) => {
      expect(await scrolls(page)).toBe(false);
      await page.click('#to-questions');
      expect(await scrolls(page)).toBe(false);
      await page.locator('#list a').first().click();
      await expect.poll(() => heading(page)).toContain('Bridge ');
      expect(await page.locator('#list').isVisible()).toBe(false);
      for (const tab of await page.locator('.tabs label').all()) {
        await tab.click();
        await page.evaluate(
          'for (const d of document.querySelectorAll("#question details")) d.open = true',
        );
        expect(await scrolls(page)).toBe(false);
      }
      await page.click('#close');
      // The change of the address, which shows the list, comes after the click.
      await expect.poll(() => page.locator('#list').isVisible()).toBe(true);
      await expect.poll(() => page.evaluate('document.activeElement.dataset.place')).toBe('0');
    });
  });

  test('prints the figures without the controls', async () => {
    await visit('', async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.locator('.top').isVisible()).toBe(false);
      expect(await page.locator('#data-1 > table').isVisible()).toBe(true);
      const paper = await page.evaluate<string>(
        'getComputedStyle(document.documentElement).backgroundColor',
      );
      expect(paper).toBe('rgb(255, 255, 255)');
    });
  });

  test('everything that is no text has a name', async () => {
    await visit('#q=bridge-4', async (page) => {
      await expect.poll(() => heading(page)).toContain('Bridge 5 ');
      const nameless = await page
        .locator('button, input, select, [role=img], [role=region]')
        .evaluateAll((elements) =>
          elements
            .map((element) => element as unknown as Named)
            .filter(
              ({ ariaLabel, textContent, labels }) =>
                !ariaLabel && textContent.trim() === '' && !labels?.length,
            )
            .map(({ outerHTML }) => outerHTML),
        );
      expect(nameless).toEqual([]);
    });
  });
});
