/**
 * The workflows of today still follow the histories of yesterday: questions that are under way while
 * a new version is deployed go on.
 *
 * When a workflow is meant to change in a way that breaks this (and no question may be under way,
 * or a patch guards the change), record them anew:
 *
 *     RECORD_HISTORIES=1 npx vitest run test/workflows/replay.test.ts
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { Failure } from '../../methods/failure.js';
import type { MethodInput } from '../../methods/input.js';
import { packageRoot } from '../../stores/package-root.js';
import { setUpBatch } from '../support/batch.js';
import { startHarness } from '../support/harness.js';
import { type History, handleOf, historiesOf, historyText } from '../support/history.js';
import { type Recording, recordings } from '../support/recordings.js';
import { scriptedModel } from '../support/scripted-model.js';
import { QUESTION as question } from '../support/telephone.js';

const FOLDER = join(import.meta.dirname, 'histories');

/** Files of one run, by their place in the row of its histories. */
const BATCH = { 'evaluate-batch': 0, 'evaluate-batch-continued': -1 };
const BATCH_RUN = 'recorded';

const workflowIds = Object.fromEntries([
  ...Object.keys(recordings).map((name) => [name, `recorded-${name}`]),
  ...Object.keys(BATCH).map((name) => [name, `eval/${BATCH_RUN}`]),
]);
const names = Object.keys(workflowIds);

async function record(name: string, { method, options, script, outcome }: Recording) {
  const harness = await startHarness(scriptedModel(script));
  try {
    const labels = { run: 'recorded', dataset: 'test' };
    const input = { question, options, labels } as MethodInput<never>;
    const workflowId = workflowIds[name] ?? '';
    const result = await harness.client.ask(method, input, { workflowId });
    expect(result.outcome).toBe(outcome);
    await keep(name, await handleOf(harness.connection, workflowId).fetchHistory());
  } finally {
    await harness.close();
  }
}

/** Four questions of which one fails, two in a history. */
async function recordBatch() {
  const { harness, batch, workflowId } = await setUpBatch(
    4,
    (number) => (number === 1 ? new Failure('ContentRefused', 'No.') : 'Bell'),
    { run: BATCH_RUN, concurrency: 2 },
  );
  const { connection, taskQueue, client } = harness;
  const { workflow } = new Client({ connection });
  const options = { workflowId, taskQueue, args: [batch, null, 2] };
  const { firstExecutionRunId } = await workflow.start('evaluateBatch', options);
  const run = await client.getBatch(batch.run);
  expect(await run.result()).toMatchObject({ outcomes: { answered: 3, failed: 1 } });
  const histories = await historiesOf(connection, workflowId, firstExecutionRunId);
  expect(histories.length).toBeGreaterThan(1);
  for (const [name, place] of Object.entries(BATCH)) {
    await keep(name, histories.at(place) ?? {}, dirname(batch.dataset));
  }
}

async function keep(name: string, { events }: History, folder = packageRoot()) {
  const lines = (events ?? []).map((event) => withoutThisMachine(event, folder)).join(',\n');
  await writeFile(join(FOLDER, `${name}.json`), `{"events":[\n${lines}\n]}\n`);
}

/** Paths of this machine, its name and process ids are of no use to a replay. */
function withoutThisMachine(event: unknown, folder: string): string {
  const clean = (text: string) =>
    text.replaceAll(`${process.pid}@${hostname()}`, 'worker').replaceAll(folder, 'folder');
  const cleanPayload = (data: string) =>
    Buffer.from(clean(Buffer.from(data, 'base64').toString())).toString('base64');
  return JSON.stringify(event, (key, value: unknown) => {
    if (key === 'stackTrace') return '';
    if (typeof value !== 'string') return value;
    return key === 'data' ? cleanPayload(value) : clean(value);
  });
}

interface RecordedEvent {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

async function recorded(name: string): Promise<{ events: RecordedEvent[] }> {
  return JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8'));
}

/** Undefined when the workflows follow the history. */
async function replay(workflowId: string, recording: object): Promise<Error | undefined> {
  // Not as the JSON it is: the SDK's own reader wants a single copy of protobufjs in the tree.
  const history = temporal.api.history.v1.History.fromObject(recording);
  const results = Worker.runReplayHistories(
    { workflowBundle: { code: inject('workflowBundle') } },
    [{ workflowId, history }],
  );
  for await (const { error } of results) return error;
  throw new Error('nothing was replayed');
}

describe('recorded histories', () => {
  if (process.env.RECORD_HISTORIES) {
    it.each(Object.entries(recordings))('%s is recorded', record);
    it('a batch is recorded', recordBatch);
  }

  it('are all there', () => {
    const files = names.map((name) => `${name}.json`);
    expect(readdirSync(FOLDER).sort()).toEqual(files.sort());
  });

  it.each(names)('%s is followed', async (name) => {
    expect(await replay(workflowIds[name] ?? '', await recorded(name))).toBeUndefined();
  });

  it('name no machine', async () => {
    for (const name of names) {
      const text = historyText(await recorded(name));
      expect(text).not.toMatch(/\d+@\w|\/home\/|\/Users\/|\/tmp\//);
      expect(text.includes(packageRoot())).toBe(false);
    }
  });

  it('are not followed by workflows with other steps', async () => {
    const history = await recorded('sure');
    const scheduled = history.events.flatMap(
      (event) => event.activityTaskScheduledEventAttributes ?? [],
    );
    const [retrieve, generate] = scheduled;
    if (!retrieve || !generate) throw new Error('the recording has no steps');
    [retrieve.activityType, generate.activityType] = [generate.activityType, retrieve.activityType];
    const error = await replay('recorded-sure', history);
    expect(error?.name).toBe('DeterminismViolationError');
  });
});
