import { tell } from './print.js';

const SHUT_DOWN = 'Channel has been shut down';

/**
 * Keeps the process alive if the SDK retries a call, from a timer, on a connection that has been
 * closed: the code that closed it has reported the reason. Any other uncaught error ends the
 * process, as it does without this handler.
 */
export function survivesClosedChannels(): void {
  process.on('uncaughtException', (error) => {
    if (error.message === SHUT_DOWN) return;
    tell(error.stack ?? error.message);
    process.exit(1);
  });
}
