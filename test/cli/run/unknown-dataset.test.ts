/** What can be known to fail is refused before a stack is started for it. */
import { expect, it } from 'vitest';
import { nothingTyped } from '../../../cli/flags.js';
import { askRuns } from '../../../cli/run/ask-runs.js';
import { evalInputs } from '../../../cli/run/eval-input.js';
import { freePort } from '../../../temporal-dev/ports.js';
import { temporaryFolder } from '../../support/folder.js';
import { quietReporter } from '../../support/quiet-reporter.js';

it('starts nothing for a data set that is not in the store', async () => {
  const home = await temporaryFolder();
  const told: string[] = [];
  const context = {
    env: {
      PATH: '',
      DURABLE_RAG_HOME: home,
      DURABLE_RAG_TEMPORAL_PORT: String(await freePort()),
    },
    home,
    reporter: { ...quietReporter, part: (name: string) => void told.push(name) },
    signal: new AbortController().signal,
  };
  const runs = evalInputs({ ...nothingTyped, fields: { method: 'base', dataset: 'colors' } });
  await expect(askRuns(runs, {}, context)).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('no data set with the name "colors"'),
  });
  expect(told).toEqual([]);
});
