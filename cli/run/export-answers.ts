/**
 * `durable-rag export`: writes a run as JSON Lines: answers, reader contexts, or training notes.
 */

import type { Results } from '../../client/open-results.js';
import { promptRenderer } from '../../client/training-data.js';
import { exportFid, type FidCounts } from '../../evaluation/runs/export-fid.js';
import { exportRun } from '../../evaluation/runs/export-line.js';
import { countNotes, exportNotes, type NotesFormat } from '../../evaluation/runs/export-notes.js';
import { openRun, type RunSource } from '../../evaluation/runs/run-source.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { CliContext } from '../context.js';
import { methodsOf } from '../own-methods.js';
import { printJsonLine } from '../print.js';
import { type CommandOutput, checkOut, writeOut } from '../print-output.js';
import { withResults, withRuns } from './with-runs.js';

interface ExportFlags {
  out?: string | undefined;
  /**
   * Format: answers with scores and chains; questions with contexts for the FiD reader; or
   * Chain-of-Note's notes as training data, with or without the spans for the loss.
   */
  format: 'answers' | 'fid' | NotesFormat;
}

/**
 * The lines to write and what they are. `missing` returns a sentence about what was left out, once
 * all lines are read.
 */
interface Export {
  what: string;
  lines: AsyncIterable<string>;
  missing?: () => string | undefined;
}

/**
 * Writes a run as JSON Lines to a file or to standard output, in the given format. Returns the
 * output of the command: for a file an object with `out` (its path), `what` (the kind of records),
 * `lines` (their number) and `missing` (a warning or null); for standard output nothing more.
 *
 * @throws Failure UnknownRun; BadInput if the run has no such export.
 */
export async function exportAnswers(
  run: string,
  { out, format }: ExportFlags,
  context: CliContext,
): Promise<CommandOutput> {
  if (out !== undefined) checkOut(out, `${run}.jsonl`);
  if (format === 'answers') {
    return withRuns(context, async (runs) => {
      const lines = exportRun(await openRun(runs, run));
      return write({ what: 'answers', lines }, out, context);
    });
  }
  return withResults(context, async (results) => {
    const source = await openRun(results.runs, run);
    const exported =
      format === 'fid'
        ? contextsOf(source, results, methodsOf(context))
        : await notesOf(source, format, results);
    return write(exported, out, context);
  });
}

function contextsOf(source: RunSource, { texts }: Results, methods: OwnMethods): Export {
  const counts: FidCounts = { failed: 0 };
  return {
    what: 'questions',
    lines: exportFid(source, texts, counts, methods),
    missing: () =>
      counts.failed > 0 ? `${counts.failed} failed questions are left out.` : undefined,
  };
}

async function notesOf(source: RunSource, format: NotesFormat, results: Results): Promise<Export> {
  const counts = await countNotes(source);
  const missing = counts.questions - counts.examples;
  return {
    what: 'examples',
    lines: exportNotes(source, format, counts, promptRenderer(results)),
    missing: () =>
      missing > 0 ? `${missing} questions without complete notes are left out.` : undefined,
  };
}

async function write(
  { what, lines, missing }: Export,
  out: string | undefined,
  { reporter }: CliContext,
): Promise<CommandOutput> {
  let count = 0;
  const all = async (append: (line: string) => Promise<void>) => {
    for await (const line of lines) {
      await append(line);
      count++;
    }
  };
  if (out === undefined) await all(printJsonLine);
  else await writeOut(out, (append) => all((line) => append(`${line}\n`)));
  const warning = missing?.();
  if (warning !== undefined) reporter.warn(warning);
  if (out === undefined) return {};
  reporter.part('Exported', `${count} ${what} into ${out}`);
  return { value: { out, what, lines: count, missing: warning ?? null } };
}
