/** A worker of another machine that is gone: the server lists it for a minute, and it answers nothing. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leavePoll } from '../support/leave-poll.js';
import { numberFiles } from '../support/number-files.js';

it('holds up neither question, nor run, nor study: a worker is started here', async () => {
  const { cli, file } = await numberFiles(1, () => true);
  await leavePoll(cli.taskQueue, '1@another-machine');
  const study = join(cli.home, 'study.yaml');
  const closed = '{ base: { passages: 0 } }';
  await writeFile(study, `{ name: alone, methods: [${closed}], datasets: [{ file: '${file}' }] }`);
  const asked = {
    question: ['ask', 'Which number?', '--method', 'noRetrieval'],
    run: ['eval', '--method', 'noRetrieval', '--dataset', file, '--name', 'unattended'],
    study: ['study', 'run', study],
  };
  for (const [what, words] of Object.entries(asked)) {
    const { code, stderr } = await cli.run(words);
    expect(stderr).toContain(`No worker takes the ${what}, so one is started here.`);
    expect(code, stderr).toBe(0);
  }
});
