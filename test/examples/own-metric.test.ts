/** Metrics of a config file have what the built-in ones have. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLineOver } from '../support/command-line.js';
import { jsonLines } from '../support/json-lines.js';
import { promptOf } from '../support/telephone.js';
import { compiled } from './compiled.js';

/** The right answer to one question, a wrong one to the other; the judge is asked twice of that. */
function reply(prompt: string): string {
  const isSecond = prompt.includes('second city');
  if (!prompt.includes('How helpful')) return isSecond ? 'Marseille' : 'Paris';
  if (!isSecond) return 'Score: 5';
  return prompt.includes('could not be read') ? '2' : 'Hard to say.';
}

it('has for metrics of a config file what the built-in ones have', async () => {
  const { cli } = await commandLineOver((request) => ({ text: reply(promptOf(request)) }));
  const folder = await compiled('own-metric/durable-rag.config', 'own-metric/metrics');
  const file = join(folder, 'own-metric', 'durable-rag.config.js');
  const passages = [{ title: 'France', text: 'Its capital is Paris.' }];
  const questions = [
    { id: '1', question: 'The capital of France?', answers: ['Paris'], passages },
    { id: '2', question: 'Its second city?', answers: ['Lyon'], passages },
  ];
  const dataset = await cli.write('questions.jsonl', ...questions);
  const evaluated = (...more: string[]) =>
    cli.run(['--config', file, 'eval', '--method', 'base', '--dataset', dataset, ...more]);

  // Ahead of time it says what the rubric takes, and refuses what there is not.
  const dry = await evaluated('--judge', 'judge-1', '--dry-run');
  expect(dry.stdout, dry.stderr).toMatch(/Judge {6}at most 2 calls, [\d,]+ prompt, 128 completion/);
  expect(dry.stdout).toMatch(/Metrics {4}Grounded, Helpfulness \(by the judge\)/);
  const unjudged = await evaluated('--dry-run');
  expect(unjudged.stdout).not.toContain('Judge');
  const wrong = await evaluated('--metrics', 'groundd');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--metrics: there is no metric "groundd"; did you mean grounded?'),
  ]);
  const unasked = await evaluated('--metrics', 'helpful');
  expect(unasked.stderr).toContain('"helpful" needs a judge, and none is named');

  const { code, stdout } = await evaluated('--judge', 'judge-1', '--name', 'measured');
  expect([code, stdout]).toEqual([0, expect.stringContaining('EM 50')]);
  // 5 of 1 to 5 is 1, and 2 is a quarter.
  expect(stdout).toMatch(/Grounded 50\.0 % .*Helpfulness 62\.5 %/);
  expect((await cli.run(['--config', file, 'status', 'measured'])).stdout).toMatch(
    /Grounded 50\.0 %/,
  );
  await evaluated('--metrics', 'grounded', '--name', 'other');

  // Where the metrics are not at hand, the runs themselves know their titles.
  const read = async (...command: string[]) => (await cli.ok(command)).stdout;
  const compared = await read('compare', 'measured', 'other');
  expect(compared).toMatch(/^Grounded +50\.0 .*50\.0 /m);
  expect(compared).toMatch(/^Helpfulness +62\.5 /m);
  const tested = await read('compare', 'measured', 'other', '--metric', 'grounded');
  expect(tested.replace(/\s+/g, ' ')).toMatch(/other minus measured, Grounded: 0\.0/);
  expect(jsonLines(await read('export', 'measured'))).toMatchObject([
    { metrics: { em: 1, grounded: 1, helpful: 1 } },
    { metrics: { em: 0, grounded: 0, helpful: 0.25 } },
  ]);
  const report = join(cli.home, 'report.html');
  await read('report', 'measured', 'other', '--out', report);
  expect(await readFile(report, 'utf8')).toMatch(/<th[^>]*>Helpfulness<\/th>/);
});
