import { printToStderr } from './print.js';

const SHUT_DOWN = 'Channel has been shut down';

/**
 * Installs a handler that ignores the SDK's error for a call on a closed connection, which the SDK
 * throws from a timer; the code that closed the connection has reported the reason. Any other
 * uncaught error is printed and ends the process with exit code 1.
 */
export function surviveClosedChannels(): void {
  process.on('uncaughtException', (error) => {
    if (error.message === SHUT_DOWN) return;
    printToStderr(error.stack ?? error.message);
    process.exit(1);
  });
}
