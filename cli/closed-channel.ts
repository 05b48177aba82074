import { tell } from './print.js';

const SHUT_DOWN = 'Channel has been shut down';

/**
 * Lets a process live on where the SDK's retry of a call, which is started by a timer, finds the
 * connection closed: whoever gave the call up has said why. Any other error that nobody caught ends
 * the process, as it does without this.
 */
export function survivesClosedChannels(): void {
  process.on('uncaughtException', (error) => {
    if (error.message === SHUT_DOWN) return;
    tell(error.stack ?? error.message);
    process.exit(1);
  });
}
