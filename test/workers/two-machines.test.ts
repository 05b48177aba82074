/** A second machine: a worker process with a home of its own, on the task queue of the first. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const SOON = { timeout: 90_000, interval: 100 };

let folder: string;
let taskQueue: string;
const running: WorkerProcess[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
  taskQueue = `machines-${randomUUID()}`;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.end('SIGKILL')));
});

/** A worker on a machine of this name. */
function worker(machine: string, more: Record<string, string> = {}): WorkerProcess {
  const process = startWorkerProcess({
    HOME: join(folder, machine),
    DURABLE_RAG_HOME: join(folder, machine),
    DURABLE_RAG_TASK_QUEUE: taskQueue,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: 'sk-test',
    ...more,
  });
  running.push(process);
  return process;
}

const says = (process: WorkerProcess, text: string) =>
  vi.waitFor(() => expect(process.output()).toContain(text), SOON);

test('it is refused where it keeps things elsewhere, and taken where it shares them', async () => {
  const first = worker('one');
  await says(first, 'polls');

  const second = worker('two');
  await says(second, 'elsewhere than this one would');
  expect(second.output()).toContain('responses (DURABLE_RAG_STORE: the same redis://');
  expect(second.output()).toContain('results (DURABLE_RAG_RESULTS: store');
  expect(second.output()).toContain('corpora (DURABLE_RAG_SEARCH=elasticsearch');
  expect(second.output()).not.toContain('polls');
  await second.end('SIGTERM');

  const shared = {
    DURABLE_RAG_STORE: join(folder, 'one', 'store'),
    DURABLE_RAG_RESULTS: join(folder, 'one', 'runs'),
    DURABLE_RAG_CORPORA: join(folder, 'one', 'corpora'),
  };
  const third = worker('two', shared);
  await says(third, 'polls');

  // Where nobody is left that keeps things there, the queue moves with its workers.
  await Promise.all([first.end('SIGKILL'), third.end('SIGKILL')]);
  await says(worker('two'), 'polls');
});
