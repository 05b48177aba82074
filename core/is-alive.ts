import { hostname } from 'node:os';
import { codeOf } from './failure.js';

/** Tells whether a process may run; of another machine nobody knows. */
export function isAlive({ pid, host }: { pid: number; host: string | undefined }): boolean {
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM';
  }
}
