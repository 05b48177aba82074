import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, succeeds } from '../core/failure.js';
import type { CliContext } from './context.js';
import { followingSession, ownSession, type Session } from './session.js';

/** Handle of what was started, as needed to see whether a worker has it. */
interface Started {
  progress(): Promise<unknown>;
  result(): Promise<unknown>;
}

export interface Wanted<S extends Started> {
  /** "run" */
  what: string;
  /** Starts it, or finds it. */
  find(session: Session): Promise<S>;
  /** See `ownSession`. */
  stored?: readonly string[];
  /**
   * Throws if a worker has taken the work and cannot do it; another worker would fail in the same
   * way.
   */
  refused?(started: S): Promise<void>;
}

/** Runs some work with the handle once a worker answers; starts a worker here if none does. */
export async function withWorker<S extends Started, T>(
  { what, find, stored, refused }: Wanted<S>,
  context: CliContext,
  work: (started: S, session: Session) => T | Promise<T>,
): Promise<T> {
  let session = await followingSession(context, stored);
  try {
    let started = await foundBy(find, session);
    if (!started || (!session.stack && !(await isTakenUp(started)))) {
      if (started) await refused?.(started);
      context.reporter.warn(`No worker takes the ${what}, so one is started here.`);
      await session.close();
      session = await ownSession(context, stored);
      started = await find(session);
    }
    return await work(started, session);
  } finally {
    await session.close();
  }
}

/** Returns what `find` finds; undefined if no worker can tell whether that run is the same one. */
export async function foundBy<S>(
  find: (session: Session) => Promise<S>,
  session: Session,
): Promise<S | undefined> {
  try {
    return await find(session);
  } catch (error) {
    const isUnanswered = error instanceof Failure && error.type === 'Connection';
    if (isUnanswered && !session.stack) return undefined;
    throw error;
  }
}

/** Milliseconds that a polling worker may take to answer before one is started here. */
const WORKER_TIMEOUT_MS = 4_000;

/** Whether a worker answers, or the work has ended: a worker of another machine may have gone. */
export function isTakenUp(started: Started): Promise<boolean> {
  const over = () => true;
  return Promise.race([
    succeeds(started.progress()),
    started.result().then(over, over),
    sleep(WORKER_TIMEOUT_MS, false, { ref: false }),
  ]);
}
