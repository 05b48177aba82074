import { hostname } from 'node:os';
import { codeOf } from './failure.js';

/**
 * Tells whether a process may be running; true for a process of another machine, which cannot be
 * checked.
 */
export function isAlive({ pid, host }: { pid: number; host: string | undefined }): boolean {
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM';
  }
}
