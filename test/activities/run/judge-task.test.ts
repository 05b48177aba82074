/** What the judge of a run is asked about an answer, and what comes of what it says. */
import { expect, it } from 'vitest';
import { judgeTaskOf, recordJudgement } from '../../../activities/run/judge-task.js';
import { readQuestions } from '../../../activities/run/read-questions.js';
import { recordAnswer } from '../../../activities/run/record-answer.js';
import { manifestOfRun } from '../../../activities/run/run-of.js';
import type { MethodResult } from '../../../core/result.js';
import type { RunInput } from '../../../core/run/input.js';
import { NO_USAGE } from '../../../core/usage.js';
import { judgeStatementsAndClaims } from '../../../evaluation/citations/judge-answer.js';
import { bell, result, setUp } from './support.js';

/** Has an answer to a question judged by whoever says yes to what holds these words. */
async function judged(
  answered: Partial<MethodResult>,
  { line = {}, yes = /(?!)/, ...input }: Partial<RunInput> & { line?: object; yes?: RegExp } = {},
) {
  const method = input.method ?? 'llatrieval';
  const { open, ports } = await setUp([{ ...bell, ...line }], { method, judge: 'j', ...input });
  await open();
  const { questions } = await readQuestions({ run: 'r', from: 0 }, ports);
  const [{ at } = { at: -1 }] = questions;
  const record = { run: 'r', id: bell.id, at };
  const ended = { result: result({ method, ...answered }), failure: null, startedAt: 0 };
  await recordAnswer(record, ended, ports);
  const task = await judgeTaskOf(record, await manifestOfRun('r', ports.runs), ports);
  const asked: unknown[] = [];
  const verdicts = await judgeStatementsAndClaims(task, async (claim, premise) => {
    asked.push([claim, premise]);
    return yes.test(claim);
  });
  const findings = { verdicts: { ...verdicts, flags: [], steps: {} }, usage: NO_USAGE };
  const { scores } = await recordJudgement(record, findings, ports);
  return { asked, scores, verdicts, supplied: task.settings.retrieval };
}

const zeros = { citationRecall: 0, citationPrecision: 0, citationF1: 0 };

it('asks of reference claims whether the answer without its citations says them', async () => {
  const claims = ['Bell got it.', 'It was loud.', 'It was red.'];
  const { asked, scores } = await judged(
    { answer: 'Bell got it [1], at noon.' },
    { method: 'base', line: { claims, answers: [] }, yes: /Bell/ },
  );
  expect(asked).toEqual(claims.map((claim) => [claim, { text: 'Bell got it, at noon.' }]));
  expect(scores).toEqual({ claimRecall: 1 / 3 });
});

it('takes the items of a list for statements, and passages that came with the question', async () => {
  const own = [{ title: 'Telephone', text: 'Text of passage 99.' }];
  const { asked, scores, supplied } = await judged(
    { answer: 'Bell [1], Gray [1].', chain: { citations: [{ number: 1, passage: 'p99' }] } },
    { method: 'hyde', options: { answerForm: 'list' }, line: { passages: own }, yes: /Bell$/ },
  );
  expect(asked).toEqual([
    ['Who got the patent? Bell', ['p99']],
    ['Who got the patent? Gray', ['p99']],
  ]);
  expect(supplied).toMatchObject({ supplied: [{ title: 'Telephone' }] });
  expect(scores).toEqual({ citationRecall: 0.5, citationPrecision: 0.5, citationF1: 0.5 });
});

it.each<[string, Partial<MethodResult>, string[]]>([
  [
    'cites a missing passage, as it was written',
    {
      answer: 'Bell got it [1]. It was 1876 [2].',
      chain: {
        reading: 'Bell got it [1][7]. It was 1876 [2][9].',
        citations: [1, 2].map((number) => ({ number, passage: `p${number}` })),
      },
    },
    ['Bell got it.', 'It was 1876.'],
  ],
  ['cites nothing', { answer: 'Bell.', chain: { citations: [] } }, ['Bell.']],
])('asks nothing about an answer that %s, and gives it 0', async (_, answered, claims) => {
  const { asked, scores, verdicts } = await judged(answered);
  expect({ asked, scores }).toEqual({ asked: [], scores: zeros });
  expect(verdicts.statements).toMatchObject(
    claims.map((claim) => ({ claim, cited: [], supported: false, needed: [] })),
  );
});
