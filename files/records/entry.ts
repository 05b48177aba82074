/**
 * One value of a file of records, and its place in the file. It is unchecked, and may be no record.
 */
export interface FileEntry {
  value: unknown;
  /** Place in messages, counted from 1: "line 3", blank lines included; "record 2"; "row 7". */
  place: string;
  /** Key of the value, if the file is a map of records. */
  key?: string | undefined;
}
