/** A study until decided whose worker is killed: it goes on, and its table is the same. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numberFiles, rightWithPassage } from '../../support/number-files.js';
import { soon } from '../../support/run.js';

it('decides the same where its worker was killed', async () => {
  const { cli, server } = await numberFiles(100, rightWithPassage);
  const studyFile = async (name: string) => {
    const text = [
      ...[`name: ${name}`, 'methods: [base, { base: { passages: 0 }, as: closed }]'],
      ...['datasets: [numbers.jsonl]', 'models: [some-model]', 'baseline: base', 'cache: false'],
    ];
    await writeFile(join(cli.home, `${name}.yaml`), `${text.join('\n')}\n`);
    return join(cli.home, `${name}.yaml`);
  };
  const scores = async (name: string) =>
    (await cli.run(['study', 'table', name, '--format', 'csv'])).stdout;

  const first = await cli.worker();
  const begun = ['study', 'run', await studyFile('killed'), '--until-decided', '--detach'];
  expect((await cli.run(begun)).code).toBe(0);
  await soon(() => expect(server.requests.length).toBeGreaterThan(10));
  first.child.kill('SIGKILL');
  await first.finished;

  await cli.worker();
  const ended = await cli.run(['study', 'attach', 'killed']);
  expect(ended.stdout).toContain('EM: worse than base');
  const whole = ['study', 'run', await studyFile('whole'), '--until-decided'];
  expect((await cli.run(whole)).code).toBe(0);
  expect(await scores('killed')).toBe(await scores('whole'));
});
