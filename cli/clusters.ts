/** `durable-rag clusters`: builds a demonstration set for GenRead in a durable job. */
import { type ClusterProgress, parseClusterInput } from '../workflows/cluster-job.js';
import { awaitEnded } from './await-ended.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { namingFlags, type TypedInput } from './flags.js';
import { Interrupted } from './interrupt.js';
import { printJson } from './print.js';
import type { Session } from './session.js';
import { watch } from './watch.js';
import { withWorker } from './with-worker.js';

/**
 * Starts the job that builds a demonstration set for GenRead, shows its progress, and prints its
 * result as JSON. Ctrl-C leaves the job running: it continues on other workers, or when the command
 * is repeated. Returns the exit code.
 */
export async function clusters(typed: TypedInput, context: CliContext): Promise<number> {
  const job = namingFlags(typed, () => parseClusterInput(typed.fields));
  const find = ({ client }: Session) => client.startClusters(job);
  return withWorker({ what: 'job', find }, context, async (handle, session) => {
    const following = watch(handle, {
      text: handle.workflowId,
      pollMs: 500,
      answerMs: 5_000,
      show({ questions, done }: ClusterProgress, line) {
        line.text = `${done} of ${questions} questions`;
      },
    });
    try {
      printJson(await awaitEnded(following, session, context), 2);
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const next = session.stack ? 'Repeat the command to continue it.' : 'It continues.';
      context.reporter.part('Left', `the job is under way in Temporal. ${next}`);
      return EXIT.interrupted;
    }
  });
}
