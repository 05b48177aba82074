/** A run whose answers are judged: counted with the others, paid for apart, asked again alone. */
import { expect, it, vi } from 'vitest';
import { rescoreRun } from '../../../client/rescore.js';
import { Failure } from '../../../core/failure.js';
import { questionText, setUpRunShared as setUpRun, soon } from '../../support/run.js';

it('has each answer judged once, and asks the judge again only where it failed', async () => {
  let trouble: Failure | null = new Failure('ContentRefused', 'No.');
  const { harness, client, spec, model } = await setUpRun(
    4,
    (number, step) => {
      if (step !== 'judgeClaim') return number === 3 ? 'unknown' : 'Bell';
      if (number === 0 && trouble) return trouble;
      return number === 1 ? 'No' : 'Yes';
    },
    { judge: { model: 'judge-1', temperature: 0.5, maxTokens: 77 }, concurrency: 2 },
    (number) => ({ claims: [`${questionText(number)} Bell.`] }),
  );
  const complete = vi.spyOn(model, 'complete');
  const first = await (await client.startRun(spec)).result();
  expect(first).toMatchObject({
    done: 4,
    running: 0,
    outcomes: { answered: 3, unknown: 1 },
    usage: { calls: 4, costUsd: 0.004 },
    // What could not be judged is missing; what was not answered counts 0.
    scores: { claimRecall: { questions: 3, sum: 1, sumOfSquares: 1 } },
    judge: { usage: { calls: 2, costUsd: 0.002 }, failed: 1 },
  });
  const judging = complete.mock.calls
    .map(([one]) => one)
    .filter(({ model }) => model === 'judge-1');
  expect(judging).toHaveLength(3);
  for (const one of judging) expect(one).toMatchObject({ temperature: 0.5, maxTokens: 77 });
  expect(await harness.ports.runs.get(spec.run, 'n/2')).toMatchObject({
    judgement: { scores: { claimRecall: 1 } },
  });

  // What every answer would meet pauses the run.
  trouble = new Failure('QuotaExhausted', 'No credit.');
  model.asked.length = 0;
  const again = await client.startRun(spec, { again: true });
  const paused = { state: 'paused', running: 0, pause: { reason: 'QuotaExhausted' } };
  await soon(async () => expect(await again.progress()).toMatchObject(paused));
  trouble = null;
  await again.resume();
  expect(await again.result()).toMatchObject({
    done: 4,
    usage: { calls: 0 },
    scores: { claimRecall: { questions: 4, sum: 2 } },
    judge: { usage: { calls: 1 }, failed: 0 },
  });
  expect(model.asked).toEqual([0, 0]);
});

it('judges a stored run by a start that asks nothing else', async () => {
  const { harness, client, spec, model } = await setUpRun(
    3,
    (number, step) => {
      if (step === 'judgeClaim') return 'Yes';
      return number === 2 ? new Failure('ContentRefused', 'No.') : 'Bell';
    },
    {},
    (number) => ({ claims: [`${questionText(number)} Bell.`] }),
  );
  await (await client.startRun(spec)).result();
  const { runs, datasets } = harness.ports;
  const texts = async () => new Map<string, string>();
  const planned = await rescoreRun(spec.run, { judge: 'judge-1' }, { runs, texts, datasets });
  expect(planned.toJudge).toEqual({ answers: 2, mostCalls: 2 });
  await planned.write();

  model.asked.length = 0;
  const judging = { ...spec, judge: 'judge-1', onlyJudge: true };
  const options = { again: true };
  const judged = await (await client.startRun(judging, options)).result();
  // The question that has failed is left alone.
  expect(model.asked.toSorted()).toEqual([0, 1]);
  expect(judged).toMatchObject({
    done: 3,
    outcomes: { answered: 2, failed: 1 },
    usage: { calls: 0 },
    judge: { usage: { calls: 2 }, failed: 0 },
    scores: { claimRecall: { sum: 2 } },
  });
  const manifest = await runs.manifest(spec.run);
  expect(Object.keys(manifest?.prompts ?? {})).toContain('judge-claim.txt');
  expect(manifest?.changes).toBeUndefined();

  // Done again it asks nothing; and what has failed can still be asked.
  await (await client.startRun(judging, options)).result();
  expect(model.asked).toHaveLength(2);
  await (await client.startRun({ ...spec, judge: 'judge-1' }, options)).result();
  expect(model.asked.slice(2)).toEqual([2]);
});
