/** The process of the command line. */
import { homeFolder } from '../stores/home.js';
import { carryOut } from './carry-out.js';
import { CommandFailure, EXIT, errorJson } from './exit-codes.js';
import { onInterrupt } from './interrupt.js';
import { printJsonToStderr, printToStderr } from './print.js';
import { closeRuntime, surviveClosedChannels } from './runtime.js';
import { terminalReporter } from './terminal-reporter.js';

// Files that this process and its children create are readable by their owner only.
process.umask(0o077);

// A reader that has seen enough, such as "head", closes the pipe, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  // A full disk, for example, if the output goes to a file.
  const message = `Standard output cannot be written: ${error.message}.`;
  if (process.argv.includes('--json')) {
    printJsonToStderr(errorJson(new CommandFailure(EXIT.error, { type: 'Unexpected', message })));
  } else printToStderr(`Error ${message}`);
  void written(process.stderr).then(() => process.exit(EXIT.error));
});
surviveClosedChannels();
process.exitCode = await carryOut(process.argv.slice(2), {
  env: { ...process.env },
  home: homeFolder(process.env),
  reporter: terminalReporter(),
  signal: onInterrupt(),
});
await closeRuntime();
// A pending long poll would keep the process alive for up to twenty seconds.
await Promise.all([process.stdout, process.stderr].map(written));
process.exit();

/** Resolves once the reader of the stream has everything, or has closed it. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
