/** A fork whose worker is killed in the middle: another one finishes it. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDatasets } from '../../../client/open-datasets.js';
import { fileName } from '../../../stores/runs/file-results.js';
import { heldWorkers } from '../../support/held-workers.js';
import { handleOf } from '../../support/history.js';
import { promptOf, QUESTION, stepOf } from '../../support/telephone.js';

const SOON = { timeout: 50_000, interval: 50 };

it('pays for no received answer again', async (test) => {
  let isForked = false;
  const { client, connection, server, startWorker, open, folder } = await heldWorkers(
    test,
    (step, prompt) => isForked && step === 'validate' && prompt.includes('Prediction: Gray'),
  );
  const file = join(folder, 'questions.jsonl');
  await writeFile(file, JSON.stringify({ id: '0', question: QUESTION, answers: ['Bell'] }));
  const datasets = await openDatasets({ DURABLE_RAG_STORE: join(folder, 'store') });
  const { dataset } = await datasets.put(file);
  const first = startWorker();
  const run = `parent-${randomUUID()}`;
  await (await client.startRun({ run, method: 'sure', corpus: 'sample', dataset })).result();
  const received = server.requests.length;

  isForked = true;
  const fork = { run, at: 'validate' };
  const handle = await client.fork({ run: `${run}-2`, fork, models: { validate: 'other' } });
  const asked = () => server.requests.slice(received);
  await vi.waitFor(() => expect(asked(), first.output()).toHaveLength(2), SOON);
  await vi.waitFor(() => expect(server.inFlight).toBe(1), SOON);
  // Sent is not received: a worker that is killed in between may pay for it again.
  const question = handleOf(connection, `eval/${run}-2/${fileName('0')}`);
  await vi.waitFor(async () => {
    const { events } = await question.fetchHistory();
    const ended = events?.filter((event) => event.activityTaskCompletedEventAttributes);
    expect(ended).toHaveLength(1);
  }, SOON);
  await first.end('SIGKILL');
  await vi.waitFor(() => expect(server.inFlight).toBe(0), SOON);
  open();
  startWorker();
  expect((await handle.result()).outcomes).toMatchObject({ answered: 1 });
  // Gray's verdict alone was not received; nothing else than verdicts was ever asked.
  const verdicts = asked().map(({ body }) => {
    const prompt = promptOf(body);
    return `${stepOf(prompt)} ${/Prediction: (\w+)/.exec(prompt)?.[1]} ${body.model}`;
  });
  expect(verdicts.sort()).toEqual([
    'validate Bell other',
    'validate Gray other',
    'validate Gray other',
  ]);
  await datasets.close();
});
