/** Forks that are refused before anything of them is written. */
import { expect, it } from 'vitest';
import { openRun } from '../../../activities/run/open-run.js';
import type { ForkInput } from '../../../core/run/fork-input.js';
import { bell, setUp } from './support.js';

it('a fork that has to search, of a run without a corpus', async () => {
  const none = { corpus: undefined, options: { passages: 0 } };
  const { open, ports } = await setUp([bell], none);
  await open();
  const opening = (more: object) =>
    openRun({ run: 'r-2', fork: { run: 'r' }, ...more }, ports, new AbortController().signal);
  await expect(opening({ options: { passages: 3 } })).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining('corpus: is missing, and the question "nq/1" has to search'),
  });
  expect((await ports.runs.list()).map(({ run }) => run)).toEqual(['r']);
});

it.each<
  [string, Omit<ForkInput, 'run' | 'fork'> & Pick<ForkInput['fork'], 'at' | 'perfect'>, string]
>([
  ['a model for all steps', { models: { default: 'other' } }, 'models: needs fork.at'],
  ['no change', {}, 'options: is missing'],
  ['no change of the step', { at: 'rankPair' }, 'fork.at: says no change'],
  [
    'a change of another step',
    { at: 'rankPair', models: { validate: 'm' } },
    'models.validate: is not rankPair',
  ],
  [
    'both',
    { at: 'rankPair', models: { rankPair: 'm' }, options: { candidates: 3 } },
    'options: cannot be combined',
  ],
  [
    'a step that there is not',
    { at: 'vote', models: { vote: 'm' } },
    'fork.at: is no step of sure',
  ],
  [
    'a perfect output that accepted answers do not determine',
    { at: 'summarize', perfect: true },
    'fork.perfect: is not known for summarize: accepted answers do not determine its output',
  ],
])('a fork with %s', async (_, { at, perfect, ...change }, said) => {
  const { open, ports } = await setUp([bell], { method: 'sure' });
  await open();
  const fork = { run: 'r', ...(at !== undefined && { at }), ...(perfect && { perfect }) };
  const opening = openRun({ run: 'r-2', fork, ...change }, ports, new AbortController().signal);
  await expect(opening).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining(said),
  });
  expect((await ports.runs.list()).map(({ run }) => run)).toEqual(['r']);
});
