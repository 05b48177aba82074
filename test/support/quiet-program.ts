/** The command line that reads what is typed, and neither does nor writes anything. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '../../cli/program.js';
import { cliContext } from './cli-context.js';

export function quietProgram(): CommandUnknownOpts {
  const all = createProgram(cliContext(), async () => {});
  for (const command of [all, ...all.commands, ...all.commands.flatMap((one) => one.commands)]) {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  return all;
}
