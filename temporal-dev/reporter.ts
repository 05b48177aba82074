/** Callbacks by which the local stack reports its progress; the command line displays it. */
export interface Reporter {
  /** Reports one line about a part, such as where it was found. */
  part(name: string, text: string): void;
  /** Reports a warning. */
  warn(text: string, fields?: LogFields): void;
  /** Begins to report a download. @param total Bytes in all. */
  progress(label: string, total: number): Progress;
}

/** Structured fields of a log line besides its text. */
export interface LogFields {
  /** @default 'warn' */
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

export interface Progress {
  /** Reports the total bytes so far. */
  update(done: number): void;
  finish(): void;
}
