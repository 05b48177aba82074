/** The list of questions in a real browser: search, filters, keys. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, heading, METHODS } from '../support/report-pages.js';

const shown = (page: Page) => page.locator('#list a').count();
const found = (page: Page) => page.locator('#found').textContent();

describeInBrowser('the list of questions', (visit) => {
  test('search finds what stands in questions, answers and ids', async () => {
    await visit('#questions', async (page) => {
      expect(await shown(page)).toBe(50);
      expect(await found(page)).toBe('1–50 of 120');
      await page.fill('#search', 'bridge-117');
      expect(await shown(page)).toBe(1);
      await page.fill('#search', 'OVER opened bridge 12 ');
      expect(await page.locator('#list .asked').first().textContent()).toMatch(/Bridge 12/);
      await page.fill('#search', 'no such words');
      expect(await found(page)).toBe('No question matches.');
      await page.press('#search', 'Escape');
      expect(await shown(page)).toBe(50);
    });
  });

  test('filters by how questions ended, and by how two runs disagree', async () => {
    await visit('#questions', async (page) => {
      const total = async () => Number((await found(page))?.split(' of ')[1] ?? 0);
      const check = (state: string) => page.locator(`.states .${state} span`).first().click();
      await check('failed');
      expect(await total()).toBe(8);
      expect(await page.locator('#list .said').first().textContent()).toBe('ContextTooLong');
      await check('unknown');
      expect(await total()).toBe(12);
      await check('failed');
      await check('unknown');

      await page.selectOption('#against', { label: 'genread' });
      const counts: number[] = [];
      for (const kind of ['first', 'second', 'either']) {
        await page.selectOption('#disagreement', kind);
        counts.push(await total());
      }
      const [first = 0, second = 0, either] = counts;
      expect(first).toBeGreaterThan(second);
      expect(either).toBe(first + second);
      await page.selectOption('#disagreement', 'first');
      const marks = page.locator('#list li').first().locator('.mark');
      expect(await marks.nth(0).getAttribute('title')).toBe('sure: right');
      expect(await marks.nth(3).getAttribute('title')).not.toBe('genread: right');
    });
  });

  test('by keyboard: search, next, previous, back, and through the runs', async () => {
    await visit('', async (page) => {
      await page.keyboard.press('/');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('search');
      await page.keyboard.type('stone');
      await page.keyboard.press('Enter');
      const first = await page.locator('#list .asked').first().textContent();
      await expect.poll(() => heading(page)).toBe(first);
      await page.keyboard.press('j');
      const second = await page.locator('#list .asked').nth(1).textContent();
      await expect.poll(() => heading(page)).toBe(second);
      await page.keyboard.press('k');
      await expect.poll(() => heading(page)).toBe(first);
      await page.getByRole('radio').first().focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => page.getByRole('radio').nth(1).isChecked()).toBe(true);
      await page.locator('#question').focus();
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).hash).toBe('#questions&find=stone');
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      await expect.poll(focused).toContain(first);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => heading(page)).toBe(first);
    });
  });

  test('the pages of the list go on, and j goes from one to the next', async () => {
    await visit('#q=bridge-49&order=file', async (page) => {
      await expect.poll(() => heading(page)).toContain('Bridge 50 ');
      await page.keyboard.press('j');
      await expect.poll(() => heading(page)).toContain('Bridge 51 ');
      expect(await found(page)).toBe('51–100 of 120');
      await page.click('#forth');
      expect(await shown(page)).toBe(20);
    });
  });

  test('a single run has no choice of runs', async () => {
    await visit({ hash: '#q=bridge-3', runs: METHODS.slice(0, 1) }, async (page) => {
      await expect.poll(() => heading(page)).toContain('Bridge 4 ');
      expect(await page.getByRole('radio').count()).toBe(0);
      expect(await page.locator('#run').isVisible()).toBe(false);
    });
  });
});
