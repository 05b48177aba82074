/** What comes of runs: `export` and `compare`. They read the results folder, no server. */
import { once } from 'node:events';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { exportRun } from '../../../evaluation/runs/export-line.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import type { Surroundings } from '../local.js';
import { openRunStore } from './run-folder.js';

/** Writes a run's answers as JSON Lines, into a file or on standard output. */
export async function exportAnswers(
  run: string,
  { out }: { out?: string | undefined },
  { env, reporter }: Surroundings,
): Promise<number> {
  const sources = await openRuns(openRunStore(env), [run]);
  async function write(append: (line: string) => Promise<void>): Promise<number> {
    let lines = 0;
    for (const source of sources) {
      for await (const line of exportRun(source)) {
        await append(`${line}\n`);
        lines++;
      }
    }
    return lines;
  }
  if (out === undefined) {
    await write(toStandardOutput);
    return 0;
  }
  let lines = 0;
  await writeAtomically(out, async (append) => {
    lines = await write(append);
  });
  reporter.part('Exported', `${lines} answers into ${out}`);
  return 0;
}

/** Prints runs side by side, and what they differ by. */
export async function compareRuns(runs: readonly string[], { env }: Surroundings): Promise<number> {
  const evaluation = await evaluateRuns(await openRuns(openRunStore(env), runs));
  process.stdout.write(`${comparisonText(evaluation)}\n`);
  return 0;
}

async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
