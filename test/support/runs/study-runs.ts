/** The runs of a study: methods x data sets x models x repeats, in memory. */
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import type { Chained } from './chains.js';
import { exampleRun } from './example-runs.js';

const METHODS: [Chained, right: number][] = [
  ['genread', 0.45],
  ['sure', 0.65],
  ['allies', 0.55],
  ['chainOfNote', 0.5],
];
const MODELS = ['gpt-5-mini', 'gpt-5-nano'];
const FILES = ['nq.jsonl', 'hotpotqa.json'];

/**
 * 16 runs are 2 methods x 2 data sets x 2 models x 2 repeats, 48 are 4 x 2 x 2 x 3.
 *
 * @param questions of each data set, of which all have the same ids.
 */
export function studyRuns(runs: 16 | 48, questions = 60): RunSource[] {
  const [methods, repeats] = runs === 16 ? [2, 2] : [4, 3];
  return FILES.flatMap((file, d) =>
    METHODS.slice(0, methods).flatMap(([method, right]) =>
      MODELS.flatMap((model, m) =>
        Array.from({ length: repeats }, (_, repeat): RunSource => {
          const run = `study.${method}.${d}.${m}.r${repeat + 1}`;
          const source = exampleRun({
            run,
            method,
            questions,
            right: right - 0.1 * m - 0.05 * d,
            input: { seed: repeat + 1 },
          });
          const sha256 = `${d}`.repeat(64);
          const dataset = { ...source.manifest.dataset, file, sha256 };
          return {
            ...source,
            manifest: { ...source.manifest, dataset, models: { default: model } },
          };
        }),
      ),
    ),
  );
}
