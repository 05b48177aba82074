import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MethodRegistry } from '../core/registry.js';
import { evaluateRuns } from '../evaluation/runs/evaluate-runs.js';
import { dataOf } from '../evaluation/runs/run-identity.js';
import { splitRuns } from '../evaluation/runs/run-parts.js';
import { type JoinedQuestion, joinRuns, type RunSource } from '../evaluation/runs/run-source.js';
import { readAssets } from './assets.js';
import { documentHead, documentTail } from './document.js';
import type { IndexRow, QuestionPage } from './page-data.js';
import type { ReadTexts } from './question/passage-texts.js';
import { indexRow, questionPage } from './question/question-page.js';
import { decisionsOf } from './sections/decisions.js';
import type { ShownExplanation } from './sections/explanations.js';

export interface ReportOptions {
  /** Texts of the passages that the questions' pages show. */
  texts: ReadTexts;
  /** Takes the file piece by piece, in order. */
  write: (text: string) => Promise<void>;
  /** Name of the run that the others are compared with. @default the first */
  baseline?: string | undefined;
  /** Where the wrong answers of runs were lost, of as many as are to be shown. */
  explanations?: readonly ShownExplanation[];
  /** The views of methods, and their origin. */
  methods: MethodRegistry;
}

/** Questions at a time. */
const AT_ONCE = 16;
/** Characters of pages compressed together: opening one question unpacks this many. */
const PACK = 250_000;

/**
 * Reads the runs twice: for the figures, and for the pages of the questions, which are written as
 * they are made. Only a question's line and scores stay in memory.
 *
 * @example
 * await writeAtomically('report.html', (write) => writeReport(runs, { texts, write, methods }));
 */
export async function writeReport(
  sources: readonly RunSource[],
  { texts, write, methods, baseline, explanations = [] }: ReportOptions,
): Promise<void> {
  const [assets, runs] = await Promise.all([readAssets(), splitRuns(sources)]);
  const manifests = runs.map(({ manifest }) => manifest);
  const contents = [...new Set(manifests.map(dataOf))];
  const rows: IndexRow[] = [];
  const evaluation = await evaluateRuns(runs, {
    baseline,
    visit: (joined) => {
      rows.push(indexRow(manifests, joined, contents));
    },
  });
  const decisions = await decisionsOf(sources);
  await write(
    documentHead(evaluation, rows, { ...assets, methods, decisions, explanations }).source,
  );
  for await (const pack of packed(questionPages(runs, texts, methods))) await write(pack);
  await write(documentTail(assets).source);
}

async function* questionPages(
  runs: readonly RunSource[],
  texts: ReadTexts,
  methods: MethodRegistry,
): AsyncGenerator<QuestionPage> {
  const manifests = runs.map(({ manifest }) => manifest);
  const pagesOf = (group: readonly JoinedQuestion[]) =>
    Promise.all(group.map((joined) => questionPage(manifests, joined, texts, methods)));
  let group: JoinedQuestion[] = [];
  for await (const joined of joinRuns(runs)) {
    group.push(joined);
    if (group.length < AT_ONCE) continue;
    yield* await pagesOf(group);
    group = [];
  }
  yield* await pagesOf(group);
}

const compress = promisify(gzip);

/**
 * Writes pages as compressed elements of several: a third of the size, and text that is never
 * markup.
 */
async function* packed(pages: AsyncIterable<QuestionPage>): AsyncGenerator<string> {
  let [first, size] = [0, 0];
  let texts: string[] = [];
  const pack = async () => {
    const bytes = await compress(`[${texts.join(',')}]`);
    const element = `<script type="text/plain" class="pages" data-first="${first}">${bytes.toString('base64')}</script>\n`;
    first += texts.length;
    [texts, size] = [[], 0];
    return element;
  };
  for await (const page of pages) {
    const text = JSON.stringify(page);
    texts.push(text);
    size += text.length;
    if (size >= PACK) yield await pack();
  }
  if (texts.length > 0) yield await pack();
}
