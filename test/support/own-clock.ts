/**
 * A clock of a test's own, for what waits in memory alone: it stands still while anything is done,
 * then jumps to what is waited for next. An hour takes no time, and no machine is too slow for it.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

const promises = createRequire(import.meta.url)('node:timers/promises');
const usual = promises.setTimeout;

/** @example beforeEach(ownClock) */
export function ownClock(): () => void {
  const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...toFake] });
  vi.setTimerTickMode('nextTimerAsync');
  waitWith(sleep);
  return () => {
    vi.useRealTimers();
    waitWith(usual);
  };
}

function waitWith(setTimeout: typeof usual): void {
  promises.setTimeout = setTimeout;
  syncBuiltinESMExports();
}

/** As node:timers/promises has it, by the clock that is there now. */
async function sleep<T>(ms: number, value: T, { signal }: { signal?: AbortSignal } = {}) {
  signal?.throwIfAborted();
  return new Promise<T>((done, fail) => {
    const timer = setTimeout(done, ms, value);
    const end = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}
