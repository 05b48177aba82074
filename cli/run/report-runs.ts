/** `durable-rag report`: writes an HTML file about runs, or serves a page that follows them. */

import { resolve } from 'node:path';
import type { Results } from '../../client/open-results.js';
import { serveReport } from '../../client/report-server.js';
import { Failure } from '../../core/failure.js';
import type { CompareOptions } from '../../evaluation/runs/compare.js';
import { openRun, openRuns } from '../../evaluation/runs/run-source.js';
import type { ShownExplanation } from '../../report/sections/explanations.js';
import { type ReportOptions, type WrittenReport, writeReport } from '../../report/write-report.js';
import type { CliContext } from '../context.js';
import { untilAborted } from '../interrupt.js';
import { methodsOf } from '../own-methods.js';
import { type CommandOutput, checkOut, writeOut } from '../print-output.js';
import { tuneTables } from '../tune/stored-tune.js';
import { explanationForReport } from './explain.js';
import { rawCallsOf } from './show-question.js';
import { withResults } from './with-runs.js';

/**
 * Maximum number of runs of a report that get an explanation, since each needs a replay of every
 * answer.
 */
const MOST_EXPLAINED = 3;

interface ReportFlags extends Omit<CompareOptions, 'margin'> {
  /** Path of the report, absolute or relative to the working directory. */
  out: string;
  /** Whether to serve the report in place of writing it. */
  serve?: boolean | undefined;
  port?: number | undefined;
}

/**
 * Writes the report of runs to a file, or with `serve` serves it until Ctrl-C and stores the marks
 * that its readers set. Returns the output of the command: for a file an object with `out` (its
 * path), `runs` and `passagesGone` (the runs of which passages no longer exist, about which it
 * also warns); with `serve` nothing.
 *
 * @throws Failure UnknownRun; BadInput if the file is a folder.
 */
export async function reportRuns(
  names: readonly string[],
  { out: file, serve, port, ...compared }: ReportFlags,
  context: CliContext,
): Promise<CommandOutput> {
  if (serve) return serveRuns(names, port, compared, context);
  const out = resolve(file);
  checkOut(out, 'report.html');
  const { reporter } = context;
  const tunes = await tuneTables(names, context);
  const gone = await withResults(context, async (results) => {
    await writeOut(out, (write) =>
      writeRuns(names, { write, ...compared, tunes }, results, context),
    );
    return results.gone;
  });
  for (const run of gone) {
    reporter.warn(`Some passages of ${run} are no longer there; the report shows them by title.`);
  }
  if (!context.json) reporter.part('Report', out);
  const value = { out, runs: names, passagesGone: [...gone] };
  return { value, next: `open ${out} in a browser` };
}

/** Serves the current report of runs until Ctrl-C. */
async function serveRuns(
  names: readonly string[],
  port: number | undefined,
  compared: CompareOptions,
  context: CliContext,
): Promise<CommandOutput> {
  const { reporter, signal } = context;
  const tunes = await tuneTables(names, context);
  return withResults(context, async (results) => {
    const { runs } = results;
    // Unknown names are refused before anything is served.
    await openRuns(runs, names);
    const served = await serveReport(
      {
        write: (write) =>
          writeRuns(names, { write, ...compared, tunes, isServed: true }, results, context),
        async raw(run, id, call) {
          return (await rawCallsOf(run, id, call, context)).flatMap(({ asked }) => asked);
        },
        async mark(run, mark) {
          const answer = await (await openRun(runs, run)).answer(mark.id);
          if (answer?.endedAt !== mark.of) {
            throw new Failure('BadInput', 'The question has been asked again: load the page anew.');
          }
          await runs.mark(run, mark);
        },
      },
      port ?? 0,
    );
    reporter.part('Report', `${served.url}  (Ctrl-C stops it)`);
    await untilAborted(signal);
    await served.close();
    return {};
  });
}

/** Writes the report through `options.write`, with an explanation of each run if there are few. */
async function writeRuns(
  names: readonly string[],
  options: CompareOptions & Pick<ReportOptions, 'isServed' | 'tunes' | 'write'>,
  results: Results,
  context: CliContext,
): Promise<WrittenReport> {
  const { runs, texts } = results;
  const sources = await openRuns(runs, names);
  const explanations: ShownExplanation[] = [];
  for (const { manifest } of sources.length > MOST_EXPLAINED ? [] : sources) {
    const shown = await explanationForReport(manifest, results, context);
    if (shown) explanations.push(shown);
  }
  const methods = methodsOf(context);
  return writeReport(sources, { ...options, texts, methods, explanations });
}
