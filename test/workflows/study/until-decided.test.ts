/** A study that stops where it is decided, on a server. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StudyInput } from '../../../core/study/study.js';
import { renderTable } from '../../../evaluation/study/render-table.js';
import { studyCells } from '../../../evaluation/study/study-of.js';
import { runsOf, studyScores } from '../../../evaluation/study/study-scores.js';
import { studyTable } from '../../../evaluation/study/study-table.js';
import { type Reply, setUpRun } from '../../support/run.js';

/** The chain of thought is right where it is said; base, the baseline, on every third question. */
const replies =
  (isRight: (number: number) => boolean): Reply =>
  (number, step) => {
    const right = step === 'read' ? number % 3 === 0 : isRight(number);
    return step === 'read'
      ? right
        ? 'Bell'
        : 'Gray'
      : `So it is.\nAnswer: ${right ? 'Bell' : 'Gray'}`;
  };

async function setUp(questions: number, reply: Reply, more: Partial<StudyInput> = {}) {
  const { harness, model, client, spec } = await setUpRun(questions, reply);
  const input: StudyInput = {
    name: `until-${randomUUID().slice(0, 8)}`,
    methods: [{ base: { passages: 0 } }, { chainOfThought: { passages: 0 }, as: 'thought' }],
    datasets: [{ stored: spec.dataset, as: 'numbers', corpus: 'sample' }],
    baseline: 'base',
    untilDecided: {},
    ...more,
  };
  const table = async () => {
    const cells = studyCells(await harness.ports.runs.list(), input.name);
    if (!cells) throw new Error('nothing is kept');
    return renderTable(studyTable(await studyScores(cells, runsOf(harness.ports.runs))), 'text');
  };
  return { harness, model, client, input, table };
}

it('stops early where there is a difference, and a cell that is added asks only itself', async () => {
  const { model, client, input, table } = await setUp(
    100,
    replies((n) => n % 10 !== 9),
  );
  const ended = await (await client.study(input)).result();
  expect(ended).toMatchObject({ state: 'finished', pause: null });
  expect(ended.decisions).toMatchObject([
    { method: 'thought', against: 'base', verdict: 'better', questions: 100 },
  ]);
  expect(ended.runs.map(({ state }) => state)).toEqual(['decided', 'decided']);
  const asked = ended.runs.map(({ done }) => done);
  expect(asked[0]).toBe(asked[1]);
  expect(asked[0]).toBeLessThanOrEqual(45);
  expect(model.asked).toHaveLength(2 * (asked[0] ?? 0));
  // All cells ask the same questions, which are not the first ones of the file.
  expect(new Set(model.asked).size).toBe(asked[0]);
  expect(Math.max(...model.asked)).toBeGreaterThan(60);
  const text = await table();
  expect(text).toContain('sequential test');
  expect(text).toContain('†');

  // Once more: it reads what is there, and decides the same.
  const again = await (await client.study(input)).result();
  expect(again.decisions).toEqual(ended.decisions);
  expect(model.asked).toHaveLength(2 * (asked[0] ?? 0));

  const methods = [...input.methods, { base: { passages: 1 }, as: 'searching' }];
  const more = await (await client.study({ ...input, methods })).result();
  expect(more.decisions?.[0]).toMatchObject({ method: 'thought', verdict: 'better' });
  // It is as good as the baseline, which goes on with it.
  expect(more.decisions?.[1]).toMatchObject({ method: 'searching', verdict: 'cannot' });
  const [base, thought, searching] = more.runs;
  expect(thought).toMatchObject({ state: 'decided', done: asked[1] });
  expect(searching?.done).toBe(base?.done);
  expect(model.asked).toHaveLength((base?.done ?? 0) * 2 + (thought?.done ?? 0));
});

it('asks all where there is no difference, but not what cannot decide any more', async () => {
  const { model, client, input } = await setUp(
    60,
    replies((n) => n % 3 === 0),
  );
  const ended = await (await client.study(input)).result();
  expect(ended.decisions).toMatchObject([{ verdict: 'cannot', questions: 60 }]);
  expect(ended.decisions?.[0]?.said).toContain('cannot be told from base');
  expect(model.asked.length).toBeLessThanOrEqual(120);
});

it('stops where the budget cannot decide it', async () => {
  const { model, client, input } = await setUp(
    80,
    replies((n) => n % 3 === 0),
    { budgetUsd: 0.05 },
  );
  const ended = await (await client.study(input)).result();
  expect(ended).toMatchObject({ state: 'finished', decisions: [{ verdict: 'cannot' }] });
  expect(model.asked).toHaveLength(40);
});
