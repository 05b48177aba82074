/** `durable-rag deploy`: shows the versions of the workers, and routes new questions to one. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import type { CommandOutput } from '../print-output.js';
import { serverSession } from '../session.js';
import {
  exitCodeOfDeployment,
  nextForDeployment,
  renderDeployment,
  renderPromoted,
} from './render-deployment.js';

/**
 * Returns the output of `deploy status`: the versions of the workers and the next step, as JSON an
 * object, as text a table. Its exit code is 8 if work waits for workers that are not running, else
 * 0.
 */
export function deployStatus(context: CliContext): Promise<CommandOutput> {
  return closing(serverSession(context), async ({ client }) => {
    const deployment = await client.describeDeployment();
    const next = nextForDeployment(deployment) ?? null;
    return {
      value: { ...deployment, next },
      text: renderDeployment(deployment),
      next,
      code: exitCodeOfDeployment(deployment),
    };
  });
}

/**
 * Routes new questions, or a percentage of them, to a version or to unversioned workers. Returns
 * the output of the command.
 *
 * @param build Build id of the version; undefined for the newest one that has workers and is not
 * the current one.
 * @throws Failure BadInput if a version is combined with `--unversioned`; and as `promoteVersion`.
 */
export function deployPromote(
  build: string | undefined,
  { unversioned, percentage }: { unversioned?: true | undefined; percentage?: number | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  if (unversioned && build !== undefined) {
    throw new Failure('BadInput', '--unversioned: has no place beside a version');
  }
  return closing(serverSession(context), async ({ client }) => {
    const chosen = await client.promoteVersion(unversioned ? null : build, percentage);
    const deployment = await client.describeDeployment();
    const next = nextForDeployment(deployment) ?? command('deploy', 'status');
    return { value: { ...deployment, next }, text: renderPromoted(chosen, percentage), next };
  });
}
