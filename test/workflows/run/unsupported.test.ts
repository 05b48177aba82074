/** What answers of a run came without, since the provider does not support it. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Completion } from '../../../llm/language-model.js';
import { questionText, setUpRunShared as setUpRun } from '../../support/run.js';

const claims = (number: number) => ({ claims: [`${questionText(number)} Bell.`] });

it('stands in answers, also in those from the cache, and in the manifest, the judge included', async () => {
  const without: Record<string, Partial<Completion>> = {
    read: { text: 'Bell', host: 'DeepInfra', unsupported: ['temperature', 'seed'] },
    judgeClaim: { text: 'Yes', unsupported: ['seed'] },
  };
  const { harness, client, spec, model } = await setUpRun(
    3,
    (_, step) => without[step] ?? 'Bell',
    { judge: 'judge-1', seed: 41 },
    claims,
  );
  const { runs } = harness.ports;
  await (await client.startRun(spec)).result();
  const flags = [
    { kind: 'unsupportedParameter', step: 'read', detail: 'seed' },
    { kind: 'unsupportedParameter', step: 'read', detail: 'temperature' },
  ];
  const steps = { read: { unsupported: ['seed', 'temperature'], hosts: ['DeepInfra'] } };
  expect(await runs.get(spec.run, 'n/1')).toMatchObject({
    result: { outcome: 'answered', flags, steps },
    judgement: { verdicts: { steps: { judgeClaim: { unsupported: ['seed'] } } } },
  });
  const unsupported = { read: ['seed', 'temperature'], judgeClaim: ['seed'] };
  expect((await runs.manifest(spec.run))?.unsupported).toEqual(unsupported);

  // Another run pays for nothing, and says the same.
  const paid = model.asked.length;
  const second = { ...spec, run: `run-${randomUUID()}` };
  const { usage } = await (await client.startRun(second)).result();
  expect(usage).toMatchObject({ calls: 3, cachedCalls: 3 });
  expect(model.asked).toHaveLength(paid);
  expect(await runs.get(second.run, 'n/2')).toMatchObject({ result: { flags, steps } });
  expect((await runs.manifest(second.run))?.unsupported).toEqual(unsupported);

  // It is no part of what the run is: the same start joins it.
  const again = await (await client.startRun(spec, { again: true })).result();
  expect(again).toMatchObject({ done: 3, usage: { calls: 0 } });
});

it('is in no manifest of a run whose parameters are all supported', async () => {
  const { harness, client, spec } = await setUpRun(1, () => 'Bell', { seed: 42 });
  await (await client.startRun(spec)).result();
  expect(await harness.ports.runs.manifest(spec.run)).not.toHaveProperty('unsupported');
});
