/** Writes the report of runs as one HTML file, piece by piece. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MethodRegistry } from '../core/method-registry.js';
import type { CompareOptions } from '../evaluation/runs/compare.js';
import { evaluateRuns } from '../evaluation/runs/evaluate-runs.js';
import { shownMark } from '../evaluation/runs/marked.js';
import { datasetHashOf } from '../evaluation/runs/run-identity.js';
import { splitRuns } from '../evaluation/runs/run-parts.js';
import { type JoinedQuestion, joinRuns, type RunSource } from '../evaluation/runs/run-source.js';
import type { TuneTable } from '../evaluation/tune/tune-table.js';
import { readAssets } from './assets.js';
import { dataSetsOf } from './data-sets.js';
import { documentHead, documentTail, questionIndex } from './document.js';
import type { IndexRow, IndexRun, ShownPage } from './page-data.js';
import { pageMarkup } from './question/page-markup.js';
import type { ReadTexts } from './question/passage-texts.js';
import { indexRow, type PageParts, questionPage } from './question/question-page.js';
import type { ShownExplanation } from './sections/explanations.js';
import type { MarkedAnswer } from './sections/marks.js';

/** The contents of a report besides its runs, and the function that writes its text. */
export interface ReportOptions extends CompareOptions {
  /** Returns the texts of the passages that the questions' pages show. */
  texts: ReadTexts;
  /** Writes a piece of the file; called in order. */
  write: (text: string) => Promise<void>;
  /** Explanations of wrong answers of the runs. */
  explanations?: readonly ShownExplanation[];
  /** Tables of the tunes that the runs belong to. */
  tunes?: readonly TuneTable[];
  /** The methods, whose views and sources are shown. */
  methods: MethodRegistry;
  /**
   * Whether a server shows the page, so that it has functions that a file cannot have. @default
   * false
   */
  isServed?: boolean;
}

/**
 * The version of a written report, which is a hash of its answers and judgements, and whether all
 * its questions have ended.
 */
export interface WrittenReport {
  /** SHA-256 in hexadecimal that changes with any answer or judgement. */
  version: string;
  /** Whether all questions have ended, except those of runs that are shown in parts. */
  hasEnded: boolean;
}

/** Number of questions processed in parallel. */
const AT_ONCE = 16;
/** Characters of pages that are compressed together; opening one question decompresses as many. */
const PACK = 500_000;

/**
 * Writes the report of runs piece by piece, and returns its `version` (a hash) and whether all
 * questions have ended (`hasEnded`). Reads the runs twice: for the figures, and for the pages of
 * the questions, which are written one by one. Only the list rows and scores of questions stay in
 * memory.
 *
 * @example
 * await writeAtomically('report.html', (write) => writeReport(runs, { texts, write, methods }));
 */
export async function writeReport(
  sources: readonly RunSource[],
  {
    texts,
    write,
    methods,
    explanations = [],
    tunes = [],
    isServed = false,
    ...compared
  }: ReportOptions,
): Promise<WrittenReport> {
  const [assets, runs] = await Promise.all([readAssets(isServed), splitRuns(sources)]);
  const marks = await Promise.all(runs.map(async (run) => (await run.marks?.()) ?? new Map()));
  const marked: MarkedAnswer[] = [];
  const version = createHash('sha256');
  let hasEnded = true;
  const manifests = runs.map(({ manifest }) => manifest);
  const contents = [...new Set(manifests.map(datasetHashOf))];
  const rows: IndexRow[] = [];
  const evaluation = await evaluateRuns(runs, {
    ...compared,
    visit: (joined) => {
      const row = indexRow(manifests, joined, contents);
      rows.push(row);
      for (const [run, answer] of joined.answers.entries()) {
        const manifest = manifests[run];
        const isOf = manifest !== undefined && datasetHashOf(manifest) === joined.data;
        version.update(`${isOf} ${answer?.endedAt} ${answer?.judgement?.of}\n`);
        if (isOf && answer === undefined && runs[run]?.part === undefined) hasEnded = false;
        const set = marks[run]?.get(joined.question.id);
        const mark = answer && shownMark(answer, set, manifest?.metrics);
        if (mark) marked.push({ row, run, mark });
      }
    },
  });
  const stored = runs.map(({ partOf, manifest }) => partOf ?? manifest.run);
  const data = dataSetsOf(evaluation);
  const index = questionIndex(evaluation, data, rows, stored);
  const beside = { methods, explanations, marked, tunes };
  await write(documentHead(evaluation, data, index, { ...assets, ...beside }).source);
  const shown = shownPages(runs, index.runs, contents, texts, methods, {
    marks,
    hasCalls: isServed,
  });
  for await (const pack of packed(shown)) await write(pack);
  await write(documentTail(assets).source);
  return { version: version.digest('hex'), hasEnded };
}

async function* shownPages(
  runs: readonly RunSource[],
  named: readonly IndexRun[],
  contents: readonly string[],
  texts: ReadTexts,
  methods: MethodRegistry,
  parts: PageParts,
): AsyncGenerator<ShownPage> {
  const manifests = runs.map(({ manifest }) => manifest);
  const pagesOf = (group: readonly JoinedQuestion[]) =>
    Promise.all(
      group.map(async (joined) => {
        const page = await questionPage(manifests, joined, texts, methods, parts);
        return pageMarkup(page, contents.indexOf(joined.data), named);
      }),
    );
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
 * Yields script elements that each contain several compressed pages, which takes a third of the
 * space; the browser does not parse their text as markup.
 */
async function* packed(pages: AsyncIterable<ShownPage>): AsyncGenerator<string> {
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
