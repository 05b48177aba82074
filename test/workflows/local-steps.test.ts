/** Free steps that the worker of a question does by itself, and what becomes of them where it fails. */
import { expect } from 'vitest';
import { safeFileName } from '../../stores/runs/file-results.js';
import { handleOf, scheduledIn, stepsIn } from '../support/history.js';
import { setUpRun } from '../support/run.js';
import { failingSearches, inProcess } from '../support/searches.js';
import { sideBySide as it } from '../support/side-by-side.js';
import { memoryRuns } from '../support/stores.js';

/** A run of one question on a worker that searches and records by itself. */
async function asked(changes: object = {}) {
  const runs = memoryRuns();
  const input = { options: { passages: 3 } };
  const parts = { inProcess, runs, ...changes };
  const set = await setUpRun(1, () => 'Bell', input, undefined, parts);
  const { client, spec, harness, workflowId } = set;
  expect(await (await client.startRun(spec)).result()).toMatchObject({ outcomes: { answered: 1 } });
  const question = handleOf(harness.connection, `${workflowId}/${safeFileName('n/0')}`);
  const history = await question.fetchHistory();
  const names = scheduledIn(history).map(({ name }) => name);
  return { answer: await runs.get(spec.run, 'n/0'), names, shown: stepsIn(history) };
}

it('a search and a record take no task of their own', async () => {
  const { answer, names, shown } = await asked();
  expect(names).toEqual(['read']);
  expect(shown).toEqual([
    'prepare: Checks the input, and opens its passages or corpus',
    expect.stringMatching(/^retrieve: 3 for "/),
    'read: 3 passages',
    'recordAnswer: Keeps the answer with the run',
  ]);
  expect(answer).toMatchObject({ scores: { em: 1 }, result: { evidence: { length: 3 } } });
});

it('a search that fails becomes an activity, which is tried again', async () => {
  const { corpora, searched } = failingSearches(3);
  const { answer, names } = await asked({ corpora });
  expect(names).toEqual(['retrieve', 'read']);
  expect(searched).toHaveLength(4);
  expect(answer).toMatchObject({ result: { retrievals: 1 } });
});
