/** Declares data sets: the schema of their records, and how a record becomes a question. */
import type { z } from 'zod';
import type { DatasetRecord } from '../../core/dataset-record.js';

/**
 * The error for a record that is not a question. `question` of a data set may throw it, with a
 * message that begins with the field at fault.
 */
export class BadRecord extends Error {}

/**
 * The question in a record, as `question` of a data set returns it. Missing parts are added later,
 * and repeated answers and passages without text are dropped.
 */
export type GivenQuestion = Pick<DatasetRecord, 'question'> & {
  [K in keyof DatasetRecord]?: DatasetRecord[K] | undefined;
};

/**
 * The declaration of a published or custom data set: a schema of its records, and a function from a
 * record to its questions.
 */
export interface DatasetDeclaration<S extends z.ZodObject> {
  /** Name for `--as`: letters, digits, ".", "_" and "-". */
  name: string;
  /** Publisher, for the table of data sets in the documentation. */
  source: string;
  /**
   * Schema of a whole record, a `z.strictObject`: a record with another field does not fit. Fields
   * that are null in the file are removed first.
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

/**
 * A data set's declaration whatever the type of its records. It contains no questions, only how
 * they are read from the records of a file.
 */
export interface Dataset extends DatasetDeclaration<z.ZodObject> {
  /**
   * Paths of a mapping; undefined if the data set is declared by code. A mapping fits every record
   * that has these paths, so it is used only if the user names it.
   */
  mapped?: readonly string[];
}

/**
 * Returns the declaration of a data set, with the types of its schema checked by the compiler.
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
