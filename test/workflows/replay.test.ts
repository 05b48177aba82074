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
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import type { MethodInput } from '../../methods/input.js';
import { packageRoot } from '../../stores/package-root.js';
import { startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { type Recording, recordings } from '../support/recordings.js';
import { scriptedModel } from '../support/scripted-model.js';
import { QUESTION as question } from '../support/telephone.js';

const FOLDER = join(import.meta.dirname, 'histories');

async function record(name: string, { method, options, script, outcome }: Recording) {
  const harness = await startHarness(scriptedModel(script));
  try {
    const labels = { run: 'recorded', dataset: 'test' };
    const input = { question, options, labels } as MethodInput<never>;
    const workflowId = `recorded-${name}`;
    const result = await harness.client.ask(method, input, { workflowId });
    expect(result.outcome).toBe(outcome);
    const { events } = await handleOf(harness.connection, workflowId).fetchHistory();
    const lines = (events ?? []).map(withoutThisMachine).join(',\n');
    await writeFile(join(FOLDER, `${name}.json`), `{"events":[\n${lines}\n]}\n`);
  } finally {
    await harness.close();
  }
}

/** Paths of this machine, its name and process ids are of no use to a replay. */
function withoutThisMachine(event: unknown): string {
  return JSON.stringify(event, (key, value: unknown) =>
    key === 'stackTrace'
      ? ''
      : typeof value === 'string'
        ? value.replaceAll(`${process.pid}@${hostname()}`, 'worker')
        : value,
  );
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
  }

  it('are all there', () => {
    const files = Object.keys(recordings).map((name) => `${name}.json`);
    expect(readdirSync(FOLDER).sort()).toEqual(files.sort());
  });

  it.each(Object.keys(recordings))('%s is followed', async (name) => {
    expect(await replay(`recorded-${name}`, await recorded(name))).toBeUndefined();
  });

  it('name no machine', async () => {
    for (const name of Object.keys(recordings)) {
      const text = await readFile(join(FOLDER, `${name}.json`), 'utf8');
      expect(text).not.toMatch(/\d+@\w|\/home\/|\/Users\//);
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
