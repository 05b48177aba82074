/** What can be known to fail is refused before a stack is started for it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CliContext } from '../../../cli/context.js';
import { nothingTyped } from '../../../cli/flags.js';
import { Interrupted } from '../../../cli/interrupt.js';
import { askRuns } from '../../../cli/run/ask-runs.js';
import { evalInputs } from '../../../cli/run/eval-input.js';
import { runStudy } from '../../../cli/study/run-study.js';
import { checkedStudy } from '../../../cli/study/study-file.js';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { freePort } from '../../../temporal-dev/tcp-ports.js';
import { manifestFor, question, stream } from '../../../testing/run-records.js';
import { cliContext } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';
import { quietReporter } from '../../support/quiet-reporter.js';

/** A home of its own, where no Temporal server answers. */
async function withoutServer(changes: Partial<CliContext>): Promise<CliContext> {
  const home = await temporaryFolder();
  const port = String(await freePort());
  const env = { PATH: '', DURABLE_RAG_HOME: home, DURABLE_RAG_TEMPORAL_PORT: port };
  return cliContext({ env, home, ...changes });
}

it.each<[string, (context: CliContext) => Promise<unknown>]>([
  [
    'a run',
    (context) => {
      const fields = { method: 'base', dataset: 'colors' };
      return askRuns(evalInputs({ ...nothingTyped, fields }, context), {}, context);
    },
  ],
  [
    'a study',
    (context) => {
      const study = { name: 's', methods: ['base'], datasets: [{ stored: 'colors' }] };
      return runStudy(checkedStudy(study, '.', context), {}, context);
    },
  ],
])('starts nothing for %s of a data set that is not in the store', async (_, ask) => {
  const told: string[] = [];
  const part = (name: string) => void told.push(name);
  const context = await withoutServer({ reporter: { ...quietReporter, part } });
  await expect(ask(context)).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('no data set with the name "colors"'),
  });
  expect(told.filter((part) => part !== 'Cells')).toEqual([]);
});

it('goes on with a run that is kept, though the store has lost its data set', async () => {
  const signal = AbortSignal.abort(new Interrupted('Stopped where a stack would start.'));
  const context = await withoutServer({ signal });
  const runs = fileRuns(join(context.home, 'runs'));
  await runs.begin('r', stream([question('a')]), () => manifestFor('r'));
  const fields = { method: 'base', dataset: 'colors', run: 'r' };
  const asking = askRuns(evalInputs({ ...nothingTyped, fields }, context), {}, context);
  await expect(asking).rejects.not.toMatchObject({ type: 'UnknownText' });
});
