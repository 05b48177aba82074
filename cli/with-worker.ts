import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, succeeds } from '../core/failure.js';
import type { CliContext } from './context.js';
import { followingSession, ownSession, type Session } from './session.js';

/** What was started, as far as it tells whether a worker has it. */
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
  /** Throws where a worker has taken it up and cannot do it: one more would share it, and get nowhere. */
  refused?(started: S): Promise<void>;
}

/** Works with what is wanted where a worker answers for it; where none does, one is started here. */
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
      context.reporter.warn(`No worker takes the ${what} up, so one is started here.`);
      await session.close();
      session = await ownSession(context, stored);
      started = await find(session);
    }
    return await work(started, session);
  } finally {
    await session.close();
  }
}

/** Undefined where no worker says whether the run of that name is the same. */
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

/** How long a worker that polls may take to answer before one is started here. */
const WORKER_TIMEOUT_MS = 4_000;

/** Whether a worker answers: one of another machine may be gone. What has ended needs none. */
export function isTakenUp(started: Started): Promise<boolean> {
  const over = () => true;
  return Promise.race([
    succeeds(started.progress()),
    started.result().then(over, over),
    sleep(WORKER_TIMEOUT_MS, false, { ref: false }),
  ]);
}
