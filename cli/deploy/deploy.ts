/** `durable-rag deploy`: the versions of the workers, and which of them new questions begin with. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { serverSession } from '../session.js';
import {
  exitCodeOfDeployment,
  nextForDeployment,
  renderDeployment,
  renderPromoted,
} from './render-deployment.js';

/** Shows the worker versions. The exit code is 8 if work waits for workers that do not run. */
export function deployStatus(context: CliContext): Promise<Output> {
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

/** Lets new questions, or a share of them, begin with a version or with workers that are not versioned. */
export function deployPromote(
  build: string | undefined,
  { unversioned, percentage }: { unversioned?: true | undefined; percentage?: number | undefined },
  context: CliContext,
): Promise<Output> {
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
