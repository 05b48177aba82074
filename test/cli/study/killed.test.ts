/** A study until decided whose worker is killed: it goes on, and its table is the same. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../support/command-line.js';
import { startModelServer } from '../../support/model-server.js';
import { soon } from '../../support/run.js';
import { promptOf } from '../../support/telephone.js';

it('decides the same where its worker was killed', async () => {
  const server = await startModelServer({
    reply: (request) => {
      const prompt = promptOf(request);
      const number = Number(/number (\d+)\?/.exec(prompt)?.[1]);
      const right = prompt.includes('Bell was a number') ? number % 10 !== 9 : number % 3 === 0;
      return { text: right ? 'Bell' : 'Gray' };
    },
  });
  onTestFinished(() => server.close());
  const cli = await commandLine(server.baseUrl);
  onTestFinished(() => cli.remove());
  const file = join(cli.home, 'numbers.jsonl');
  const questions = Array.from({ length: 100 }, (_, i) => ({
    ...{ id: `${i}`, question: `Who was number ${i}?`, answers: ['Bell'] },
    passages: [{ title: 'Bell', text: 'Bell was a number.' }],
  }));
  await writeFile(file, questions.map((line) => `${JSON.stringify(line)}\n`).join(''));
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

  const first = cli.start(['worker']);
  await first.says('polls');
  const begun = ['study', 'run', await studyFile('killed'), '--until-decided', '--detach'];
  expect((await cli.run(begun)).code).toBe(0);
  await soon(() => expect(server.requests.length).toBeGreaterThan(10));
  first.child.kill('SIGKILL');
  await first.finished;

  const second = cli.start(['worker']);
  onTestFinished(async () => {
    second.child.kill('SIGINT');
    await second.finished;
  });
  await second.says('polls');
  const ended = await cli.run(['study', 'attach', 'killed']);
  expect(ended.stdout).toContain('EM: worse than base');
  const whole = ['study', 'run', await studyFile('whole'), '--until-decided'];
  expect((await cli.run(whole)).code).toBe(0);
  expect(await scores('killed')).toBe(await scores('whole'));
});
