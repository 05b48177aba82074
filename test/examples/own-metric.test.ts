/** Metrics of a config file have what the built-in ones have, from the packed package. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { workingExample } from './installed.js';

/** The right answer to one question, a wrong one to the other; the judge is asked twice of that. */
function reply(prompt: string): string {
  const isSecond = prompt.includes('second city');
  if (!prompt.includes('How helpful')) return isSecond ? 'Marseille' : 'Paris';
  if (!isSecond) return 'Score: 5';
  return prompt.includes('could not be read') ? '2' : 'Hard to say.';
}

const at = workingExample('own-metric', reply);

beforeAll(async () => {
  const passages = [{ title: 'France', text: 'Its capital is Paris.' }];
  const questions = [
    { id: '1', question: 'The capital of France?', answers: ['Paris'], passages },
    { id: '2', question: 'Its second city?', answers: ['Lyon'], passages },
  ];
  const lines = questions.map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(join(at.cli.home, 'questions.jsonl'), lines.join(''));
});

const evaluated = (...more: string[]) =>
  at.cli.run([
    ...['eval', '--method', 'base', '--dataset', join(at.cli.home, 'questions.jsonl')],
    ...more,
  ]);

it('says ahead of time what the rubric takes, and refuses what there is not', async () => {
  const { stdout } = await evaluated('--judge', 'judge-1', '--dry-run');
  expect(stdout).toMatch(/Judge {6}at most 2 calls, [\d,]+ prompt, 128 completion/);
  expect(stdout).toMatch(/Metrics {4}Grounded, Helpfulness \(by the judge\)/);
  const unjudged = await evaluated('--dry-run');
  expect(unjudged.stdout).not.toContain('Judge');
  const wrong = await evaluated('--metrics', 'groundd');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--metrics: there is no metric "groundd"; did you mean grounded?'),
  ]);
  const unasked = await evaluated('--metrics', 'helpful');
  expect(unasked.stderr).toContain('"helpful" needs a judge, and none is named');
});

it('scores, judges, compares, exports and reports', async () => {
  const { code, stdout } = await evaluated('--judge', 'judge-1', '--name', 'measured');
  expect([code, stdout]).toEqual([0, expect.stringContaining('EM 50')]);
  // 5 of 1 to 5 is 1, and 2 is a quarter.
  expect(stdout).toMatch(/Grounded 50\.0 % .*Helpfulness 62\.5 %/);
  expect((await at.cli.run(['status', 'measured'])).stdout).toMatch(/Grounded 50\.0 %/);
  await evaluated('--metrics', 'grounded', '--name', 'other');

  // Where the metrics are not at hand, the runs themselves know their titles.
  const elsewhere = await commandLine(at.server.baseUrl, { root: at.example.root });
  onTestFinished(() => elsewhere.remove());
  const read = (...command: string[]) => elsewhere.run(command, { DURABLE_RAG_HOME: at.cli.home });
  const compared = await read('compare', 'measured', 'other');
  expect(compared.stdout).toMatch(/^Grounded +50\.0 .*50\.0 /m);
  expect(compared.stdout).toMatch(/^Helpfulness +62\.5 /m);
  expect(compared.stdout).toMatch(/other less measured, Grounded: 0\.0/);
  const exported = await read('export', 'measured');
  expect(
    exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).metrics),
  ).toMatchObject([
    { em: 1, grounded: 1, helpful: 1 },
    { em: 0, grounded: 0, helpful: 0.25 },
  ]);
  const report = join(at.cli.home, 'report.html');
  const reported = await read('report', 'measured', 'other', '--out', report);
  expect(reported.code).toBe(0);
  expect(await readFile(report, 'utf8')).toContain('Helpfulness <span class="basis');
});
