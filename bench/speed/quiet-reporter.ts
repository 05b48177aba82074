/** Tells warnings and what is fetched; on standard error, so that standard output is the table. */
import type { Reporter } from '../../temporal-dev/reporter.js';

export const quietReporter: Reporter = {
  part: (name, text) => console.error(`${name}: ${text}`),
  warn: (text) => console.error(`Warning: ${text}`),
  progress: () => ({ update: () => {}, finish: () => {} }),
};
