/** How the local stack tells a person what it does; the command line draws it. */
export interface Reporter {
  /** One line about a part: what was found, where, its address. */
  part(name: string, text: string): void;
  /** Something a person should know but that stops nothing. */
  warn(text: string): void;
  /** A download or a build that takes a while. `total` is in bytes. */
  progress(label: string, total: number): Progress;
}

export interface Progress {
  /** `done` is the absolute number of bytes so far. */
  update(done: number): void;
  finish(): void;
}
