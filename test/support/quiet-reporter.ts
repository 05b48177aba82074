/** A reporter for the servers of the test run: what it says goes to standard error, without bars. */
import type { Reporter } from '../../temporal-dev/reporter.js';

export const quietReporter: Reporter = {
  part: (name, text) => console.error(`${name}: ${text}`),
  warn: (text) => console.error(text),
  progress: () => ({ update: () => {}, finish: () => {} }),
};
