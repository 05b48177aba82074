/** What every command works with. */
import type { Reporter } from '../../temporal-dev/reporter.js';

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  home: string;
  reporter: Reporter;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
