/** One value of a file that should be a question or a passage, and where it stands. */
export interface Entry {
  value: unknown;
  /** As messages name it, counted from 1: "line 3", blank lines included; "record 2"; "row 7". */
  place: string;
  /** Its key, where the file is a map of records. */
  key?: string | undefined;
}
