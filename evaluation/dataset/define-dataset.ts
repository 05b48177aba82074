/** A data set is declared: the record that its files have, and how a record becomes a question. */
import type { z } from 'zod';
import type { DatasetRecord } from '../../core/dataset-record.js';

/** Why a record is no question, beginning with the field: `question` of a data set may throw it. */
export class BadRecord extends Error {}

/**
 * The question in a record. Missing parts are completed; repeated answers and passages without a
 * text are dropped: see `completed`.
 */
export type GivenQuestion = Pick<DatasetRecord, 'question'> & {
  [K in keyof DatasetRecord]?: DatasetRecord[K] | undefined;
};

/** How the records of a published or custom data set are read. */
export interface DatasetDeclaration<S extends z.ZodObject> {
  /** Name for `--as`: letters, digits, ".", "_" and "-". */
  name: string;
  /** Publisher, for the table of data sets. */
  source: string;
  /**
   * A whole record, by `z.strictObject`: a field that it does not list refuses the record. Fields
   * that are null in the file are left out before.
   */
  schema: S;
  /**
   * False if the passages of its records are in no order of relevance, so that a run ranks them by
   * BM25. @default true
   */
  ranked?: boolean;
  /** Returns the question of a record; several if a record contains several, none for a header. */
  question(record: z.output<S>): GivenQuestion | GivenQuestion[];
}

/** A data set that can be read: a declaration of any record, for the list of all data sets. */
export interface Dataset extends DatasetDeclaration<z.ZodObject> {
  /**
   * The paths of a mapping. A mapping fits every record that has them, so it is never detected,
   * only named.
   */
  mapped?: readonly string[];
}

/**
 * Declares how the records of a data set are read.
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
