/** What a person is told of the versions of the workers, and what to do. */
import { describe, expect, it } from 'vitest';
import {
  exitCodeOfDeployment,
  nextForDeployment,
  renderDeployment,
  renderWaiting,
} from '../../cli/deploy/render-deployment.js';
import type { Deployment, WorkerVersion } from '../../client/deployments.js';
import { presentPollers } from '../../client/recent-pollers.js';
import { QUEUE_TYPE } from '../../workflows/queue/task-queues.js';

const nobody = { questions: 0, models: 0, retrieval: 0 };
const all = { questions: 1, models: 2, retrieval: 1 };

function version(build: string, changes: Partial<WorkerVersion> = {}): WorkerVersion {
  const createdAt = '2026-01-02T03:04:05.000Z';
  return { build, state: 'drained', createdAt, open: 0, workers: nobody, ...changes };
}

function deployment(current: string | null, ...versions: WorkerVersion[]): Deployment {
  return {
    taskQueue: 'qa',
    name: 'qa',
    current,
    ramping: null,
    versions,
    unversioned: nobody,
    full: {},
  };
}

const now = version('b', { state: 'current', open: 3, workers: all });

it('counts a worker that has no place free, and none that is gone', async () => {
  const seconds = Math.floor(Date.now() / 1000);
  const poller = (identity: string, ago: number) => ({
    identity,
    lastAccessTime: { seconds: seconds - ago },
  });
  const describeTaskQueue = async ({ taskQueueType, taskQueue: { name } }: DescribedQueue) => {
    if (taskQueueType === QUEUE_TYPE.workflow)
      return { pollers: [poller('busy', 5), poller('gone', 200)] };
    return { pollers: name === 'qa' ? [] : [poller('busy', 200), poller('gone', 200)] };
  };
  const connection = { workflowService: { describeTaskQueue } } as never;
  const present = await presentPollers({ connection, namespace: 'default' }, 'qa');
  expect(present.every(({ poller: { identity } }) => identity === 'busy')).toBe(true);
  expect(present.find(({ role }) => role === 'questions')?.isFull).toBe(false);
  expect(present.find(({ role }) => role === 'models')?.isFull).toBe(true);
});

interface DescribedQueue {
  taskQueueType: number;
  taskQueue: { name: string };
}

