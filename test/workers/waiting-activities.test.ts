/** Activities that wait outside of any worker, on the real Temporal server. */
import { fileURLToPath } from 'node:url';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure, type Duration } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it } from 'vitest';
import { waitingActivities } from '../../workers/waiting-activities.js';
import { soon } from '../support/run.js';

const TASK_QUEUE = 'waiting-activities';

it('holds an attempt that is under way, and lets one be that has timed out', async () => {
  const address = inject('temporalAddress');
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const waiting = waitingActivities(new Client({ connection: native }), TASK_QUEUE, 'openai');
  const worker = await Worker.create({
    connection: native,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('../support/waiting-workflow.ts', import.meta.url)),
    activities: {
      async wait() {
        const { attempt } = Context.current().info;
        if (attempt === 1) throw new CompleteAsyncError();
        return `attempt ${attempt}`;
      },
    },
  });
  await worker.runUntil(async () => {
    const start = async (workflowId: string, heartbeatTimeout: Duration) => {
      // As a question has it: without such an end nothing goes wrong.
      const workflowRunTimeout = '7 days';
      const options = { workflowId, taskQueue: TASK_QUEUE, args: [heartbeatTimeout] };
      const handle = await workflow.start('waits', { ...options, workflowRunTimeout });
      const call = async () => (await handle.describe()).raw.pendingActivities?.[0];
      const ref = { workflowId, runId: handle.firstExecutionRunId, activityId: '1' };
      return { handle, call, ref };
    };
    const held = await start('held', '30s');
    const late = await start('late', '2s');
    await soon(async () => expect((await held.call())?.lastStartedTime).toBeTruthy());
    expect(await waiting.extendHeartbeat(held.ref, 60)).toBe(true);
    const heartbeatOf = async (one: typeof held) =>
      Number((await one.call())?.activityOptions?.heartbeatTimeout?.seconds);
    expect(await heartbeatOf(held)).toBe(60);
    // Nobody beats for the other one: it waits for its second attempt.
    await soon(async () => expect((await late.call())?.attempt).toBe(2));
    expect(await waiting.extendHeartbeat(late.ref, 60)).toBe(true);
    expect(await late.handle.result()).toBe('attempt 2');

    expect(await held.call()).toMatchObject({ attempt: 1 });
    // For the attempt that comes now the usual timeout holds again.
    await waiting.fail(held.ref, ApplicationFailure.retryable('later'));
    expect(await heartbeatOf(held)).toBe(10);
    expect(await held.handle.result()).toBe('attempt 2');
    expect(await waiting.extendHeartbeat(held.ref, 60)).toBe(true);
  });
  await connection.close();
  await native.close();
});
