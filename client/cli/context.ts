/** What every command works with. */
import type { Reporter } from '../../temporal-dev/reporter.js';

export interface CliContext {
  env: NodeJS.ProcessEnv;
  home: string;
  reporter: Reporter;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
