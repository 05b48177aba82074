/** The context that every command receives. */
import type { Reporter } from '../temporal-dev/reporter.js';
import type { DurableRagOptions } from '../workers/worker-options.js';
import type { TypedSettings } from './setting-flags.js';

/**
 * The surroundings of a command: the environment, the home folder, the options of the config file,
 * the reporter, the signal of Ctrl-C, and the flags that all commands have.
 */
export interface CliContext {
  env: NodeJS.ProcessEnv;
  /** Path of the home folder (DURABLE_RAG_HOME). */
  home: string;
  reporter: Reporter;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Whether standard output must contain only JSON. */
  json?: boolean | undefined;
  /** Whether the reporter writes its log as JSON, one object per line. */
  logsJson?: boolean | undefined;
  /** Settings given as flags of the command. */
  typed?: TypedSettings | undefined;
  /** Command-line arguments after the program's name. */
  words?: readonly string[] | undefined;
  /** Options of the folder's config file; undefined if there is none. */
  config?: DurableRagOptions | undefined;
}

/**
 * A function that runs a command's action, prints the error that it throws, and keeps the exit
 * code for `carryOut`.
 */
export type RunCommand = (command: () => number | Promise<number>) => Promise<void>;
