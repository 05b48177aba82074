/** A wait for a result over a server that goes away, for a while or for good. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitResult } from '../../client/server-away.js';

// No time passes but by the waits.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const SHORT = { goneMs: 1_000, againMs: 1 };

/** As gRPC has it, after some tries of its own. */
const away = () =>
  Object.assign(new Error('No connection'), { code: 14, details: '', metadata: {} });

/**
 * A workflow whose waits end one after the other as told, each after 400 ms: "away", or its result;
 * the last goes on.
 *
 * @param isThere Whether the server answers, by how many waits there have been.
 */
function waited(ends: readonly string[], isThere: (waits: number) => boolean) {
  let waits = 0;
  const told = async <T>(value: T): Promise<T> => {
    if (isThere(waits)) return value;
    throw away();
  };
  const client = {
    withDeadline: <T>(_: unknown, ask: () => Promise<T>) => ask(),
    workflowService: { getSystemInfo: () => told({}) },
  };
  const result = async () => {
    vi.setSystemTime(Date.now() + 400);
    const end = ends[Math.min(waits++, ends.length - 1)];
    if (end === 'away') throw away();
    return end;
  };
  const handle = { client, result } as unknown as Parameters<typeof awaitResult>[0];
  return { handle, count: () => waits };
}

it('gives up where the server stays away, however long each try takes', async () => {
  const { handle, count } = waited(['away'], () => false);
  await expect(awaitResult(handle, SHORT)).rejects.toMatchObject({ code: 14 });
  expect(count()).toBe(4);
});

it('waits on where the server is there in between', async () => {
  const ends = [...Array<string>(40).fill('away'), 'done'];
  const { handle, count } = waited(ends, (waits) => waits % 2 === 0);
  expect(await awaitResult(handle, SHORT)).toBe('done');
  expect(count()).toBe(41);
});
