/** Writes the report of one or more runs: one HTML file that needs nothing else. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { evaluateRuns } from '../runs/evaluate-runs.js';
import { type JoinedQuestion, joinRuns, type RunSource } from '../runs/run-source.js';
import { readAssets } from './assets.js';
import { documentHead, documentTail } from './document.js';
import type { IndexRow, QuestionStory } from './page-data.js';
import { indexRow, type ReadTexts, tellQuestion } from './story/tell-question.js';

export interface ReportOptions {
  /** Texts of the passages that the stories show. */
  texts: ReadTexts;
  /** Takes the file piece by piece, in order. */
  write: (text: string) => Promise<void>;
  /** Decides the resamples of the intervals. @default 0 */
  seed?: string | number;
}

/** Questions told at a time. */
const AT_ONCE = 16;
/** Characters of stories that are compressed together: one question's page unpacks so much. */
const PACK = 250_000;

/**
 * Reads the runs twice: once for the figures, and once for the stories of the questions, which are
 * written as they are told. What stays in memory grows with the questions by their line in the
 * list and their scores alone.
 *
 * @example
 * await writeAtomically('report.html', (write) => writeReport(runs, { texts, write }));
 */
export async function writeReport(
  runs: readonly RunSource[],
  { texts, write, seed = 0 }: ReportOptions,
): Promise<void> {
  const assets = await readAssets();
  const rows: IndexRow[] = [];
  const evaluation = await evaluateRuns(runs, {
    seed,
    visit: (joined) => {
      rows.push(indexRow(joined));
    },
  });
  const named = runs.map(({ manifest: { run, input } }) => ({ name: run, method: input.method }));
  await write(documentHead(evaluation, { runs: named, rows }, assets).source);
  for await (const pack of packed(stories(runs, texts))) await write(pack);
  await write(documentTail(assets).source);
}

async function* stories(
  runs: readonly RunSource[],
  texts: ReadTexts,
): AsyncGenerator<QuestionStory> {
  const manifests = runs.map(({ manifest }) => manifest);
  const tell = (group: readonly JoinedQuestion[]) =>
    Promise.all(group.map((joined) => tellQuestion(manifests, joined, texts)));
  let group: JoinedQuestion[] = [];
  for await (const joined of joinRuns(runs)) {
    group.push(joined);
    if (group.length < AT_ONCE) continue;
    yield* await tell(group);
    group = [];
  }
  yield* await tell(group);
}

const compress = promisify(gzip);

/**
 * Stories as elements that hold some of them each, compressed: a third of the size, and text that
 * cannot be taken for markup.
 */
async function* packed(told: AsyncIterable<QuestionStory>): AsyncGenerator<string> {
  let [first, size] = [0, 0];
  let texts: string[] = [];
  const pack = async () => {
    const bytes = await compress(`[${texts.join(',')}]`);
    const element = `<script type="text/plain" class="stories" data-first="${first}">${bytes.toString('base64')}</script>\n`;
    first += texts.length;
    [texts, size] = [[], 0];
    return element;
  };
  for await (const story of told) {
    const text = JSON.stringify(story);
    texts.push(text);
    size += text.length;
    if (size >= PACK) yield await pack();
  }
  if (texts.length > 0) yield await pack();
}
