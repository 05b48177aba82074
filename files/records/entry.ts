/**
 * One value of a file of records, with its place in the file, and its key if the file is a map of
 * records. The value is unchecked, and may be no record.
 */
export interface FileEntry {
  value: unknown;
  /** Place in messages, counted from 1: "line 3", blank lines included; "record 2"; "row 7". */
  place: string;
  /** Key of the value, if the file is a map of records. */
  key?: string | undefined;
}
