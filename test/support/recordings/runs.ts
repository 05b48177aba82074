/** Runs, and the questions that they ask. */

import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import type { Ports } from '../../../activities/runtime/ports.js';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import { fileName } from '../../../stores/runs/file-results.js';
import { limitsWorkflowId } from '../../../workflows/queue/limits.js';
import { handleOf, historiesOf } from '../history.js';
import { inProcess } from '../in-process.js';
import { gate, heldReply, type Reply, setUpRun, soon } from '../run.js';
import type { Recorded, Recording } from './recording.js';

export const refused = new Failure('ContentRefused', 'No.');

/** A run on workers of its own, started with so many questions a history, and what reads it. */
export async function start(
  count: number,
  reply: Reply,
  input: Partial<RunInput>,
  more?: (number: number) => object,
  perHistory?: number,
  changes?: Partial<Ports>,
) {
  const given = { run: 'recorded', concurrency: 2, ...input };
  const set = await setUpRun(count, reply, given, more, changes);
  const { harness, client, spec, workflowId } = set;
  const { connection, taskQueue } = harness;
  const args = [spec, null, ...(perHistory === undefined ? [] : [perHistory])];
  const run = async () => {
    const options = { workflowId, taskQueue, args };
    const handle = await new Client({ connection }).workflow.start('evaluateRun', options);
    return { first: handle.firstExecutionRunId, told: await client.getRun(spec.run) };
  };
  const { first, told } = await run();
  const all = () => historiesOf(connection, workflowId, first);
  const last = () => handleOf(connection, workflowId).fetchHistory();
  const child = (number: number, suffix = '') =>
    handleOf(connection, `${workflowId}/${fileName(`n/${number}`)}${suffix}`);
  const recorded = async (
    ...histories: Promise<Recorded['histories'][number]>[]
  ): Promise<Recorded> => ({
    histories: await Promise.all(histories),
  });
  return { ...set, told, run, all, last, child, recorded };
}

