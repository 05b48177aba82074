/** A second machine: a worker with a home of its own, on the task queue of the first. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runWorker } from '../../workers/run-worker.js';
import { temporaryFolder } from '../support/folder.js';
import '../support/quiet-runtime.js';

test('it is refused where it keeps things elsewhere, and taken where it shares them', async () => {
  const folder = await temporaryFolder();
  const DURABLE_RAG_TASK_QUEUE = `machines-${randomUUID()}`;
  async function worker(machine: string, more: Record<string, string> = {}) {
    const OPENAI_BASE_URL = 'http://127.0.0.1:9/v1';
    const home = join(folder, machine);
    const running = await runWorker({
      connect: { address: inject('temporalAddress') },
      namespace: 'default',
      env: { DURABLE_RAG_HOME: home, DURABLE_RAG_TASK_QUEUE, OPENAI_BASE_URL, ...more },
      warn() {},
    });
    onTestFinished(() => running.stop());
    return running;
  }

  const first = await worker('one');
  const refused = await worker('two').then(String, (error: Error) => error.message);
  expect(refused).toContain('elsewhere than this one');
  expect(refused).toContain('responses (DURABLE_RAG_STORE: the same redis://');
  expect(refused).toContain('results (DURABLE_RAG_RESULTS: store');
  expect(refused).toContain('corpora (DURABLE_RAG_SEARCH=elasticsearch');

  const third = await worker('two', {
    DURABLE_RAG_STORE: join(folder, 'one', 'store'),
    DURABLE_RAG_RESULTS: join(folder, 'one', 'runs'),
    DURABLE_RAG_CORPORA: join(folder, 'one', 'corpora'),
  });

  // Where nobody is left that keeps things there, the queue moves with its workers.
  await Promise.all([first.stop(), third.stop()]);
  await expect(worker('two')).resolves.toMatchObject({ taskQueue: DURABLE_RAG_TASK_QUEUE });
});
