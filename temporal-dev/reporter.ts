/** Callbacks by which the local stack reports its progress. The command line implements them. */
export interface Reporter {
  /** Reports one line about a part, such as where it was found. */
  part(name: string, text: string): void;
  /** Reports a warning. */
  warn(text: string, fields?: LogFields): void;
  /** Begins to report a download. @param total Bytes in all. */
  progress(label: string, total: number): ProgressReport;
}

/** Fields of a structured log line, in addition to its text: its severity, and what it is about. */
export interface LogFields {
  /** Severity of the line. @default 'warn' */
  level?: 'warn' | 'error';
  run?: string;
  question?: string;
  workflowId?: string;
  method?: string;
  step?: string;
  attempt?: number;
  /** Type of a failure. */
  kind?: string;
}

/**
 * The report of one download, with functions that take the number of bytes so far and that end it.
 */
export interface ProgressReport {
  /** Reports the number of bytes downloaded so far. */
  update(done: number): void;
  finish(): void;
}
