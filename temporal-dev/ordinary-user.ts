/** For a program that refuses to run as root: another user, and a place that user can get at. */
import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { User } from './child.js';
import { childEnvironment } from './child-environment.js';

/** Every system has it, and it owns nothing. */
const USER = 'nobody';
/** Where root keeps what must not lie in a folder like /root, which nobody else may enter. */
const OPEN_HOME = '/var/lib/durable-rag';

export interface OrdinaryPlace {
  /** The home, or another folder in its stead. */
  home: string;
  /** Undefined where this process is not root, and so is ordinary itself. */
  user: User | undefined;
}

/** Where and as whom to run a program that refuses to run as root. */
export async function ordinaryPlace(home: string): Promise<OrdinaryPlace> {
  if (process.getuid?.() !== 0) return { home, user: undefined };
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  return { home: (await othersMayEnter(home)) ? home : OPEN_HOME, user: { uid, gid } };
}

/**
 * Lets the user read the programs that were fetched into the home, and have data there: what root
 * makes is for root alone.
 */
export async function letIn({ home, user }: OrdinaryPlace): Promise<void> {
  if (user === undefined) return;
  const data = join(home, 'elasticsearch');
  await mkdir(data, { recursive: true });
  await chmod('-R', 'a+rX', join(home, 'artifacts'));
  await chmod('a+x', home, data);
}

async function chmod(...args: string[]): Promise<void> {
  await promisify(execFile)('chmod', args, { env: childEnvironment(process.env) });
}

async function idOf(which: '-u' | '-g'): Promise<number> {
  return Number(
    (await promisify(execFile)('id', [which, USER], { env: childEnvironment(process.env) })).stdout,
  );
}

/** A folder that is yet to be made will let others in, unless one above it does not. */
async function othersMayEnter(folder: string): Promise<boolean> {
  const { mode } = await stat(folder).catch(() => ({ mode: 0o001 }));
  if ((mode & 0o001) === 0) return false;
  return dirname(folder) === folder || othersMayEnter(dirname(folder));
}
