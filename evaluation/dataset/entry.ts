/** What the files of data sets are cut into. Types only. */

/** One value that should be a question, and where it stands. */
export interface Entry {
  value: unknown;
  /** What the file is counted in. */
  unit: 'line' | 'record' | 'row';
  /** Counted from 1; lines include blank ones. */
  number: number;
  /** Its key, where the file is a map of questions. */
  key?: string | undefined;
}

/** The entries in the order of the file. @returns SHA-256 of the content, when all were taken. */
export type Entries = AsyncGenerator<Entry, string>;
