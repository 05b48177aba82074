/** A lock that allows one build of a corpus at a time, across all processes. */

import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { parseJson } from '../core/canonical-json.js';
import { errorCodeOf } from '../core/failure.js';
import { isAlive } from '../core/is-alive.js';
import { indexPaths } from './manifest.js';

/** The error of a build that is refused because another build of the same corpus is running. */
export class BuildInProgress extends Error {
  override readonly name = 'BuildInProgress';
  constructor(corpus: string, by: string) {
    super(
      `Corpus ${corpus} is being built${by}. Wait until that build is done, or stop it, ` +
        'and start again; the existing index is served until then.',
    );
  }
}

const ownerSchema = z.object({ pid: z.number(), host: z.string() });

/** Age at which a lock counts as abandoned; a live builder renews it every 5 s. */
const STALE_MS = 10_000;
/** Age at which the lock of a dead process counts as abandoned; the minimum of the lock library. */
const DEAD_MS = 2_000;
const PAUSE_MS = 250;

interface BuildLock {
  /**
   * Signal that aborts if the lock is lost, for example after the machine slept; the build must
   * stop.
   */
  lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Acquires the build lock of a corpus, and returns it; the caller must release it, and must stop
 * if its signal `lost` aborts. A lock left by a process that died on this machine is taken over
 * within a few seconds.
 *
 * @param folder Folder of the indexes.
 * @throws BuildInProgress if another build holds it.
 */
export async function lockBuild(folder: string, corpus: string): Promise<BuildLock> {
  const { home, owner } = indexPaths(folder, corpus);
  const lost = new AbortController();
  const onCompromised = (error: Error) => lost.abort(error);
  for (let stale = STALE_MS, attempt = 1; ; stale = DEAD_MS, attempt++) {
    try {
      const options = { lockfilePath: `${home}/build.lock`, stale, update: STALE_MS / 2 };
      const release = await lockfile.lock(home, { ...options, onCompromised });
      await writeFile(owner, JSON.stringify({ pid: process.pid, host: hostname() }));
      return {
        lost: lost.signal,
        // A lost lock is not ours to release.
        release: async () => (lost.signal.aborted ? undefined : release()),
      };
    } catch (error) {
      if (errorCodeOf(error) !== 'ELOCKED') throw error;
    }
    // A builder writes its name shortly after it takes the lock.
    await setTimeout(PAUSE_MS);
    const builder = await readOwner(owner);
    // The lock of one on another machine goes stale.
    if (builder === undefined || isAlive(builder) || attempt * PAUSE_MS > 2 * DEAD_MS) {
      throw new BuildInProgress(corpus, builder ? ` by process ${builder.pid}` : '');
    }
  }
}

async function readOwner(file: string): Promise<{ pid: number; host: string } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return ownerSchema.safeParse(parseJson(text)).data;
}
