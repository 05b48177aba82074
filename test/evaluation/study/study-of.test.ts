/** Which runs a study has is read from their manifests. */
import { expect, it } from 'vitest';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { studyCells, studyNames } from '../../../evaluation/study/study-of.js';
import type { RunManifest, RunStore } from '../../../stores/runs/run-store.js';

const place = ['sure', 'base', 'hyde'];
/** A run of the study "s", newest first where they are listed so. */
const run = (name: string, method: string, repeat = 1) =>
  ({
    run: name,
    input: {
      study: {
        name: 's',
        method,
        dataset: 'nq',
        model: 'm',
        repeat,
        baseline: 'base',
        place: place.indexOf(method),
      },
    },
  }) as RunManifest;
const alone = { run: 'alone', input: {} } as RunManifest;
const listed = [
  run('base-2', 'base', 2),
  alone,
  run('sure-1-new', 'sure'),
  run('base-1', 'base'),
  run('sure-1', 'sure'),
  run('hyde-2', 'hyde', 2),
];
const store = {
  list: async () => listed,
  manifest: async (name: string) => listed.find((one) => one.run === name),
} as unknown as RunStore;

it('has its cells in the order of the file, and of a changed cell the newest run', () => {
  expect(studyNames(listed)).toEqual(['s']);
  const of = { dataset: 'nq', model: 'm' };
  expect(studyCells(listed, 's')).toEqual({
    name: 's',
    baseline: 'base',
    cells: [
      { method: 'sure', ...of, runs: ['sure-1-new'] },
      { method: 'base', ...of, runs: ['base-1', 'base-2'] },
      { method: 'hyde', ...of, runs: ['hyde-2'] },
    ],
  });
  expect(studyCells(listed, 'other')).toBeUndefined();
});

it('stands for its runs where runs are named, its baseline first', async () => {
  const names = async (...given: string[]) =>
    (await openRuns(store, given)).map(({ manifest }) => manifest.run);
  expect(await names('s')).toEqual(['base-1', 'base-2', 'sure-1-new', 'hyde-2']);
  expect(await names('alone', 's', 'base-2')).toEqual([
    'alone',
    'base-1',
    'base-2',
    'sure-1-new',
    'hyde-2',
  ]);
  await expect(names('alone', 'nowhere')).rejects.toThrow('There is no run "nowhere"');
});
