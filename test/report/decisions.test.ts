/** What a study that stops when it is decided shows in the report. */
import { expect, test } from 'vitest';
import type { RunSource } from '../../evaluation/runs/run-source.js';
import { writeReport } from '../../report/write-report.js';
import { methodRegistry } from '../../workflows/methods.js';
import { answerOf, questionOf, runOf, usageOf } from '../support/runs/answers.js';

const RULE = {
  ...{ delta: 0, alpha: 0.05 },
  ...{ failures: 'wrong' as const, about: 'questionsLikeThese' as const },
};

/** Of 100 questions the first 40 are asked. */
function cell(method: string, place: number, isRight: (i: number) => boolean): RunSource {
  const taken = { result: { usage: usageOf({ calls: 2, costUsd: 0.01 }) } };
  const entries = [...Array(100).keys()].map((i) => {
    const answer = answerOf(`q${i}`, 'answered', { em: Number(isRight(i)) }, taken);
    return [questionOf(`q${i}`), i < 40 ? answer : undefined] as [
      ReturnType<typeof questionOf>,
      typeof answer | undefined,
    ];
  });
  const labels = { name: 'raced', method, dataset: 'facts', model: 'mini', repeat: 1 };
  const study = { ...labels, place, baseline: 'base', untilDecided: RULE };
  return runOf(`raced-${method}`, entries, { method: method as 'base', input: { study } });
}

async function reportOf(runs: readonly RunSource[]): Promise<string> {
  let html = '';
  await writeReport(runs, {
    methods: methodRegistry(),
    texts: async () => new Map(),
    write: async (text) => {
      html += text;
    },
  });
  return html;
}

test('draws the difference with its band, says where it was decided and what was not asked', async () => {
  const runs = [cell('base', 0, (i) => i % 4 === 0), cell('sure', 1, () => true)];
  const html = await reportOf(runs);
  expect(html).toContain('<title>decided after 10</title>');
  expect(html).toMatch(/EM, points, by questions asked: \+75\.0 \(.* to .*\) after 40/);
  expect(html).toContain('decided after 10, for questions like these');
  expect(html).toContain('Not asked: 120 of 200 answers, some 240 calls and $1.20.');
  // A test of fixed size is no picture beside it.
  expect(html).not.toContain('by a test that Holm corrects');
  expect(await reportOf(runs.slice(1))).not.toContain('by questions asked');
});