describe('of workers that are versioned', () => {
  it.each([
    {
      of: 'success',
      is: deployment('b', now, version('a')),
      next: undefined,
      code: 0,
    },
    {
      of: 'a new version beside the current one',
      is: deployment(
        'a',
        version('b', { state: 'waiting', workers: all }),
        version('a', { ...now }),
      ),
      next: 'durable-rag deploy promote b',
      code: 0,
    },
    {
      of: 'workers with nothing left to do',
      is: deployment('b', now, version('a', { workers: all })),
      next: 'stop the workers of version a: nothing is left that began with it',
      code: 0,
    },
    {
      of: 'questions whose workers are gone',
      is: deployment('b', now, version('a', { state: 'draining', open: 2 })),
      next: 'start workers of version a again (questions, models, retrieval): 2 that began with it cannot go on',
      code: 8,
    },
    {
      of: 'a current version that nobody makes calls for',
      is: deployment('b', { ...now, workers: { ...all, models: 0 } }),
      next: 'start workers of version b for models: durable-rag worker --versioned',
      code: 8,
    },
    {
      of: 'a new version that nobody searches for',
      is: deployment(
        'a',
        version('b', { state: 'waiting', workers: { ...all, retrieval: 0 } }),
        version('a', { state: 'current', workers: all }),
      ),
      next: undefined,
      code: 0,
    },
    {
      of: 'workers without versions, none of them for retrieval',
      is: { ...deployment(null), unversioned: { questions: 2, models: 1, retrieval: 0 } },
      next: 'start a worker for retrieval: durable-rag worker --only retrieval',
      code: 8,
    },
    {
      of: 'nobody at all',
      is: deployment(null),
      next: 'start a worker: durable-rag worker',
      code: 8,
      isToldOfRuns: false,
    },
    {
      of: 'the first version, which has to be promoted',
      is: deployment(null, version('b', { state: 'waiting', workers: all })),
      next: 'durable-rag deploy promote b',
      code: 8,
    },
    {
      of: 'questions left to workers without versions, of which there are none',
      is: deployment(null, version('b', { state: 'draining', open: 2, workers: all })),
      next: 'start a worker: durable-rag worker, or let a version have them: durable-rag deploy promote',
      code: 8,
    },
    {
      of: 'workers without versions for everything',
      is: { ...deployment(null), unversioned: all },
      next: 'durable-rag worker --versioned, to roll workers of qa by versions',
      code: 0,
    },
    {
      of: 'a version with a share of the questions and nothing under way at the moment',
      is: {
        ...deployment('b', now, version('a', { state: 'ramping', workers: all })),
        ramping: { build: 'a', percentage: 50 },
      },
      next: undefined,
      code: 0,
    },
    {
      of: 'a version with a share of the questions whose workers are gone',
      is: {
        ...deployment('b', now, version('a', { state: 'ramping', open: 3 })),
        ramping: { build: 'a', percentage: 50 },
      },
      next: 'start workers of version a for questions and models and retrieval: 50 % of new questions begin with them; or take the share back: durable-rag deploy promote --percentage 0',
      code: 8,
    },
    {
      of: 'a share for workers without versions, of which there are none',
      is: { ...deployment('b', now), ramping: { build: null, percentage: 5 } },
      next: 'start workers that are not versioned for questions and models and retrieval: 5 % of new questions begin with them; or take the share back: durable-rag deploy promote --percentage 0',
      code: 8,
    },
  ])('says what to do: $of', ({ is, next, code, isToldOfRuns = code !== 0 }) => {
    expect(nextForDeployment(is)).toBe(next);
    expect(exitCodeOfDeployment(is)).toBe(code);
    // Who looks at a run is told where something waits, and only there.
    const waits = `Questions of the task queue qa wait for workers: ${next}.`;
    expect(renderWaiting(is)).toEqual(isToldOfRuns ? [waits] : []);
  });

  it('says since when the only worker has no place free, and asks for no other one', () => {
    const is = { ...deployment(null), unversioned: all, full: { models: Date.now() - 90_000 } };
    expect(renderWaiting(is)).toEqual([
      expect.stringMatching(
        /queue qa have no place free for models: the oldest call has been under way for at least 9\d s\./,
      ),
    ]);
  });

  it('shows the share of new questions that a version has', () => {
    const ramping = version('c', { state: 'ramping', workers: all });
    const shown = renderDeployment({
      ...deployment('b', ramping, now),
      ramping: { build: 'c', percentage: 12.5 },
    });
    expect(shown.split('\n')[1]).toMatch(/^c +ramping 12\.5 % +0 /);
    const unversioned = { ...deployment('b', now), ramping: { build: null, percentage: 5 } };
    expect(renderDeployment(unversioned).split('\n')[2]).toMatch(/^unversioned +ramping 5 % /);
  });

  it('shows each version with what is under way and who polls', () => {
    const shown = renderDeployment({
      ...deployment('b', now, version('a', { state: 'draining', open: 12 })),
      unversioned: { ...nobody, questions: 1 },
    });
    const [head, first, second, last] = shown.split('\n');
    expect(head).toMatch(/^version\s+state\s+under way\s+workers\s+since$/);
    expect(first).toMatch(
      /^b\s+current\s+3\s+1 questions, 2 models, 1 retrieval\s+2026-01-02 03:04$/,
    );
    expect(second).toMatch(/^a\s+draining\s+12\s+none/);
    expect(last).toMatch(/^unversioned\s+-\s+-\s+1 questions/);
  });
});
