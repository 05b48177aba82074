/** The report in a real browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReport } from '../../../evaluation/report/write-report.js';
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import { findChromium, GET_CHROMIUM, launchChromium } from '../../support/browser.js';
import { type ExampleRun, exampleRun, textsOf } from '../../support/runs/example-runs.js';
import type { Fact } from '../../support/runs/facts.js';

const QUESTIONS = 120;
const ATTACK = '</script><script>document.title = "taken"</script><img src=x onerror="alert(1)">';

/** What the test reads of an element: the types of the browser are not those of Node. */
interface Named {
  ariaLabel: string | null;
  textContent: string;
  labels?: { length: number } | null;
  outerHTML: string;
}

/** The first question and its passage try to be markup. */
function attacked(fact: Fact): Fact {
  if (fact.id !== 'bridge-0') return fact;
  const [first, ...rest] = fact.passages;
  const passage = {
    ...first,
    id: 'f0-p1',
    title: `<b>${fact.bridge}</b>`,
    text: `${ATTACK} ${first?.text}`,
  };
  return { ...fact, question: `${fact.question} ${ATTACK}`, passages: [passage, ...rest] };
}

const example = (run: string, method: ExampleRun['method'], rest: Partial<ExampleRun> = {}) =>
  exampleRun({ run, method, questions: QUESTIONS, change: attacked, ...rest });

const METHODS = [
  example('by-sure', 'sure', { right: 0.7 }),
  example('by-allies', 'allies'),
  example('by-llatrieval', 'llatrieval'),
  example('by-genread', 'genread', { right: 0.4 }),
  example('by-notes', 'chainOfNote'),
];

const executable = await findChromium();

if (executable === undefined) {
  // A skipped test must not look like a green one where the part is expected.
  test.runIf(process.env.CI === 'true')('Chromium is there', () => expect.fail(GET_CHROMIUM));
  test.skip(`to run these: ${GET_CHROMIUM}`, () => {});
}

describe.runIf(executable)('the page', () => {
  let browser: Browser;
  let folder: string;
  let address: string;

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '');
    folder = await mkdtemp(join(tmpdir(), 'durable-rag-report-'));
    address = await report('methods', METHODS);
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function report(name: string, runs: readonly RunSource[]): Promise<string> {
    const file = join(folder, `${name}.html`);
    const texts = textsOf(QUESTIONS, attacked);
    await writeAtomically(file, (write) => writeReport(runs, { texts, write }));
    return pathToFileURL(file).href;
  }

  /** Opens the report, and fails at the end if it asked the network or the console complained. */
  async function visit(
    hash: string,
    look: (page: Page) => Promise<void>,
    { at = address, ...options }: BrowserContextOptions & { at?: string } = {},
  ): Promise<void> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== at) trouble.push(request.url());
    });
    try {
      await page.goto(`${at}${hash}`);
      await look(page);
      expect(trouble).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const shown = (page: Page) => page.locator('#list a').count();
  const found = (page: Page) => page.locator('#found').textContent();
  const heading = (page: Page) => page.locator('#story h3').textContent();
  const scrolls = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

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
      { at: await report('sweep', sweep) },
    );
  });

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

      await page.selectOption('#against', { label: 'by-genread' });
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
      expect(await marks.nth(0).getAttribute('title')).toBe('by-sure: right');
      expect(await marks.nth(3).getAttribute('title')).not.toBe('by-genread: right');
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
      await page.getByRole('tab').first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.getByRole('tab').nth(1).getAttribute('aria-selected')).toBe('true');
      await page.locator('#story').focus();
      await page.keyboard.press('Escape');
      expect(new URL(page.url()).hash).toBe('#questions');
      expect(await page.evaluate('document.activeElement.textContent')).toContain(first);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => heading(page)).toBe(first);
    });
  });

  test('the pages of the list go on, and j goes from one to the next', async () => {
    await visit('#q=bridge-49', async (page) => {
      await expect.poll(() => heading(page)).toContain('Bridge 50 ');
      await page.keyboard.press('j');
      await expect.poll(() => heading(page)).toContain('Bridge 51 ');
      expect(await found(page)).toBe('51–100 of 120');
      await page.click('#forth');
      expect(await shown(page)).toBe(20);
    });
  });

  const story = (page: Page, run: string) => page.locator(`.panel[aria-label="${run}"]`);

  test.each([
    ['by-sure', ['Candidates', 'Votes', 'Passages', 'valid', 'Preferred', 'Summary']],
    ['by-allies', ['Beam search', 'From what the model knows', 'kept', 'dropped', 'seed']],
    ['by-llatrieval', ['Supporting documents', 'Iterations', 'Iteration 1', 'cited', '[1]']],
    ['by-genread', ['Generated documents', 'Document 2', 'sample 1']],
    ['by-notes', ['Reading notes', 'contextual', 'irrelevant', 'no note']],
  ])('the page of a question tells the story of %s', async (run, parts) => {
    await visit('#q=bridge-4', async (page) => {
      await page.getByRole('tab', { name: run }).click();
      const text = await story(page, run).textContent();
      for (const part of parts) expect(text).toContain(part);
      await page.getByText('Usage').locator('visible=true').click();
      expect(await story(page, run).textContent()).toContain('example-model-2026');
    });
  });

  test('the beam is a tree, and a state opens to its evidence', async () => {
    await visit('#q=bridge-4', async (page) => {
      await page.getByRole('tab', { name: 'by-allies' }).click();
      const chosen = story(page, 'by-allies').locator('.tree .tree .node.chosen');
      expect(await chosen.textContent()).toContain('the answer');
      await chosen.locator('summary').first().click();
      expect(await chosen.textContent()).toContain('Evidence');
    });
  });

  test('a citation opens its passage', async () => {
    await visit('#q=bridge-4', async (page) => {
      await page.getByRole('tab', { name: 'by-llatrieval' }).click();
      const panel = story(page, 'by-llatrieval');
      const text = panel.getByText('below the old ferry steps').first();
      expect(await text.isVisible()).toBe(false);
      await panel.locator('.cite').first().click();
      expect(await text.isVisible()).toBe(true);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    });
  });

  test('a passage with a script stays text', async () => {
    await visit('#q=bridge-0', async (page) => {
      await expect.poll(() => heading(page)).toContain(ATTACK);
      await page.getByRole('tab', { name: 'by-sure' }).click();
      const passage = story(page, 'by-sure').locator('.passages details').first();
      await passage.locator('summary').click();
      expect(await passage.textContent()).toContain(ATTACK);
      expect(await passage.locator('.title').textContent()).toContain('<b>');
      expect(await page.locator('#story img, #story script, #story b:not(.number)').count()).toBe(
        0,
      );
      expect(await page.title()).not.toBe('taken');
    });
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
          await page.reload();
          seen.push(await paper(page));
        },
        { colorScheme },
      );
    }
    const [light, dark] = seen;
    expect(dark).not.toBe(light);
    expect(seen).toEqual([light, dark, dark, dark, light, light]);
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
            'for (const d of document.querySelectorAll("#story details")) d.open = true',
          );
          expect(await scrolls(page)).toBe(false);
        }
        await page.click('#close');
        expect(await page.locator('#list').isVisible()).toBe(true);
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

  test('a single run has no choice of runs', async () => {
    await visit(
      '#q=bridge-3',
      async (page) => {
        await expect.poll(() => heading(page)).toContain('Bridge 4 ');
        expect(await page.getByRole('tab').count()).toBe(0);
        expect(await page.locator('#run').isVisible()).toBe(false);
      },
      { at: await report('single', METHODS.slice(0, 1)) },
    );
  });
});
