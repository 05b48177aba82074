/** Names of runs and ids of their workflows, those of schedules included. */
import { expect, test } from 'vitest';
import { NAME_PATTERN } from '../../../core/name.js';
import { inputWithName, runOf, workflowIdOf } from '../../../workflows/run/run-name.js';

const ID = 'eval/nightly-2026-01-02T02:00:00Z';
const RUN = 'nightly-2026-01-02T02-00-00Z';

test('a name leads to its workflow and back, with the time of a schedule or without', () => {
  expect([workflowIdOf('nq.1_a-b'), runOf('eval/nq.1_a-b')]).toEqual(['eval/nq.1_a-b', 'nq.1_a-b']);
  expect([workflowIdOf(RUN), runOf(ID)]).toEqual([ID, RUN]);
  expect(RUN).toMatch(NAME_PATTERN);
  expect(workflowIdOf('sweep-2026-01-02')).toBe('eval/sweep-2026-01-02');
  expect(runOf('my batch/7')).toBe('my-batch-7');
});

test('a run without a name is called after its workflow, and one of a schedule after its time', () => {
  expect(inputWithName({ seed: 1 }, ID, true)).toEqual({ seed: 1, run: RUN });
  expect(inputWithName({}, 'eval/nq', false)).toEqual({ run: 'nq' });
  expect(inputWithName({ run: 'nq' }, 'eval/other', false)).toEqual({ run: 'nq' });
  // Else night two would get the results of night one.
  expect(inputWithName({ run: 'nightly' }, ID, true)).toEqual({ run: RUN });
  expect(inputWithName({ run: 7 }, ID, true)).toEqual({ run: 7 });
  for (const input of [undefined, null, 'x']) expect(inputWithName(input, ID, true)).toBe(input);
});
