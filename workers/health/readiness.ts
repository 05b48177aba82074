/** Whether a worker can do its work: it is not stopping, and what it needs answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { succeeds } from '../../core/failure.js';

/** Parts by name; each check rejects where its part does not answer. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

export interface Readiness {
  ready: boolean;
  /** Whether the worker takes work, and each of its parts. No message of a part: it may name secrets. */
  parts: Record<string, 'ok' | 'stopping' | 'away'>;
}

/** A part that says nothing for so long is away. */
const PATIENCE_MS = 2000;
/** Whoever asks more often is told the same: a check writes to the store. */
const FRESH_MS = 1000;

export interface ReadinessOptions {
  patienceMs?: number;
  freshMs?: number;
}

/**
 * @param takesWork Whether the worker polls; asked each time.
 * @returns what tells how things stand, and never rejects.
 */
export function readinessOf(
  takesWork: () => boolean,
  checks: Checks,
  { patienceMs = PATIENCE_MS, freshMs = FRESH_MS }: ReadinessOptions = {},
): () => Promise<Readiness> {
  let latest: { at: number; parts: Promise<[string, 'ok' | 'away'][]> } | undefined;
  const look = () =>
    Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, 'ok' | 'away']> => {
        const answer = succeeds(Promise.resolve().then(check));
        const isThere = await Promise.race([answer, sleep(patienceMs, false, { ref: false })]);
        return [name, isThere ? 'ok' : 'away'];
      }),
    );
  return async () => {
    if (!latest || performance.now() - latest.at >= freshMs) {
      latest = { at: performance.now(), parts: look() };
    }
    const parts = await latest.parts;
    const worker = takesWork() ? 'ok' : 'stopping';
    const all = Object.fromEntries([['worker', worker] as const, ...parts]);
    return { ready: Object.values(all).every((state) => state === 'ok'), parts: all };
  };
}
