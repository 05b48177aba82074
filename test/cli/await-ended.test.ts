/** What a command that waits says of a server that goes away and comes back. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AwaitedServer, awaitEnded } from '../../cli/await-ended.js';
import { Interrupted } from '../../cli/interrupt.js';
import { withQuickReconnect } from '../../client/connect.js';
import { quietReporter } from '../support/quiet-reporter.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function waiting(stack?: AwaitedServer['stack']) {
  let isThere = true;
  const told: string[] = [];
  let end: (result: string) => void = () => {};
  const work = new Promise<string>((done) => {
    end = done;
  });
  const controller = new AbortController();
  const pingServer = () => (isThere ? Promise.resolve() : Promise.reject(new Error('away')));
  const ended = awaitEnded(
    work,
    { stack, pingServer },
    {
      signal: controller.signal,
      reporter: { ...quietReporter, warn: (text) => void told.push(text) },
    },
  );
  return {
    told,
    ended,
    end: (result: string) => end(result),
    leave: () => controller.abort(new Interrupted()),
    async pass(seconds: number, there: boolean) {
      isThere = there;
      await vi.advanceTimersByTimeAsync(seconds * 1000);
    },
  };
}

it('says once that it waits, once that the server is back, and nothing after its end', async () => {
  const { told, ended, end, pass } = waiting();
  await pass(30, true);
  await pass(60, false);
  expect(told).toEqual([
    expect.stringMatching(/^The Temporal server has not answered for \d+ s\. This command waits/),
  ]);
  await pass(10, true);
  expect(told[1]).toMatch(/^The Temporal server answers again, after 6\d s\.$/);
  end('done');
  expect(await ended).toBe('done');
  await pass(60, false);
  expect(told).toHaveLength(2);
});

it('looks for a server that was away for long as often as for one that has just gone', () => {
  const address = 'temporal.example:7233';
  const often = { 'grpc.max_reconnect_backoff_ms': 5_000 };
  expect(withQuickReconnect({ address })).toEqual({ address, channelArgs: often });
  const own = { 'grpc.keepalive_time_ms': 1_000 };
  expect(withQuickReconnect({ address, channelArgs: own }).channelArgs).toEqual({
    ...often,
    ...own,
  });
});

it('says nothing any more once the person has left', async () => {
  const { told, ended, leave, pass } = waiting();
  leave();
  await expect(ended).rejects.toBeInstanceOf(Interrupted);
  await pass(60, false);
  expect(told).toEqual([]);
});

it('leaves it to a worker of its own process, whose end is its own', async () => {
  let lose: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, fail) => {
    lose = fail;
  });
  const { told, ended, pass } = waiting({ lost });
  await pass(60, false);
  expect(told).toEqual([]);
  lose(new Error('The worker ended.'));
  await expect(ended).rejects.toThrow('The worker ended.');
});
