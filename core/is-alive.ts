import { hostname } from 'node:os';
import { errorCodeOf } from './failure.js';

/**
 * Returns whether a process is running; always true for a process on another or an unknown host,
 * which cannot be checked.
 *
 * @param host Name of the process's host; undefined if unknown.
 */
export function isAlive({ pid, host }: { pid: number; host: string | undefined }): boolean {
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    return errorCodeOf(error) === 'EPERM';
  }
}
