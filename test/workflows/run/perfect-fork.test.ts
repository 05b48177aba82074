/** Forks with the perfect outputs of a step: they tell what would take calls to tell. */
import { expect, it } from 'vitest';
import type { Ports } from '../../../activities/runtime/ports.js';
import { explainRun } from '../../../client/explain.js';
import { completedFork } from '../../../core/run/fork-input.js';
import { parseRunInput } from '../../../interpreters/methods.js';
import { planRun } from '../../../interpreters/plan-run.js';
import { startHarness } from '../../support/harness.js';
import { stored } from '../../support/run.js';
import { modelThatSays } from '../../support/saying.js';
import { memoryRuns } from '../../support/stores.js';

const text = (name: string) => `It was ${name} who made it.`;

/** Leaves passages in their order, and reads whoever the first of them names. */
function readingModel() {
  const asked: string[] = [];
  const model = modelThatSays(({ prompt, step }) => {
    asked.push(step);
    const said = step === 'rankPassages' ? '[1] > [2]' : /was (\w+) who/.exec(prompt)?.[1];
    return { text: said ?? '', costUsd: 0.001 };
  });
  return { model, asked };
}

it('asks what is behind perfect outputs, of questions that have records', async () => {
  const { model, asked } = readingModel();
  const runs = memoryRuns();
  const harness = await startHarness(model, { runs });
  const lines = ['Bell', 'Gray', 'Reis'].map((answer) => ({
    id: answer,
    question: `Who made it, if not ${answer}?`,
    answers: [answer],
    passages: ['Gray', 'Bell'].map((name) => ({ title: name, text: text(name) })),
  }));
  const run = `ranked-${harness.id}`;
  const dataset = await stored(lines, harness.ports);
  const options = { window: 2, candidates: 2, passages: 1 };
  const started = await harness.client.startRun({
    run,
    method: 'rankGpt',
    dataset,
    options,
    ownPassages: true,
  });
  await started.result();
  const ports = {
    runs,
    texts: async (_: unknown, ids: readonly string[]) =>
      new Map((await harness.ports.passages.get([...ids])).map(({ id, text }) => [id, text])),
  };
  const free = await explainRun(run, ports);
  expect(free.lost).toEqual([
    { at: 'needsCalls', questions: 1 },
    { at: 'notRead', questions: 1 },
  ]);
  expect(free.steps).toMatchObject([
    { step: 'rankPassages', questions: 2, needs: { questions: 1, calls: 1 } },
    { step: 'read', questions: 3 },
  ]);

  asked.length = 0;
  const change = { fork: { run, at: 'rankPassages', perfect: true as const } };
  const parent = (await runs.manifest(run))?.input;
  const planned = parent && completedFork({ run: 'planned', ...change }, parent, undefined);
  const none = async function* () {};
  const { steps } = await planRun(parseRunInput(planned), { read: none }, harness.ports as Ports);
  expect(steps.map(({ step, calls }) => [step, calls])).toEqual([['read', 1]]);
  expect(asked).toEqual([]);

  const name = `${run}-perfect`;
  const fork = await harness.client.fork({ run: name, ...change });
  const { outcomes, usage } = await fork.result();
  expect(outcomes).toMatchObject({ answered: 3 });
  expect(asked).toEqual(['read']);
  expect(usage.costUsd).toBeCloseTo(0.001);

  const told = await explainRun(run, { ...ports, perfectForks: { rankPassages: name } });
  expect(told.lost).toEqual([
    { at: 'misread', step: 'rankPassages', questions: 1 },
    { at: 'notRead', questions: 1 },
  ]);
  expect(told.steps[0]).toMatchObject({
    step: 'rankPassages',
    questions: 3,
    needs: { questions: 0, calls: 0 },
    score: { mean: 2 / 3 },
  });
});
