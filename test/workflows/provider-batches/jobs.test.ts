/** By batch beside the questions of a run: its judge, the documents of clusters, a refused file. */
import { expect } from 'vitest';
import { replyTo, SOON, setUpBatching } from '../../support/provider-batches.js';
import { questionText } from '../../support/run.js';
import { sideBySide as it } from '../../support/side-by-side.js';

it('judges answers by batch, in a pool of the judge', async () => {
  const set = await setUpBatching(
    3,
    { reply: (body) => (body.model === 'judge-1' ? { text: 'Yes' } : replyTo(body)) },
    { options: { passages: 0 }, judge: 'judge-1' },
    undefined,
    (number) => ({ claims: [`${questionText(number)} Bell.`] }),
  );
  const ended = await (await set.client.startRun(set.spec)).result();
  expect(ended).toMatchObject({
    outcomes: { answered: 3 },
    usage: { calls: 3 },
    judge: { usage: { calls: 3 }, failed: 0 },
    scores: { claimRecall: { questions: 3, sum: 3 } },
  });
  const models = set.server.batches.map(
    ({ lines }) => new Set(lines.map(({ body }) => body.model)),
  );
  expect(models.every((names) => names.size === 1)).toBe(true);
  expect(new Set(models.flatMap((names) => [...names]))).toEqual(new Set(['m', 'judge-1']));
  expect(set.server.book.single).toBe(0);
  expect(set.paidMost()).toBe(1);
});

it('fails the question whose line a refused file names, and asks the others again', async () => {
  const set = await setUpBatching(
    4,
    { batch: (n) => (n === 0 ? 'invalid' : undefined) },
    { options: { passages: 0 }, transport: { ...SOON, waitSeconds: 3, size: 4 } },
  );
  const { outcomes, failures } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes).toMatchObject({ answered: 3, failed: 1 });
  expect(failures).toMatchObject([{ type: 'BadRequest', step: 'read', questions: 1 }]);
  expect(failures?.[0]?.example).toMatch(/refused for line 1 \(invalid_json_line\)/);
  expect(set.paidMost()).toBe(1);
});
