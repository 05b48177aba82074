/** The page of a question in a real browser. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ATTACK, describeInBrowser, heading } from '../support/report-pages.js';

const panel = (page: Page, run: string) => page.locator(`.panel[aria-label="${run}"]`);

describeInBrowser('the page of a question', (visit) => {
  test('tells what led to the answer, and opens to what it rests on', async () => {
    const told = {
      'by-sure': ['Candidates', 'Votes', 'Passages', 'supported', 'Preferred', 'Summary'],
      'by-genread': ['Generated documents', 'Document 2', 'sample 1'],
      'by-notes': ['Reading notes', 'contextual', 'irrelevant', 'no note'],
      'by-allies': ['Beam search', 'From what the model knows', 'kept', 'dropped', 'seed'],
      'by-llatrieval': ['Supporting documents', 'Iterations', 'Iteration 1', 'cited', '[1]'],
    };
    await visit('#q=bridge-4', async (page) => {
      for (const [run, parts] of Object.entries(told)) {
        await page.getByTitle(run).click();
        const text = await panel(page, run).textContent();
        for (const part of parts) expect(text).toContain(part);
        await page.getByText('Usage').locator('visible=true').click();
        expect(await panel(page, run).textContent()).toContain('example-model-2026');
      }

      // A citation opens its passage.
      const cited = panel(page, 'by-llatrieval');
      const text = cited.getByText('below the old ferry steps').first();
      expect(await text.isVisible()).toBe(false);
      await cited.locator('.cite').first().click();
      expect(await text.isVisible()).toBe(true);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');

      // The beam is a tree, and a state opens to its evidence.
      await page.getByTitle('by-allies').click();
      const chosen = panel(page, 'by-allies').locator('.tree .tree .node.chosen');
      expect(await chosen.textContent()).toContain('the answer');
      await chosen.locator('summary').first().click();
      expect(await chosen.textContent()).toContain('Evidence');
    });
  });

  test('a passage with a script stays text', async () => {
    await visit('#q=bridge-0', async (page) => {
      await expect.poll(() => heading(page)).toContain(ATTACK);
      await page.getByTitle('by-sure').click();
      const passage = panel(page, 'by-sure').locator('.passages details').first();
      await passage.locator('summary').click();
      expect(await passage.textContent()).toContain(ATTACK);
      expect(await passage.locator('.title').textContent()).toContain('<b>');
      expect(
        await page.locator('#question img, #question script, #question b:not(.number)').count(),
      ).toBe(0);
      expect(await page.title()).not.toBe('taken');
    });
  });
});
