/** Interface by which the local stack reports its progress; the command line displays it. */
export interface Reporter {
  /** Reports one line about a part: what was found, where, its address. */
  part(name: string, text: string): void;
  /** Something a person should know but that stops nothing. */
  warn(text: string, fields?: LogFields): void;
  /** A download or a build that takes a while. `total` is in bytes. */
  progress(label: string, total: number): Progress;
}

/** Fields of a log line besides its text, for programs that read it. */
export interface LogFields {
  /** @default 'warn' */
  level?: 'warn' | 'error';
  run?: string;
  question?: string;
  workflowId?: string;
  method?: string;
  step?: string;
  attempt?: number;
  /** The name of a failure. */
  kind?: string;
}

export interface Progress {
  /** Reports the total bytes so far. */
  update(done: number): void;
  finish(): void;
}
