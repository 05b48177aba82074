/** One value of a file that should be a question or a passage, and its place. */
export interface FileEntry {
  value: unknown;
  /** Place in messages, counted from 1: "line 3", blank lines included; "record 2"; "row 7". */
  place: string;
  /** Its key, if the file is a map of records. */
  key?: string | undefined;
}
