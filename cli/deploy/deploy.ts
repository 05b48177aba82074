/** `durable-rag deploy`: the versions of the workers, and which of them new questions begin with. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { sayNext, show } from '../output.js';
import { serverSession } from '../session.js';
import { exitCodeOfDeployment, nextForDeployment, renderDeployment } from './render-deployment.js';

/** Shows the versions; ends with 8 where something waits for workers that are not there. */
export function deployStatus(context: CliContext): Promise<number> {
  return closing(serverSession(context), async ({ client }) => {
    const deployment = await client.describeDeployment();
    const next = nextForDeployment(deployment);
    show(context, { ...deployment, next: next ?? null }, renderDeployment(deployment));
    sayNext(context, next);
    return exitCodeOfDeployment(deployment);
  });
}

/** Makes a version the current one, or lets workers that are not versioned have new questions. */
export function deployPromote(
  build: string | undefined,
  { unversioned }: { unversioned?: true | undefined },
  context: CliContext,
): Promise<number> {
  if (unversioned && build !== undefined) {
    throw new Failure('BadInput', '--unversioned: name no version with it');
  }
  return closing(serverSession(context), async ({ client }) => {
    const current = await client.promoteVersion(unversioned ? null : build);
    const deployment = await client.describeDeployment();
    const begin =
      current === null ? 'workers that are not versioned' : `version ${current} of the workers`;
    const next = nextForDeployment(deployment) ?? command('deploy', 'status');
    show(context, { ...deployment, next }, `New questions begin with ${begin}.`);
    sayNext(context, next);
    return EXIT.ok;
  });
}
