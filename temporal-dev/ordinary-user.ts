/** For a program that refuses to run as root: another user, and a place that user can get at. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { User } from './child.js';
import { outputOf } from './find-program.js';

/** Every system has it, and it owns nothing. */
const USER = 'nobody';
/** Where root keeps what must not lie in its own home, which nobody else may enter. */
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
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => outputOf('id', [which, USER])));
  return { home: OPEN_HOME, user: { uid: Number(uid), gid: Number(gid) } };
}

/**
 * Lets the user read the programs that were fetched into the home, and have data there: what root
 * makes is for root alone.
 */
export async function letIn({ home, user }: OrdinaryPlace): Promise<void> {
  if (user === undefined) return;
  const data = join(home, 'elasticsearch');
  await mkdir(data, { recursive: true });
  await outputOf('chmod', ['-R', 'a+rX', join(home, 'artifacts')]);
  await outputOf('chmod', ['a+x', home, data]);
}
