/** Fields of one's own in the body of calls: a run keeps those that it was begun with. */
import { expect, it, vi } from 'vitest';
import { questionText, setUpRunShared as setUpRun } from '../../support/run.js';

const ofWorker = { enable_thinking: false, provider: { order: ['a'] } };

it('asks steps and judge with those of the worker that began it, whatever others have', async () => {
  const parts = { usual: { extraBody: ofWorker } };
  const { harness, client, spec, model } = await setUpRun(
    2,
    (_, step) => (step === 'judgeClaim' ? 'Yes' : 'Bell'),
    { judge: { model: 'judge-1', extraBody: { top_k: 1 } }, seed: 51 },
    (number) => ({ claims: [`${questionText(number)} Bell.`] }),
    parts,
  );
  const complete = vi.spyOn(model, 'complete');
  const { runs } = harness.ports;
  await (await client.startRun(spec)).result();
  const asked = complete.mock.calls.map(([{ model, extraBody }]) => [model, extraBody]);
  expect(asked).toHaveLength(4);
  expect(asked).toContainEqual(['scripted-1', ofWorker]);
  expect(asked).toContainEqual(['judge-1', { ...ofWorker, top_k: 1 }]);
  expect((await runs.manifest(spec.run))?.input.extraBody).toEqual(ofWorker);

  // Other fields are another run.
  const other = { ...spec, extraBody: { enable_thinking: true } };
  await expect((await client.startRun(other, { again: true })).result()).rejects.toThrow(
    'extraBody',
  );
  const again = await client.startRun(spec, { again: true });
  expect(await again.result()).toMatchObject({ done: 2, usage: { calls: 0 } });
  expect(complete).toHaveBeenCalledTimes(4);
});

it('pays again for an answer to other fields, and for none to the same', async () => {
  const { client, spec, model } = await setUpRun(1, () => 'Bell', { seed: 52 });
  const paid = async (name: string, extraBody?: object) => {
    const before = model.asked.length;
    const input = { ...spec, run: `${spec.run}-${name}`, ...(extraBody && { extraBody }) };
    await (await client.startRun(input as typeof spec)).result();
    return model.asked.length - before;
  };
  expect(await paid('none')).toBe(1);
  expect(await paid('empty', {})).toBe(0);
  expect(await paid('some', { a: 1, b: { c: [2], d: null } })).toBe(1);
  expect(await paid('same', { b: { d: null, c: [2] }, a: 1 })).toBe(0);
  expect(await paid('other', { a: 1, b: { c: [2], d: 0 } })).toBe(1);
});
