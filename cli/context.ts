/** What every command works with. */
import type { Reporter } from '../temporal-dev/reporter.js';
import type { DurableRagOptions } from '../workers/options.js';
import type { TypedSettings } from './setting-flags.js';

export interface CliContext {
  env: NodeJS.ProcessEnv;
  home: string;
  reporter: Reporter;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Standard output is to hold JSON and nothing else. */
  json?: boolean | undefined;
  /** What it says is a log, a JSON object a line. */
  logsJson?: boolean | undefined;
  /** The settings that were typed with the command. */
  typed?: TypedSettings | undefined;
  /** The words that were typed behind the name of this program. */
  words?: readonly string[] | undefined;
  /** What the config file of the folder says, where there is one. */
  config?: DurableRagOptions | undefined;
}

/** Runs a command and tells its troubles. */
export type RunCommand = (command: () => number | Promise<number>) => Promise<void>;
