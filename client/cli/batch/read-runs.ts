/** What comes of runs: `export` and `compare`. They read what is kept, and need no worker. */
import { once } from 'node:events';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { exportRun } from '../../../evaluation/runs/export-line.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { writeAtomically } from '../../../results/atomic-file.js';
import type { Surroundings } from '../local.js';
import { withRuns } from './run-place.js';

/** Writes a run's answers as JSON Lines, into a file or on standard output. */
export async function exportAnswers(
  run: string,
  { out }: { out?: string | undefined },
  surroundings: Surroundings,
): Promise<number> {
  return withRuns(surroundings, async (runs) => {
    const sources = await openRuns(runs, [run]);
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
    surroundings.reporter.part('Exported', `${lines} answers into ${out}`);
    return 0;
  });
}

/** Prints runs side by side, and what they differ by. */
export async function compareRuns(
  names: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const evaluation = await withRuns(surroundings, async (runs) =>
    evaluateRuns(await openRuns(runs, names)),
  );
  process.stdout.write(`${comparisonText(evaluation)}\n`);
  return 0;
}

async function toStandardOutput(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
