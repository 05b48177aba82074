/** What can be known to fail is refused before a stack is started for it. */
import { expect, it } from 'vitest';
import type { CliContext } from '../../../cli/context.js';
import { nothingTyped } from '../../../cli/flags.js';
import { askRuns } from '../../../cli/run/ask-runs.js';
import { evalInputs } from '../../../cli/run/eval-input.js';
import { runStudy } from '../../../cli/study/run-study.js';
import { studyOf } from '../../../cli/study/study-file.js';
import { freePort } from '../../../temporal-dev/ports.js';
import { cliContext } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';
import { quietReporter } from '../../support/quiet-reporter.js';

it.each<[string, (context: CliContext) => Promise<unknown>]>([
  [
    'a run',
    (context) => {
      const fields = { method: 'base', dataset: 'colors' };
      return askRuns(evalInputs({ ...nothingTyped, fields }), {}, context);
    },
  ],
  [
    'a study',
    (context) => {
      const study = { name: 's', methods: ['base'], datasets: [{ stored: 'colors' }] };
      return runStudy(studyOf(study, '.', context), {}, context);
    },
  ],
])('starts nothing for %s of a data set that is not in the store', async (_, ask) => {
  const home = await temporaryFolder();
  const told: string[] = [];
  const port = String(await freePort());
  const context = cliContext({
    env: { PATH: '', DURABLE_RAG_HOME: home, DURABLE_RAG_TEMPORAL_PORT: port },
    home,
    reporter: { ...quietReporter, part: (name: string) => void told.push(name) },
  });
  await expect(ask(context)).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('no data set with the name "colors"'),
  });
  expect(told.filter((part) => part !== 'Cells')).toEqual([]);
});
