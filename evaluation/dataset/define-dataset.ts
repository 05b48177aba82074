/** Declares data sets: the schema of their records, and how a record becomes a question. */
import type { z } from 'zod';
import type { DatasetRecord } from '../../core/dataset-record.js';

/**
 * Error for a record that is not a question. Its message begins with the field. `question` of a
 * data set may throw it.
 */
export class BadRecord extends Error {}

/**
 * The question in a record. Missing parts are added, and repeated answers and passages without a
 * text are dropped.
 */
export type GivenQuestion = Pick<DatasetRecord, 'question'> & {
  [K in keyof DatasetRecord]?: DatasetRecord[K] | undefined;
};

/** Declaration of a published or custom data set. */
export interface DatasetDeclaration<S extends z.ZodObject> {
  /** Name for `--as`: letters, digits, ".", "_" and "-". */
  name: string;
  /** Publisher, for the table of data sets in the documentation. */
  source: string;
  /**
   * Schema of a whole record, a `z.strictObject`: a record with another field does not fit. Fields that
   * are null in the file are removed before.
   */
  schema: S;
  /**
   * False if its passages are not ordered by relevance, so that a run ranks them by BM25.
   * @default true
   */
  ranked?: boolean;
  /** Returns the question of a record; several if a record contains several, none for a header. */
  question(record: z.output<S>): GivenQuestion | GivenQuestion[];
}

/** A declared data set, with any schema. */
export interface Dataset extends DatasetDeclaration<z.ZodObject> {
  /**
   * Paths of a mapping; undefined for any other data set. A mapping fits every record that has these
   * paths, so it is used only if named.
   */
  mapped?: readonly string[];
}

/**
 * Declares how the records of a data set are read, and returns the declaration.
 *
 * @example
 * export const tickets = defineDataset({
 *   name: 'tickets',
 *   source: 'our help desk',
 *   schema: z.strictObject({ ticket: z.string(), asked: z.string(), solved: z.array(z.string()) }),
 *   question: ({ ticket, asked, solved }) => ({ id: ticket, question: asked, answers: solved }),
 * });
 */
export function defineDataset<S extends z.ZodObject>(declaration: DatasetDeclaration<S>): Dataset {
  return declaration;
}
