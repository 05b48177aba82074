/** `durable-rag datasets`: lists, stores and removes data sets. */

import { command } from '../core/command.js';
import type { DatasetReading } from '../core/run/dataset-input.js';
import type { ListedSnapshot } from '../evaluation/dataset/snapshots.js';
import { plural } from '../evaluation/runs/number-text.js';
import type { CliContext } from './context.js';
import { localFile } from './dataset-flag.js';
import type { CommandOutput } from './print-output.js';
import { readingNotes } from './run/describe-dataset.js';
import { withDatasets } from './stored-dataset.js';

/** Flags of `datasets put`. */
interface PutFlags extends DatasetReading {
  name?: string | undefined;
  /** Whether questions without answers are refused. */
  requireAnswers: boolean;
}

/**
 * Reads a file of questions and stores them as a data set. Returns the output of the command: as
 * JSON an object with `name` (null if none was given), `dataset` (`sha256:` and the hash, by which
 * a run names it), `questions` (their number) and more; as text a summary.
 */
export function putDataset(
  file: string,
  { name, requireAnswers, ...read }: PutFlags,
  context: CliContext,
): Promise<CommandOutput> {
  return withDatasets(context, async (datasets) => {
    const { signal } = context;
    await localFile(file, context);
    const options = { ...read, scorable: requireAnswers, signal };
    const stored = await datasets.put(file, { ...options, ...(name !== undefined && { name }) });
    const shown = name ?? stored.dataset;
    return {
      value: { name: name ?? null, ...stored },
      text: [`${shown}: ${plural(stored.questions, 'question')}`, ...readingNotes(stored)].join(
        '\n',
      ),
      next: command('eval', '--method', 'sure', '--dataset', `stored:${shown}`),
    };
  });
}

/**
 * Returns the output of `datasets`: the stored data sets with their names, numbers of questions,
 * files, times and hashes; as JSON an array of objects, as text one line for each.
 */
export function listDatasets(context: CliContext): Promise<CommandOutput> {
  return withDatasets(context, async (datasets) => {
    const listed = await datasets.list();
    const lines = listed.map(describe);
    if (lines.length === 0)
      lines.push(`There is no data set; "${command('datasets', 'put')}" stores one.`);
    return { value: listed, text: lines.join('\n') };
  });
}

/**
 * Returns a line for a data set, such as "nq: 3,610 questions of nq.jsonl.gz, 2026-01-02,
 * sha256:12ab...".
 */
function describe({ names, questions, file, at, sha256 }: ListedSnapshot): string {
  const called = names.length === 0 ? '(no name)' : names.join(', ');
  return `${called}: ${plural(questions, 'question')} of ${file}, ${at.slice(0, 10)}, sha256:${sha256}`;
}

/**
 * Removes the name of a stored data set, and returns the output of the command. The questions stay
 * in the store.
 *
 * @throws Failure UnknownText if there is none.
 */
export function removeDataset(name: string, context: CliContext): Promise<CommandOutput> {
  return withDatasets(context, async (datasets) => {
    await datasets.remove(name);
    return {
      value: { name, removed: true },
      text: `${name}: removed`,
      next: `${command('store', 'prune')} deletes the questions if nothing uses them`,
    };
  });
}
