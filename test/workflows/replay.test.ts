/**
 * The workflows follow the histories that earlier versions recorded, so that questions in progress
 * continue after a deployment. See "Recorded histories" in CONTRIBUTING.md.
 */
import { readdirSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { JOBS, methods } from '../../interpreters/methods.js';
import { packageRoot } from '../../stores/package-root.js';
import { historyText } from '../support/history.js';
import {
  FOLDER,
  type RecordedEvent,
  readHistory,
  writeHistory,
} from '../support/recordings/history-file.js';
import { recordings } from '../support/recordings/index.js';

type Recorded = { events: RecordedEvent[] };

const names = recordings.flatMap(([files]) => files);

/** One a history, in their order: undefined when the workflows follow it. */
async function replay(recorded: Recorded[]): Promise<(Error | undefined)[]> {
  const histories = recorded.map((recording) => ({
    workflowId: startOf(recording).workflowId,
    // Not as the JSON it is: the SDK's own reader wants a single copy of protobufjs in the tree.
    history: temporal.api.history.v1.History.fromObject(recording),
  }));
  const errors: (Error | undefined)[] = [];
  const workflowBundle = { code: inject('workflowBundle') };
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    errors.push(error);
  }
  return errors;
}

function startOf({ events: [first] }: Recorded) {
  const start = first?.workflowExecutionStartedEventAttributes;
  if (!start) throw new Error('the recording does not begin with a start');
  return start;
}

describe('recorded histories', () => {
  if (process.env.RECORD_HISTORIES) {
    it.each(recordings)('%s', async (files, scenario) => {
      const histories = await Promise.all(await scenario());
      expect(histories).toHaveLength(files.length);
      for (const [i, file] of files.entries()) await writeHistory(file, histories[i] ?? {});
    });
  }

  it('are all there', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  it('are there of every workflow, and of none that is no more', async () => {
    const recorded = await Promise.all(names.map(readHistory));
    const types = recorded.map((history) => startOf(history).workflowType.name);
    expect([...new Set(types)].sort()).toEqual([...Object.keys(methods), ...JOBS].sort());
  });

  it('are followed', async () => {
    const errors = await replay(await Promise.all(names.map(readHistory)));
    expect(errors).toHaveLength(names.length);
    const failed = names.map((name, i) => [name, errors[i]]).filter(([, error]) => error);
    expect(failed).toEqual([]);
  });

  it('name no machine', async () => {
    for (const name of names) {
      const text = historyText(await readHistory(name));
      expect(text).not.toMatch(/\d+@\w|\/home\/|\/Users\/|\/tmp\//);
      expect(text.includes(packageRoot())).toBe(false);
    }
  });

  it('are not followed by workflows with other steps', async () => {
    const all = await Promise.all(names.map(readHistory));
    const types = all.map((history) => startOf(history).workflowType.name);
    const oneOfEach = all.filter((_, i) => types.indexOf(types[i] ?? '') === i);
    const changed = oneOfEach.filter(({ events }) => {
      const scheduled = events.map((event) => event.activityTaskScheduledEventAttributes);
      const last = scheduled.findLast((attributes) => attributes !== undefined);
      if (last) last.activityType = { name: 'another' };
      return last !== undefined;
    });
    expect(changed.length).toBeGreaterThan(0.8 * oneOfEach.length);
    const errors = await replay(changed);
    expect(new Set(errors.map((error) => error?.name))).toEqual(
      new Set(['DeterminismViolationError']),
    );
  });
});
