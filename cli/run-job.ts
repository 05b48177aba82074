/** Runs a durable job from the command line: `clusters`. */

import type { DurableRagClient } from '../client/create-client.js';
import type { JobHandle } from '../client/job.js';
import { awaitEnded } from './await-ended.js';
import type { CliContext } from './context.js';
import { Interrupted } from './interrupt.js';
import { printJson } from './print.js';
import { ownSession, runningSession } from './session.js';
import { watch } from './watch.js';

/**
 * Starts the job where Temporal and a worker are running, or on a stack of its own, shows how far
 * it is, and prints what it made as JSON. Ctrl-C leaves it: with a worker elsewhere it goes on,
 * otherwise the same command goes on with it later.
 *
 * @returns the process's exit code: 0 when the job has ended well, 130 when it was left.
 */
export async function runJob<Summary, Progress extends object>(
  start: (client: DurableRagClient) => Promise<JobHandle<Summary, Progress>>,
  context: CliContext,
): Promise<number> {
  const { reporter } = context;
  const session = (await runningSession(context)) ?? (await ownSession(context));
  try {
    const handle = await start(session.client);
    const following = follow(handle);
    following.catch(() => {});
    const summary = await awaitEnded(following, session, context);
    printJson(summary, 2);
    return 0;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const next = session.stack ? 'The same command goes on with it.' : 'It goes on.';
    reporter.part('Left', `the job is under way in Temporal. ${next}`);
    return 130;
  } finally {
    await session.close();
  }
}

/** Waits for the end; on a terminal a line shows how far the job is. */
function follow<Summary, Progress extends object>(
  handle: JobHandle<Summary, Progress>,
): Promise<Summary> {
  return watch(handle, {
    text: handle.workflowId,
    pollMs: 500,
    answerMs: 5_000,
    show(progress, line) {
      line.text = describe(progress);
    },
  });
}

/** "questions 120, done 37, failed 0" */
function describe(progress: object): string {
  return Object.entries(progress)
    .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
