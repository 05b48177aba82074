/** Runs, and the questions that they ask. */

import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import type { Ports } from '../../../activities/runtime/ports.js';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { limitsWorkflowId } from '../../../workflows/queue/limits.js';
import { handleOf } from '../history.js';
import { gate, heldReply, type Reply, setUpRun, soon } from '../run.js';
import { inProcess } from '../searches.js';
import type { Scenario } from './recording.js';

export const refused = new Failure('ContentRefused', 'No.');

/** A run on workers of its own, started with so many questions a history, and what reads it. */
export async function start(
  count: number,
  reply: Reply,
  input: Partial<RunInput>,
  more?: (number: number) => object,
  perHistory: number[] = [],
  changes?: Partial<Ports>,
) {
  const given = { run: 'recorded', concurrency: 2, ...input };
  const set = await setUpRun(count, reply, given, more, changes);
  const { workflowId } = set;
  const { connection } = set.harness;
  const { handle: told, histories: all } = await set.startInHistories(...perHistory);
  const last = () => handleOf(connection, workflowId).fetchHistory();
  const child = (number: number, suffix = '') =>
    handleOf(connection, `${workflowId}/${safeFileName(`n/${number}`)}${suffix}`);
  return { ...set, told, all, last, child };
}

export const runRecordings: Record<string, Scenario> = {
  /** Four questions of which one fails, two in a history. */
  'evaluate-run evaluate-run-continued base-of-a-run base-of-a-run-failed': async () => {
    const reply: Reply = (number) => (number === 1 ? refused : 'Bell');
    const { told, all, child } = await start(4, reply, {}, undefined, [2]);
    expect(await told.result()).toMatchObject({ outcomes: { answered: 3, failed: 1 } });
    const histories = await all();
    expect(histories.length).toBeGreaterThan(1);
    const [first = {}] = histories;
    const children = [0, 1].map((number) => child(number).fetchHistory());
    return [first, histories.at(-1) ?? {}, ...children];
  },

  'evaluate-run-of-a-tenant': async () => {
    const { told, last } = await start(1, () => 'Bell', { tenant: 'acme' });
    expect(await told.result()).toMatchObject({ outcomes: { answered: 1 } });
    return [last()];
  },

  /** A question whose own worker searches and records. */
  'base-of-a-run-local': async () => {
    const input = { options: { passages: 2 } };
    const { told, child } = await start(1, () => 'Bell', input, undefined, undefined, {
      inProcess,
    });
    expect(await told.result()).toMatchObject({ outcomes: { answered: 1 } });
    return [child(0).fetchHistory()];
  },

  /** One whose step is asked anew, and one whose step gives what its oracle gives. */
  'base-of-a-fork base-of-a-perfect-fork': async () => {
    const { told, client, harness, spec } = await start(1, () => 'Bell', {});
    await told.result();
    const forked = async (run: string, change: object) => {
      const fork = await client.fork({ run, fork: { run: spec.run, at: 'read' }, ...change });
      expect(await fork.result()).toMatchObject({ outcomes: { answered: 1 } });
      const child = `eval/${run}/${safeFileName('n/0')}`;
      return handleOf(harness.connection, child).fetchHistory();
    };
    return [
      forked('forked', { models: { read: 'other' } }),
      forked('perfect', { fork: { run: spec.run, at: 'read', perfect: true } }),
    ];
  },

  'evaluate-run-told': async () => {
    const { reply, open } = heldReply();
    const { told, model, last } = await start(4, reply, { requestsPerMinute: 6000 });
    await soon(() => expect(model.flight.now).toBe(2));
    await told.pause();
    await told.set({ concurrency: 4, tokensPerMinute: 1_000_000, requestsPerMinute: null });
    await expect(told.set({ concurrency: 0 })).rejects.toThrow();
    await told.resume();
    open();
    expect(await told.result()).toMatchObject({ done: 4 });
    return [last()];
  },

  'evaluate-run-budget': async () => {
    const reply: Reply = () => ({ text: 'Bell', costUsd: 0.1 });
    const { told, last } = await start(4, reply, { budgetUsd: 0.25, concurrency: 1 });
    await soon(async () => expect((await told.progress()).pause?.reason).toBe('budget'));
    await told.set({ budgetUsd: 1 });
    await told.resume();
    expect(await told.result()).toMatchObject({ done: 4 });
    return [last()];
  },

  'evaluate-run-quota base-of-a-run-quota': async () => {
    let quota = 1;
    const reply: Reply = () => (quota-- > 0 ? 'Bell' : new Failure('QuotaExhausted', 'No credit.'));
    const { told, last, child } = await start(3, reply, { concurrency: 1 });
    await soon(async () => expect((await told.progress()).pause?.reason).toBe('QuotaExhausted'));
    const stopped = await child(1).fetchHistory();
    quota = 3;
    await told.resume();
    expect(await told.result()).toMatchObject({ done: 3 });
    return [last(), stopped];
  },

  'evaluate-run-unrecorded': async () => {
    let quota = 1;
    const reply: Reply = (_, step) => {
      if (quota-- <= 0) return new Failure('QuotaExhausted', 'No credit.');
      return step === 'generateDocument' ? 'Bell made it.' : 'Bell';
    };
    const genread = { method: 'genread' as const, options: { documents: 1 } };
    const { told, last } = await start(1, reply, genread);
    await soon(async () => expect((await told.progress()).pause?.reason).toBe('QuotaExhausted'));
    quota = 1;
    await told.resume();
    expect(await told.result()).toMatchObject({ done: 1 });
    return [last()];
  },

  'evaluate-run-outage': async () => {
    let away = 4;
    const reply: Reply = (number) =>
      number > 0 && away-- > 0 ? new Failure('Connection', 'Nobody is there.') : 'Bell';
    const { told, last } = await start(4, reply, {
      limits: { attempts: 1, outageSeconds: 0 },
      pauseAfter: 3,
      probeSeconds: 0.5,
      concurrency: 1,
    });
    expect(await told.result()).toMatchObject({ outcomes: { answered: 4, failed: 0 } });
    return [last()];
  },

  /** Cancelled in its second history, with a question of its own and one of the first under way. */
  'evaluate-run-cancelled base-of-a-run-cancelled': async () => {
    const reply: Reply = (number) => (number === 1 ? 'Bell' : 'hang');
    const { told, model, last, child } = await start(3, reply, {}, undefined, [2]);
    await soon(() => expect(model.flight.now).toBe(2));
    await soon(async () => expect(await told.progress()).toMatchObject({ done: 1, running: 2 }));
    await told.cancel();
    await expect(told.result()).rejects.toThrow();
    return [last(), child(2).fetchHistory()];
  },

  /** It finds the questions under way that the one before it has left. */
  'evaluate-run-again': async () => {
    const { opened, open } = gate();
    const reply: Reply = async (number) => {
      if (number < 2) await opened;
      return 'Bell';
    };
    const { model, startInHistories, last, harness, workflowId } = await start(3, reply, {});
    await soon(() => expect(model.flight.now).toBe(2));
    await handleOf(harness.connection, workflowId).terminate();
    const { handle: told } = await startInHistories();
    await soon(async () => expect((await told.progress()).running).toBe(2));
    open();
    expect(await told.result()).toMatchObject({ done: 3 });
    return [last()];
  },

  'identify-run': async () => {
    const { harness, client, spec, workflowId, told } = await start(1, () => 'Bell', {});
    await told.result();
    expect(await client.contentsOf(spec)).toMatch(/^[0-9a-f]{64}$/);
    const { workflow } = new Client({ connection: harness.connection });
    const handle = await workflow.start('identifyRun', {
      workflowId: `identify/${workflowId}`,
      taskQueue: harness.taskQueue,
      args: [spec],
    });
    expect(await handle.result()).toMatchObject({ differences: [] });
    return [handle.fetchHistory()];
  },

  'queue-limits': async () => {
    const { reply, open } = heldReply();
    const limits = { requestsPerMinute: 6000 };
    const { told, client, harness } = await start(1, reply, limits);
    await client.setLimits({ tokensPerMinute: 1_000_000 });
    open();
    await told.result();
    const lifted = async () => (await client.limits()).every(({ run }) => run === null);
    await soon(async () => expect(await lifted()).toBe(true));
    await client.setLimits({ tokensPerMinute: null });
    const handle = handleOf(harness.connection, limitsWorkflowId(harness.taskQueue));
    await handle.result();
    return [handle.fetchHistory()];
  },

  'evaluate-run-refused': async () => {
    const { told, last } = await start(1, () => 'Bell', { options: { passages: -1 } });
    await expect(told.result()).rejects.toThrow();
    return [last()];
  },
};
