/** The context that every command receives: environment, configuration, reporter, signal. */
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
  /** Whether the reporter writes its log as one JSON object a line. */
  logsJson?: boolean | undefined;
  /** The settings that were typed with the command. */
  typed?: TypedSettings | undefined;
  /** Words that were typed after the program's name. */
  words?: readonly string[] | undefined;
  /** Options of the folder's config file; undefined if there is none. */
  config?: DurableRagOptions | undefined;
}

/** Runs a command, prints its errors and sets the exit code. */
export type RunCommand = (command: () => number | Promise<number>) => Promise<void>;
