/** What the judge of a run would be asked where answers, or its own replies, are kept. */
import { expect, it } from 'vitest';
import { readingOf } from '../../activities/run/dataset-of.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { planRun, type QuestionsToPlan } from '../../interpreters/plan-run.js';
import { questionText, setUpRunShared } from '../support/run.js';

it('counts what a judge has not been asked of answers that are kept', async () => {
  const { harness, client, spec, model } = await setUpRunShared(
    3,
    (number, step) => (step === 'judgeClaim' ? 'Yes' : number === 2 ? 'unknown' : 'Bell'),
    { judge: 'judge-1' },
    (number) => ({ claims: [`${questionText(number)} Bell.`, `Number ${number} called.`] }),
  );
  await (await client.startRun(spec)).result();
  const { ports } = harness;
  const { sha256 } = await ports.datasets.find(spec.dataset);
  const read = readingOf(sha256, ports.datasets, new AbortController().signal);
  const plan = async (judge: string, open?: QuestionsToPlan['open']) => {
    const planned = await planRun(parseRunInput({ ...spec, judge }), { read, open }, ports);
    const { steps, judging, kept } = planned;
    const told = [...steps, ...judging].map(({ step, answered, exact, calls }) => [
      step,
      answered,
      exact.calls,
      calls,
    ]);
    return { kept, told };
  };
  expect(await plan('judge-1')).toEqual({
    kept: 0,
    told: [
      ['read', 3, 0, 0],
      ['judgeClaim', 4, 0, 0],
    ],
  });
  expect(await plan('judge-1', new Map())).toEqual({ kept: 3, told: [] });
  expect(await plan('judge-2', new Map([['n/0', { toJudge: true }]]))).toEqual({
    kept: 3,
    told: [['judgeClaim', 0, 2, 2]],
  });
  expect(await plan('judge-2')).toEqual({
    kept: 0,
    told: [
      ['read', 3, 0, 0],
      ['judgeClaim', 0, 4, 4],
    ],
  });
  model.asked.length = 0;
  await (await client.startRun({ ...spec, run: `${spec.run}-2`, judge: 'judge-2' })).result();
  expect(model.asked).toHaveLength(4);
});
