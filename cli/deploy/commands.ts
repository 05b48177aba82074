/** The command line's words for versions of the workers. */
import type { Command } from '@commander-js/extra-typings';
import type { CliContext, RunCommand } from '../context.js';

export function addDeployCommands(program: Command, context: CliContext, run: RunCommand): void {
  const load = () => import('./deploy.js');
  const deploy = program
    .command('deploy')
    .description('versions of the workers: questions stay with the one that they begin with');
  deploy
    .command('status')
    .description('list the versions, what is under way with each, and their workers')
    .action(() => run(async () => (await load()).deployStatus(context)));
  deploy
    .command('promote')
    .description('let new questions begin with a version')
    .argument('[version]', 'default: the newest that has workers')
    .option('--unversioned', 'go back to workers that are not versioned')
    .action((version, { unversioned }) =>
      run(async () => (await load()).deployPromote(version, { unversioned }, context)),
    );
}