export const runRecordings: Record<string, Recording> = {
  /** Four questions of which one fails, two in a history. */
  'run in two histories': {
    files: ['evaluate-run', 'evaluate-run-continued', 'base-of-a-run', 'base-of-a-run-failed'],
    async scenario() {
      const reply: Reply = (number) => (number === 1 ? refused : 'Bell');
      const { told, all, child, recorded } = await start(4, reply, {}, undefined, 2);
      expect(await told.result()).toMatchObject({ outcomes: { answered: 3, failed: 1 } });
      const histories = await all();
      expect(histories.length).toBeGreaterThan(1);
      const [first = {}] = histories;
      return recorded(
        ...[first, histories.at(-1) ?? {}].map(async (history) => history),
        ...[0, 1].map((number) => child(number).fetchHistory()),
      );
    },
  },

  /** A question whose own worker searches and records. */
  'run recorded locally': {
    files: ['base-of-a-run-local'],
    async scenario() {
      const input = { options: { passages: 2 } };
      const { told, child, recorded } = await start(1, () => 'Bell', input, undefined, undefined, {
        inProcess,
      });
      expect(await told.result()).toMatchObject({ outcomes: { answered: 1 } });
      return recorded(child(0).fetchHistory());
    },
  },

  /** One whose step is asked anew, and one whose step gives what its oracle gives. */
  'questions of forks': {
    files: ['base-of-a-fork', 'base-of-a-perfect-fork'],
    async scenario() {
      const { told, client, harness, spec, recorded } = await start(1, () => 'Bell', {});
      await told.result();
      const forked = async (run: string, change: object) => {
        const fork = await client.fork({ run, fork: { run: spec.run, at: 'read' }, ...change });
        expect(await fork.result()).toMatchObject({ outcomes: { answered: 1 } });
        const child = `eval/${run}/${fileName('n/0')}`;
        return handleOf(harness.connection, child).fetchHistory();
      };
      return recorded(
        forked('forked', { models: { read: 'other' } }),
        forked('perfect', { fork: { run: spec.run, at: 'read', perfect: true } }),
      );
    },
  },

  'run that is told something': {
    files: ['evaluate-run-told'],
    async scenario() {
      const { reply, open } = heldReply();
      const { told, model, last, recorded } = await start(4, reply, { requestsPerMinute: 6000 });
      await soon(() => expect(model.flight.now).toBe(2));
      await told.pause();
      await told.set({ concurrency: 4, tokensPerMinute: 1_000_000, requestsPerMinute: null });
      await expect(told.set({ concurrency: 0 })).rejects.toThrow();
      await told.resume();
      open();
      expect(await told.result()).toMatchObject({ done: 4 });
      return recorded(last());
    },
  },

  'run that reaches its budget': {
    files: ['evaluate-run-budget'],
    async scenario() {
      const reply: Reply = () => ({ text: 'Bell', costUsd: 0.1 });
      const { told, last, recorded } = await start(4, reply, { budgetUsd: 0.25, concurrency: 1 });
      await soon(async () => expect((await told.progress()).pause?.reason).toBe('budget'));
      await told.set({ budgetUsd: 1 });
      await told.resume();
      expect(await told.result()).toMatchObject({ done: 4 });
      return recorded(last());
    },
  },

  'run whose quota is used up': {
    files: ['evaluate-run-quota', 'base-of-a-run-quota'],
    async scenario() {
      let quota = 1;
      const reply: Reply = () =>
        quota-- > 0 ? 'Bell' : new Failure('QuotaExhausted', 'No credit.');
      const { told, last, child, recorded } = await start(3, reply, { concurrency: 1 });
      await soon(async () => expect((await told.progress()).pause?.reason).toBe('QuotaExhausted'));
      const stopped = await child(1).fetchHistory();
      quota = 3;
      await told.resume();
      expect(await told.result()).toMatchObject({ done: 3 });
      return recorded(last(), Promise.resolve(stopped));
    },
  },

  'run that keeps what attempts took that no answer tells of': {
    files: ['evaluate-run-unrecorded'],
    async scenario() {
      let quota = 1;
      const reply: Reply = (_, step) => {
        if (quota-- <= 0) return new Failure('QuotaExhausted', 'No credit.');
        return step === 'generateDocument' ? 'Bell made it.' : 'Bell';
      };
      const genread = { method: 'genread' as const, options: { documents: 1 } };
      const { told, last, recorded } = await start(1, reply, genread);
      await soon(async () => expect((await told.progress()).pause?.reason).toBe('QuotaExhausted'));
      quota = 1;
      await told.resume();
      expect(await told.result()).toMatchObject({ done: 1 });
      return recorded(last());
    },
  },

  'run in an outage': {
    files: ['evaluate-run-outage'],
    async scenario() {
      let away = 4;
      const reply: Reply = (number) =>
        number > 0 && away-- > 0 ? new Failure('Connection', 'Nobody is there.') : 'Bell';
      const { told, last, recorded } = await start(4, reply, {
        limits: { attempts: 1, outageSeconds: 0 },
        ...{ pauseAfter: 3, probeSeconds: 0.5, concurrency: 1 },
      });
      expect(await told.result()).toMatchObject({ outcomes: { answered: 4, failed: 0 } });
      return recorded(last());
    },
  },

  /** Cancelled in its second history, with a question of its own and one of the first under way. */
  'run that is cancelled': {
    files: ['evaluate-run-cancelled', 'base-of-a-run-cancelled'],
    async scenario() {
      const reply: Reply = (number) => (number === 1 ? 'Bell' : 'hang');
      const { told, model, last, child, recorded } = await start(3, reply, {}, undefined, 2);
      await soon(() => expect(model.flight.now).toBe(2));
      await soon(async () => expect(await told.progress()).toMatchObject({ done: 1, running: 2 }));
      await told.cancel();
      await expect(told.result()).rejects.toThrow();
      return recorded(last(), child(2).fetchHistory());
    },
  },

  /** It finds the questions under way that the one before it has left. */
  'run that is started again': {
    files: ['evaluate-run-again'],
    async scenario() {
      const { opened, open } = gate();
      const reply: Reply = async (number) => {
        if (number < 2) await opened;
        return 'Bell';
      };
      const { model, run, last, recorded, harness, workflowId } = await start(3, reply, {});
      await soon(() => expect(model.flight.now).toBe(2));
      await handleOf(harness.connection, workflowId).terminate();
      const { told } = await run();
      await soon(async () => expect((await told.progress()).running).toBe(2));
      open();
      expect(await told.result()).toMatchObject({ done: 3 });
      return recorded(last());
    },
  },

  'look at a run before it is joined': {
    files: ['identify-run'],
    async scenario() {
      const { harness, client, spec, workflowId, recorded } = await start(1, () => 'Bell', {});
      expect(await client.contentsOf(spec)).toMatch(/^[0-9a-f]{64}$/);
      const { workflow } = new Client({ connection: harness.connection });
      const handle = await workflow.start('identifyRun', {
        ...{ workflowId: `identify/${workflowId}`, taskQueue: harness.taskQueue, args: [spec] },
      });
      expect(await handle.result()).toMatchObject({ differences: [] });
      return recorded(handle.fetchHistory());
    },
  },

  'stores of a queue': {
    files: ['queue-stores'],
    async scenario() {
      const { harness, recorded } = await start(1, () => 'Bell', {});
      const { workflow } = new Client({ connection: harness.connection });
      const handle = await workflow.start('queueStores', {
        ...{ workflowId: 'recorded-stores', taskQueue: harness.taskQueue },
        args: [{ responses: 'one', results: 'two' }],
      });
      expect(await handle.query('stores')).toEqual({ responses: 'one', results: 'two' });
      return recorded(handle.fetchHistory());
    },
  },

  'limits of a queue': {
    files: ['queue-limits'],
    async scenario() {
      const { reply, open } = heldReply();
      const limits = { requestsPerMinute: 6000 };
      const { told, client, harness, recorded } = await start(1, reply, limits);
      await client.setLimits({ tokensPerMinute: 1_000_000 });
      open();
      await told.result();
      const lifted = async () => (await client.limits()).every(({ run }) => run === null);
      await soon(async () => expect(await lifted()).toBe(true));
      await client.setLimits({ tokensPerMinute: null });
      const handle = handleOf(harness.connection, limitsWorkflowId(harness.taskQueue));
      await handle.result();
      return recorded(handle.fetchHistory());
    },
  },

  'run that cannot be opened': {
    files: ['evaluate-run-refused'],
    async scenario() {
      const { told, last, recorded } = await start(1, () => 'Bell', { options: { passages: -1 } });
      await expect(told.result()).rejects.toThrow();
      return recorded(last());
    },
  },
};
