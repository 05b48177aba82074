/** `durable-rag deploy`: the versions of the workers, and which of them new questions begin with. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import type { Output } from '../output.js';
import { serverSession } from '../session.js';
import { exitCodeOfDeployment, nextForDeployment, renderDeployment } from './render-deployment.js';

/** Shows the versions; ends with 8 where something waits for workers that are not there. */
export function deployStatus(context: CliContext): Promise<Output> {
  return closing(serverSession(context), async ({ client }) => {
    const deployment = await client.describeDeployment();
    const next = nextForDeployment(deployment) ?? null;
    return {
      ...{ value: { ...deployment, next }, text: renderDeployment(deployment), next },
      code: exitCodeOfDeployment(deployment),
    };
  });
}

/** Makes a version the current one, or lets workers that are not versioned have new questions. */
export function deployPromote(
  build: string | undefined,
  { unversioned }: { unversioned?: true | undefined },
  context: CliContext,
): Promise<Output> {
  if (unversioned && build !== undefined) {
    throw new Failure('BadInput', '--unversioned: name no version with it');
  }
  return closing(serverSession(context), async ({ client }) => {
    const current = await client.promoteVersion(unversioned ? null : build);
    const deployment = await client.describeDeployment();
    const begin =
      current === null ? 'workers that are not versioned' : `version ${current} of the workers`;
    const next = nextForDeployment(deployment) ?? command('deploy', 'status');
    return { value: { ...deployment, next }, text: `New questions begin with ${begin}.`, next };
  });
}
