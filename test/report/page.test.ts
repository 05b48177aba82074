/** The report in a real browser: its figures, and the screens it is looked at on. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, example, METHODS } from '../support/report-pages.js';

/** What the test reads of an element: the types of the browser are not those of Node. */
interface Named {
  ariaLabel: string | null;
  textContent: string;
  labels?: { length: number } | null;
  outerHTML: string;
}

const heading = (page: Page) => page.locator('#question h3').textContent();
const scrolls = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describeInBrowser('the page', (visit) => {
  test('the figures: a row a run, and the means that are asked for', async () => {
    await visit('', async (page) => {
      expect(await page.locator('#scores tbody tr').count()).toBe(METHODS.length);
      const mean = () => page.locator('#scores tbody tr').first().locator('b:visible').first();
      const withFailed = Number(await mean().textContent());
      await page.getByText('Answered only').click();
      expect(Number(await mean().textContent())).toBeGreaterThan(withFailed);
      for (const id of ['retrieval', 'differences', 'outcomes', 'cost', 'steps', 'time']) {
        expect(await page.locator(`#${id} h2`).isVisible()).toBe(true);
      }
      expect(await page.locator('#failures').textContent()).toContain('ContextTooLong');
      expect(await page.locator('#noise').count()).toBe(0);
    });
  });

  test('a sweep of noise is drawn where it was run', async () => {
    const sweep = [0, 0.4, 1].map((ratio) =>
      example(`noise-${ratio}`, 'chainOfNote', {
        right: 0.7 - ratio / 2,
        input: { noise: { ratio } },
      }),
    );
    await visit(
      '',
      async (page) => {
        const charts = page.locator('#noise svg');
        expect(await charts.count()).toBe(2);
        expect(await charts.first().getAttribute('aria-label')).toMatch(
          /at 0 %.*at 40 %.*at 100 %/,
        );
      },
      { runs: sweep },
    );
  });

  test('light or dark as the system says, and as the button says', async () => {
    const paper = (page: Page) =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const seen: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit(
        '',
        async (page) => {
          seen.push(await paper(page));
          await page.click('#theme');
          seen.push(await paper(page));
          // Chromium keeps what a page stores a moment later: one that is read anew at once may miss it.
          const anew = async () => {
            await page.reload();
            return paper(page);
          };
          await expect.poll(anew).toBe(seen.at(-1));
        },
        { colorScheme },
      );
    }
    const [light, dark] = seen;
    expect(dark).not.toBe(light);
    expect(seen).toEqual([light, dark, dark, light]);
  });

  test('on a phone nothing is wider than the screen, and a question takes the place of the list', async () => {
    const viewport = { width: 360, height: 740 };
    await visit(
      '',
      async (page) => {
        expect(await scrolls(page)).toBe(false);
        await page.click('#to-questions');
        expect(await scrolls(page)).toBe(false);
        await page.locator('#list a').first().click();
        await expect.poll(() => heading(page)).toContain('Bridge 1 ');
        expect(await page.locator('#list').isVisible()).toBe(false);
        for (const tab of await page.getByRole('tab').all()) {
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
      },
      { viewport, isMobile: true, hasTouch: true },
    );
  });

  test('prints the figures without the controls', async () => {
    await visit('', async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.locator('.top').isVisible()).toBe(false);
      expect(await page.locator('#scores table').isVisible()).toBe(true);
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
        .locator('button, input, select, [role=img], [role=region], [role=tabpanel]')
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
