/** The process of the command line. */
import { homeFolder } from '../stores/home.js';
import { carryOut } from './carry-out.js';
import { survivesClosedChannels } from './closed-channel.js';
import { CommandFailure, EXIT, errorJson } from './exit-codes.js';
import { onInterrupt } from './interrupt.js';
import { tell, tellJson } from './print.js';
import { closeRuntime } from './runtime.js';
import { terminalReporter } from './terminal-reporter.js';

// What this process and its children make is for its owner alone, wherever it lies.
process.umask(0o077);

// A reader that has seen enough, such as "head", closes the pipe: that is no trouble.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  // As of a full disk, where it goes into a file.
  const message = `Standard output cannot be written: ${error.message}.`;
  if (process.argv.includes('--json')) {
    tellJson(errorJson(new CommandFailure(EXIT.error, { type: 'Unexpected', message })));
  } else tell(`Error ${message}`);
  void written(process.stderr).then(() => process.exit(EXIT.error));
});
survivesClosedChannels();
process.exitCode = await carryOut(process.argv.slice(2), {
  env: { ...process.env },
  home: homeFolder(process.env),
  reporter: terminalReporter(),
  signal: onInterrupt(),
});
await closeRuntime();
// The server holds a wait for a run for twenty seconds, and the process of whoever has left it.
await Promise.all([process.stdout, process.stderr].map(written));
process.exit();

/** Resolves once what reads the stream has all of it, or is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
