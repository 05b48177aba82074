/** Determines whether a worker can work: it is not stopping, and its services answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { succeeds } from '../../core/failure.js';

/** Checks by the name of the part; each rejects if its part does not answer. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

export interface Readiness {
  ready: boolean;
  /**
   * State of the worker and each of its parts. Messages are left out, since they may contain
   * secrets.
   */
  parts: Record<string, 'ok' | 'stopping' | 'away'>;
}

/** A part that does not answer within this time is away. */
const PATIENCE_MS = 2000;
/** Age up to which a result is reused, because a check writes to the store. */
const FRESH_MS = 1000;

export interface ReadinessOptions {
  patienceMs?: number;
  freshMs?: number;
}

/**
 * Returns a function that returns the state and never rejects.
 *
 * @param takesWork Whether the worker polls; called each time.
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
