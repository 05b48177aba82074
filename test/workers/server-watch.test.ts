import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchServer } from '../../workers/server-watch.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  let answers = true;
  const told: string[] = [];
  const end = watchServer({
    ask: () => (answers ? Promise.resolve() : Promise.reject(new Error('14 UNAVAILABLE'))),
    warn: (message) => told.push(message),
  });
  return {
    told,
    end,
    async pass(seconds: number, isThere: boolean) {
      answers = isThere;
      await vi.advanceTimersByTimeAsync(seconds * 1000);
    },
  };
}

it('says once that the server is away, and once that it is back', async () => {
  const { told, pass, end } = watched();
  await pass(60, true);
  expect(told).toEqual([]);
  await pass(62, false);
  expect(told).toEqual([
    expect.stringMatching(/^The Temporal server has not answered for 10 s\. /),
  ]);
  await pass(10, true);
  expect(told[1]).toMatch(/^The Temporal server answers again, after 6\d s\.$/);
  await pass(60, true);
  expect(told).toHaveLength(2);
  end();
});

it('says nothing of a restart', async () => {
  const { told, pass, end } = watched();
  await pass(5, false);
  await pass(30, true);
  expect(told).toEqual([]);
  end();
});

it('says nothing any more once it has ended', async () => {
  const { told, pass, end } = watched();
  await pass(5, false);
  end();
  await pass(60, false);
  expect(told).toEqual([]);
});
