/** Reports of example runs, opened in a browser. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RunSource } from '../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { writeReport } from '../../report/write-report.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import { findProgram } from '../../temporal-dev/find-program.js';
import { GET, isHere } from './is-here.js';
import { type ExampleRun, exampleRun, textsOf } from './runs/example-runs.js';
import type { Fact } from './runs/facts.js';

const QUESTIONS = 120;
/** What the first question and its passage try to be. */
export const ATTACK =
  '</script><script>document.title = "taken"</script><img src=x onerror="alert(1)">';

function attacked(fact: Fact): Fact {
  if (fact.id !== 'bridge-0') return fact;
  const [first, ...rest] = fact.passages;
  const title = `<b>${fact.bridge}</b>`;
  const passage = { ...first, id: 'f0-p1', title, text: `${ATTACK} ${first?.text}` };
  return { ...fact, question: `${fact.question} ${ATTACK}`, passages: [passage, ...rest] };
}

export function example(
  run: string,
  method: ExampleRun['method'],
  rest: Partial<ExampleRun> = {},
): RunSource {
  return exampleRun({ run, method, questions: QUESTIONS, change: attacked, ...rest });
}

/** A run of each of the five methods. */
export const METHODS = [
  example('by-sure', 'sure', { right: 0.7 }),
  example('by-allies', 'allies'),
  example('by-llatrieval', 'llatrieval'),
  example('by-genread', 'genread', { right: 0.4 }),
  example('by-notes', 'chainOfNote'),
];

interface VisitOptions extends BrowserContextOptions {
  /** The part of the report. @default '' */
  hash?: string;
  /** @default METHODS */
  runs?: readonly RunSource[];
}

/** Opens the report at a part of it; fails when it asks the network or the console complains. */
type Visit = (where: string | VisitOptions, look: (page: Page) => Promise<void>) => Promise<void>;

/** What the question that is shown is. */
export const heading = (page: Page) => page.locator('#question h3').textContent();

/** Tests that need a browser; without one they are skipped, and fail where it is expected. */
export function describeInBrowser(name: string, tests: (visit: Visit) => void): void {
  describe(name, async () => {
    const executable = await findChromium();
    if (isHere(executable, GET.chromium)) tests(visitsWith(executable));
  });
}

function visitsWith(executable: string): Visit {
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let folder: string;
  const written = new Map<readonly RunSource[], Promise<string>>();

  beforeAll(async () => {
    browser = await launchChromium(executable);
    folder = await mkdtemp(join(tmpdir(), 'durable-rag-report-'));
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function report(runs: readonly RunSource[]): Promise<string> {
    const file = join(folder, `${written.size}.html`);
    const texts = textsOf(QUESTIONS, attacked);
    await writeAtomically(file, (write) =>
      writeReport(runs, { texts, write, methods: methodRegistry() }),
    );
    return pathToFileURL(file).href;
  }

  return async (where, look) => {
    const given = typeof where === 'string' ? { hash: where } : where;
    const { hash = '', runs = METHODS, ...options }: VisitOptions = given;
    const address = written.get(runs) ?? report(runs);
    written.set(runs, address);
    const at = await address;
    const viewport = { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport, ...options });
    const trouble: string[] = [];
    try {
      const page = await context.newPage();
      page.on('console', (message) => trouble.push(message.text()));
      page.on('pageerror', (error) => trouble.push(error.message));
      page.on('dialog', (dialog) => trouble.push(dialog.message()));
      page.on('request', (request) => {
        if (request.url().split('#')[0] !== at) trouble.push(request.url());
      });
      await page.goto(`${at}${hash}`);
      await look(page);
      expect(trouble).toEqual([]);
    } finally {
      await context.close();
    }
  };
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** CHROMIUM_PATH, or what the PATH has; undefined where there is none. */
export async function findChromium(env = process.env): Promise<string | undefined> {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const found = await Promise.all(NAMES.map((name) => findProgram(name, env)));
  return found.find((path) => path !== undefined);
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // Its own sandbox does not work as root, as tests in containers run.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
