/** Input fields that select the questions of a run or job, and how they are read. */
import { z } from 'zod';
import type { AnswerKind } from '../dataset-record.js';
import { nonEmpty } from '../options/ranges.js';

/**
 * Maximum size of questions in an input, in bytes, since the history of its workflow contains them.
 */
const MOST_BYTES = 1_000_000;

/** Schema of a question; its content is checked when the questions are stored. */
const question: z.ZodType<object, object> = z.looseObject({});

const dataset = z
  .union([nonEmpty, z.array(question).min(1)], {
    error: ({ input }) =>
      `${input === undefined ? 'is missing; it ' : ''}must be the name of a data set, its hash, or a list of questions`,
  })
  .refine((dataset) => typeof dataset === 'string' || bytesOf(dataset) <= MOST_BYTES, {
    error: 'is larger than a megabyte: put the questions into the store, and name them',
  })
  .describe('name or hash of stored questions, or questions themselves; see docs/datasets.md');

const datasetReading = z.object({
  as: nonEmpty
    .optional()
    .describe('known data set that questions are read as')
    .meta({ flag: '--as <name>', flagGroup: 'Questions', otherwise: 'detected from the records' }),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'which field is which, by paths: question=inputs.question,answers=outputs.answer[],id=ticket',
    )
    .meta({ flag: '--fields <paths>', flagGroup: 'Questions', flagTakes: 'paths' }),
  kind: z
    .custom<AnswerKind>((kind) => typeof kind === 'string')
    .optional()
    .describe('kind of answer of every question')
    .meta({ flag: '--kind <kind>', flagGroup: 'Questions' }),
  split: nonEmpty
    .optional()
    .describe('mark that separates the answers within a text, such as ";"')
    .meta({ flag: '--split <mark>', flagGroup: 'Questions', otherwise: 'a text is one answer' }),
  skipBad: z
    .boolean()
    .optional()
    .describe('leaves out records that are not questions, and reports their number')
    .meta({ flag: '--skip-bad', flagGroup: 'Questions' }),
});

/**
 * The fields of an input that decide how the questions of a file are read: `as`, `fields`, `kind`,
 * `split` and `skipBad`; all are optional.
 */
export type DatasetReading = z.output<typeof datasetReading>;

/** The names of the fields of `DatasetReading` as keys with the value true, for zod's `pick`. */
export const READING_FIELDS = {
  as: true,
  fields: true,
  kind: true,
  split: true,
  skipBad: true,
} as const;

/**
 * Schema of the fields of an input that name or contain the questions (`dataset`), and decide how
 * they are read (`as`, `fields`, `kind`, `split` and `skipBad`).
 */
export const datasetInput = z.object({
  dataset: dataset.meta({
    flag: '--dataset <file>',
    flagGroup: 'Questions',
    flagTakes: 'dataset',
    flagSays:
      'file of questions, hf:OWNER/NAME/PATH, flashrag:SET/SPLIT, an https address, or stored:NAME; see docs/datasets.md',
  }),
  ...datasetReading.shape,
});

/**
 * The fields of an input that name or contain the questions (`dataset`), and decide how they are
 * read (`as`, `fields`, `kind`, `split` and `skipBad`).
 */
export type DatasetInput = z.output<typeof datasetInput>;

/**
 * Splits an input into the fields that decide how a file of questions is read (`reading`, see
 * `DatasetReading`) and all others (`asked`).
 */
export function splitReading<I extends DatasetReading>(
  input: I,
): { reading: DatasetReading; asked: Omit<I, keyof DatasetReading> } {
  const { as, fields, kind, split, skipBad, ...asked } = input;
  return { reading: { as, fields, kind, split, skipBad }, asked };
}

/**
 * Returns a copy of an input with another data set, and without the fields that decide how a file
 * of questions is read (`DatasetReading`).
 */
export function withDataset<I extends DatasetInput, D extends DatasetInput['dataset']>(
  { as: _, fields: __, kind: ___, split: ____, skipBad: _____, dataset: ______, ...asked }: I,
  dataset: D,
): Omit<I, keyof DatasetInput> & { dataset: D } {
  return { ...asked, dataset };
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * Returns a data set as text for people: the given text if it is one, or "3 questions" for a list.
 */
export function datasetLabel(dataset: string | readonly unknown[]): string {
  if (typeof dataset === 'string') return dataset;
  return dataset.length === 1 ? '1 question' : `${dataset.length} questions`;
}
