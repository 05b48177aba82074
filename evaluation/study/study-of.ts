/**
 * Finds the stored runs that belong to a study, and to each of its cells, from their manifests.
 * Pure.
 */
import type { StudyCell, StudyCells } from '../../core/study/cell.js';
import type { RunManifest } from '../../stores/runs/run-store.js';

type Placed = Pick<RunManifest, 'run'> & { input: Pick<RunManifest['input'], 'study'> };

/**
 * Returns the names of the studies to which runs belong, each once, in the order of the manifests.
 */
export function studyNames(manifests: readonly RunManifest[]): string[] {
  return [...new Set(manifests.flatMap(({ input }) => input.study?.name ?? []))];
}

/** Returns those of the given manifests whose run belongs to the study, in their order. */
export function studyRuns<M extends Placed>(manifests: readonly M[], study: string): M[] {
  return manifests.filter(({ input }) => input.study?.name === study);
}

/**
 * Returns a study with its cells, in the order of its file, each with the names of its stored
 * runs; undefined if none of its runs is stored. If a repeat was started again under another name
 * because its options changed, its newest run counts.
 *
 * @param manifests Manifests, newest first.
 */
export function studyCells(manifests: readonly Placed[], study: string): StudyCells | undefined {
  const cells = new Map<string, StudyCell>();
  const runs = studyRuns(manifests, study);
  // Runs in the order of the study file.
  runs.sort((a, b) => (a.input.study?.place ?? 0) - (b.input.study?.place ?? 0));
  for (const { run, input } of runs) {
    const { method = '', dataset = '', model = '', repeat = 1 } = input.study ?? {};
    const key = JSON.stringify([dataset, model, method]);
    const cell = cells.get(key) ?? { method, dataset, model, runs: [] };
    cell.runs[repeat - 1] ??= run;
    cells.set(key, cell);
  }
  if (cells.size === 0) return undefined;
  const kept = [...cells.values()].map((cell) => ({ ...cell, runs: cell.runs.filter(Boolean) }));
  const { untilDecided } = runs.find(({ input }) => input.study?.untilDecided)?.input.study ?? {};
  const { baseline, metrics, cluster } = runs[0]?.input.study ?? {};
  // A cell that was added later increases the number of comparisons.
  const counts = runs.flatMap(({ input }) => input.study?.comparisons ?? []);
  return {
    name: study,
    baseline,
    ...(metrics && { metrics }),
    ...(cluster !== undefined && { cluster }),
    cells: kept,
    ...(counts.length > 0 && { comparisons: Math.max(...counts) }),
    ...(untilDecided && { untilDecided }),
  };
}
