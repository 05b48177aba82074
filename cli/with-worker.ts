import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, succeeds } from '../core/failure.js';
import type { CliContext } from './context.js';
import { followingSession, ownSession, type Session } from './session.js';

/** The part of a handle that shows whether a worker runs the work. */
interface Started {
  progress(): Promise<unknown>;
  result(): Promise<unknown>;
}

/**
 * Work that needs a worker, such as a run: its name in messages, a function that starts or finds
 * it, and the data sets that it asks.
 */
export interface WorkerTask<S extends Started> {
  /** Name of the kind of work in messages, such as "run". */
  what: string;
  /** Starts the work, or finds it, and returns its handle. */
  find(session: Session): Promise<S>;
  /** References to the data sets to ask: see `ownSession`. */
  stored?: readonly string[];
  /**
   * Throws if a worker has tried the work but cannot do it, since another worker would fail in the
   * same way.
   */
  refused?(started: S): Promise<void>;
}

/**
 * Starts or finds work on the running Temporal server, and calls `work` with its handle once a
 * worker answers; returns the result of `work`. If no worker answers, starts a local stack with one
 * in this process.
 */
export async function withWorker<S extends Started, T>(
  { what, find, stored, refused }: WorkerTask<S>,
  context: CliContext,
  work: (started: S, session: Session) => T | Promise<T>,
): Promise<T> {
  let session = await followingSession(context, stored);
  try {
    let started = await findIfAnswered(find, session);
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

/**
 * Returns the result of `find`, such as a run's handle; undefined if it fails because no worker
 * answers and this process has not started one.
 */
export async function findIfAnswered<S>(
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

/**
 * Returns whether a worker answers for work, such as a run, within four seconds, or the work has
 * ended.
 */
export function isTakenUp(started: Started): Promise<boolean> {
  const over = () => true;
  return Promise.race([
    succeeds(started.progress()),
    started.result().then(over, over),
    sleep(WORKER_TIMEOUT_MS, false, { ref: false }),
  ]);
}
