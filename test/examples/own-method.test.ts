import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workingExample } from './installed.js';

const answer = (prompt: string) => (prompt.includes('second city') ? 'Lyon' : 'Paris');
const at = workingExample('own-method', (prompt) =>
  prompt.includes('Look again') ? (prompt.includes('Answer: Lyon') ? 'No' : 'Yes') : answer(prompt),
);

const PASSAGES = [{ title: 'France', text: 'Its capital is Paris.' }];

describe('a method of one’s own', () => {
  it('is listed, and its input is checked', async () => {
    const { stdout } = await at.cli.run(['methods']);
    expect(stdout).toContain('## `lookTwice`');
    const bad = await at.cli.run(['ask', 'Why?', '--method', 'lookTwice', '--option', 'pasages=2']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('did you mean passages?')]);
  });

  it('answers with its own step, under the model that is named for it', async () => {
    const input = join(at.cli.home, 'input.json');
    const given = { retrieval: { passages: PASSAGES }, models: { secondLook: 'careful' } };
    await writeFile(input, JSON.stringify(given));
    const asked = ['ask', 'What is the capital of France?', '--method', 'lookTwice', '--json'];
    const { stdout } = await at.cli.run([...asked, '--input', input]);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'lookTwice',
      outcome: 'answered',
      answer: 'Paris',
      chain: { reading: 'Paris', confirmed: true },
      steps: { secondLook: { calls: 1, prompts: [expect.stringMatching(/^\w{12}\+\w{12}$/)] } },
    });
    expect(at.server.requests.at(-1)?.body).toMatchObject({ model: 'careful' });
  });

  it('is evaluated, estimated and reported', async () => {
    const dataset = join(at.cli.home, 'questions.jsonl');
    const questions = [
      { id: '1', question: 'The capital of France?', answers: ['Paris'], passages: PASSAGES },
      { id: '2', question: 'Its second city?', answers: ['Lyon'], passages: PASSAGES },
    ];
    await writeFile(dataset, questions.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const evaluated = [
      'eval',
      '--method',
      'lookTwice',
      '--dataset',
      dataset,
      '--name',
      'looked-twice',
    ];

    const dry = await at.cli.run([...evaluated, '--dry-run']);
    expect(dry.stdout).toMatch(/Calls {6}at most 4: 2; 1 when/);
    expect(dry.stdout).toMatch(/Tokens {5}at most [\d,]+ prompt, 160 completion/);

    const { code, stdout } = await at.cli.run(evaluated);
    expect([code, stdout]).toEqual([0, expect.stringContaining('EM 50')]);

    const report = join(at.cli.home, 'report.html');
    const reported = await at.cli.run(['report', 'looked-twice', '--out', report]);
    expect([reported.code, reported.stderr]).toEqual([0, expect.stringContaining(report)]);
    expect(await readFile(report, 'utf8')).toContain('lookTwice');
  });
});
